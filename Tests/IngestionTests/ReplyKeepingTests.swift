import EngagementEvents
import EventStore
import Postgres
import TestSupport
import Testing

@testable import Ingestion

/// What an app's registry says of replies is applied before anything is written.
@Suite(.store) struct ReplyKeepingTests {
  private typealias Keeping = RegisteredCategory.ReplyTextKeeping

  private func register(
    _ keepings: [String: Keeping], otherwise: Keeping = .full, in store: EventStore, _ app: App
  ) throws {
    let categories = try keepings.sorted { $0.key < $1.key }.map { name, keeping in
      var category = try RegisteredCategory(Category(name))
      category.replyText = keeping
      return category
    }
    _ = try CategoryRegistry(replyText: otherwise, categories).import(
      into: app.id, on: store.connect(.administering))
  }

  private func reply(_ number: Int, in category: String) -> String {
    ImportBench.line(
      number, "action", #","category":"\#(category)","actionId":"reply","replyText":"marked \#(number)""#)
  }

  /// Category, length and text of each event, in their order.
  private func kept(_ store: EventStore) throws -> [String] {
    try store.connectAsSuperuser().query(
      """
      select category || ' ' || coalesce(reply_length::text, '-') || ' ' || coalesce(text, '-')
      from event left join reply using (event_id, unit_id, day) order by event_id
      """
    ).map { row in try row.value(0, as: String.self) }
  }

  @Test func eachCategoryKeepsWhatItIsToldTo() throws {
    let bench = try ImportBench()
    try register(
      ["all": .full, "long": .length, "none": .none], otherwise: .length, in: bench.store, bench.app)
    let file = ["all", "long", "none", "other"].enumerated().map { reply($0 + 1, in: $1) }
    #expect(try bench.run(file.joined(separator: "\n")).stored == 4)
    #expect(try kept(bench.store) == ["all 8 marked 1", "long 8 -", "none -1 -", "other 8 -"])
    // The action stays a reply, and an export says no more than the store knows.
    let exported = try bench.exported(withReplies: true).split(separator: "\n")
    #expect(exported.filter { $0.contains("replyText") }.count == 1)
    #expect(exported[2].contains(#""replyWithheld":true"#) && !exported[2].contains("replyLength"))
  }

  @Test func aRetryIsADuplicateUnderAnyRegistry() throws {
    let bench = try ImportBench()
    let other = reply(1, in: "chat").replacing("marked", with: "edited")
    for keeping in [Keeping.none, .full, .length] {
      try register(["chat": keeping], in: bench.store, bench.app)
      _ = try bench.run(reply(1, in: "chat"))
      #expect(try kept(bench.store) == ["chat -1 -"], "\(keeping)")
      // The text is told apart all the same.
      #expect(try bench.run(other).rejections.map(\.code) == ["conflict"])
    }
    let bodies = try bench.store.connect(.asking).query("select body from dead_letter").map { row in
      String(decoding: try row.value(0, as: [UInt8].self), as: UTF8.self)
    }
    #expect(!bodies.isEmpty && bodies.allSatisfy { !$0.contains("edited") })
  }

  /// Without a single category there is no registry, but still a rule.
  @Test func aServerGoesByTheRuleForTheWholeApp() throws {
    let first = try TestService()
    try register([:], otherwise: .none, in: first.store, first.app)
    #expect(try CategoryRegistry.current(of: first.app.id, on: first.store.connect(.asking)) == nil)
    let service = try TestService()
    let event = Event(1, "action").with("replyText", #""marked""#)
    #expect(try service.post([event.json]).verdicts().warnings == nil)
    #expect(try kept(service.store) == [" -1 -"])
    try register([:], in: service.store, service.app)
    // A running server hears of it within a second or two.
    var number = 1
    try poll(upTo: .seconds(20), "the new rule is known") {
      number += 1
      _ = try service.post([Event(number, "action").with("replyText", #""marked""#).json])
      return try kept(service.store).last == " 6 marked"
    }
  }

  @Test func aRegistryThatCannotBeReadKeepsNothing() throws {
    let first = try TestService()
    try first.store.connectAsSuperuser().execute(
      """
      insert into category_registry (app_id, position, document)
      values (\(first.app.id.rawValue), 0, '{"replyText":"hashed","categories":[]}')
      """)
    let service = try TestService()
    #expect(try service.post([Event(1, "action").with("replyText", #""marked""#).json]).status == 200)
    #expect(try kept(service.store) == [" -1 -"])
  }
}
