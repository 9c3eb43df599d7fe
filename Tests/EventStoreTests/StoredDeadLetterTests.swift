import EngagementEvents
import EventStore
import Foundation
import Postgres
import TestSupport
import Testing

@Suite(.store) struct StoredDeadLetterTests {
  private func makeStore() throws -> EventStore {
    let store = EventStore(
      database: try TestDatabase.current,
      secret: try StoreSecret(key: Array(repeating: 9, count: StoreSecret.length)))
    _ = try store.prepare()
    return store
  }

  private func leave(
    _ store: EventStore, app: AppID, code: String, daysAgo: Int, source: String = "http", file: String? = nil,
    body: String = "{}"
  ) throws {
    let now = Int64(Date.now.timeIntervalSince1970) * 1_000_000
    let letter = DeadLetter(
      app: app, receivedAt: Timestamp(microseconds: now - Int64(daysAgo) * 86_400_000_000),
      sentAt: Timestamp(microseconds: 5), source: source, file: file, index: 3, eventID: "x",
      deviceKey: nil, field: "type", code: code, message: "no", body: Array(body.utf8))
    _ = try EventWriter(store.connect(.writing)).append(
      AppendBatch(rows: [], indices: [], deadLetters: [letter], source: source))
  }

  @Test func lettersAreFoundByAppCodeAndAgeTheNewestFirst() throws {
    let store = try makeStore()
    let connection = try store.connect(.administering)
    let shop = try App.findOrCreate("shop", on: connection).id
    let blog = try App.findOrCreate("blog", on: connection).id
    try leave(store, app: shop, code: "a", daysAgo: 100)
    try leave(store, app: shop, code: "conflict", daysAgo: 10)
    try leave(store, app: blog, code: "a", daysAgo: 0)
    func ids(_ selection: StoredDeadLetter.Selection, limit: Int = 10) throws -> [Int64] {
      try StoredDeadLetter.newest(selection, limit: limit, on: connection).map(\.id)
    }
    #expect(try ids(.init()) == [3, 2, 1])
    #expect(try ids(.init(), limit: 2) == [3, 2])
    #expect(try ids(.init(app: shop)) == [2, 1])
    #expect(try ids(.init(code: "a")) == [3, 1])
    #expect(try ids(.init(onlyReplayable: true)) == [3, 1])
    let monthAgo = Timestamp(microseconds: Int64(Date.now.timeIntervalSince1970 - 30 * 86_400) * 1_000_000)
    #expect(try ids(.init(since: monthAgo)) == [3, 2])
    #expect(try StoredDeadLetter.count(.init(app: shop, code: "a"), on: connection) == 1)
    let found = try #require(try StoredDeadLetter.find(1, on: connection))
    #expect(found.app == "shop")
    #expect(found.letter.sentAt == Timestamp(microseconds: 5))
    #expect(found.letter.body == Array("{}".utf8))
    #expect(try StoredDeadLetter.find(99, on: connection) == nil)
  }

  @Test func pruningTakesTheOldOnesAndNoneOfToday() throws {
    let store = try makeStore()
    let connection = try store.connect(.administering)
    let shop = try App.findOrCreate("shop", on: connection).id
    let blog = try App.findOrCreate("blog", on: connection).id
    try leave(store, app: shop, code: "a", daysAgo: 100)
    try leave(store, app: blog, code: "a", daysAgo: 100)
    try leave(store, app: shop, code: "a", daysAgo: 0)
    func daysAgo(_ days: Double) -> Timestamp {
      Timestamp(microseconds: Int64(Date.now.timeIntervalSince1970 - days * 86_400) * 1_000_000)
    }
    #expect(throws: StoreError.self) { try StoredDeadLetter.prune(before: daysAgo(0.5), on: connection) }
    #expect(try StoredDeadLetter.prune(before: daysAgo(90), app: shop, on: connection) == 1)
    #expect(try StoredDeadLetter.prune(before: daysAgo(2), on: connection) == 1)
    #expect(try StoredDeadLetter.newest(.init(), limit: 9, on: connection).map(\.id) == [3])
  }

  @Test func theRuntimeRoleCannotDeleteLettersItself() throws {
    let connection = try makeStore().connect(.administering)
    let error = #expect(throws: PostgresError.self) { try connection.execute("delete from dead_letter") }
    #expect(error?.sqlState == "42501")
  }

  @Test func onlyLettersOfFilesAreKeptOnce() throws {
    let store = try makeStore()
    let connection = try store.connect(.administering)
    let shop = try App.findOrCreate("shop", on: connection).id
    for _ in 0..<2 {
      try leave(store, app: shop, code: "a", daysAgo: 0, source: "import")
      try leave(store, app: shop, code: "a", daysAgo: 0, source: "import", body: "{ }")
      try leave(store, app: shop, code: "a", daysAgo: 0)
    }
    let kept = try StoredDeadLetter.newest(.init(), limit: 9, on: connection)
    #expect(kept.count { $0.letter.source == "import" } == 2)
    #expect(kept.count { $0.letter.source == "http" } == 2)
  }

  /// Of a malformed row nothing is kept by which it could be told from one of another file.
  @Test func theSameLineOfAnotherFileIsAnotherLetter() throws {
    let store = try makeStore()
    let connection = try store.connect(.administering)
    let shop = try App.findOrCreate("shop", on: connection).id
    for _ in 0..<2 {
      for file in ["part-1.json", "part-2.json", "-"] {
        try leave(store, app: shop, code: "a", daysAgo: 0, source: "import", file: file, body: "")
      }
    }
    let kept = try StoredDeadLetter.newest(.init(), limit: 9, on: connection).map(\.letter.file)
    #expect(kept == ["-", "part-2.json", "part-1.json"])
  }

  /// Which file they were of, nobody knows any more: importing it again must not add to them.
  @Test func lettersOfBeforeStandForAnyFile() throws {
    let store = try makeStore()
    let connection = try store.connect(.administering)
    let shop = try App.findOrCreate("shop", on: connection).id
    try leave(store, app: shop, code: "a", daysAgo: 0, source: "import", body: "")
    try leave(store, app: shop, code: "a", daysAgo: 0, source: "import", file: "part-1.json", body: "")
    #expect(try StoredDeadLetter.newest(.init(), limit: 9, on: connection).map(\.letter.file) == [nil])
  }
}
