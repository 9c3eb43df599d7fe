import EngagementEvents
import EventStore
import Foundation
import TestSupport
import Testing

/// `pushlift compare` and `pushlift power`, as people type them.
@Suite(.store) struct CalculatorTests {
  @Test func compareNeedsNoStore() throws {
    let sandbox = try Sandbox()
    let table = try sandbox.succeed("compare", "420/5000", "310/5000", "--confidence", "99%")
    #expect(table.hasPrefix("Rich: 420 of 5,000. Text-only: 310 of 5,000.\n"))
    #expect(table.contains("99 % interval"))
    #expect(table.contains("→ rich is higher; the interval overlaps the 30–40 % often claimed."))
    let json = try sandbox.succeed("compare", "420/5000", "0/5000", "--format", "json")
    let document = try #require(try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
    #expect((document["uplift"] as? [String: Any])?["value"] is NSNull)
    #expect(!FileManager.default.fileExists(atPath: sandbox.data))
  }

  @Test func powerNeedsNoStoreUnlessAsked() throws {
    let sandbox = try Sandbox()
    let size = try sandbox.succeed("power", "--base", "8%", "--uplift", "35%")
    #expect(size.contains("both               3,410"))
    #expect(size == (try sandbox.succeed("power", "--base", "0.08", "--uplift", "0.35")))
    let found = try sandbox.succeed("power", "--base", "8%", "--units", "20000", "--split", "20:80")
    #expect(found.contains("An uplift of +17.3 % (rich 9.38 % against text-only 8.00 %)"))
    #expect(!FileManager.default.fileExists(atPath: sandbox.data))
  }

  /// What was typed, and a word that the message has to hold.
  @Test(arguments: [
    (["compare", "6/5", "1/2"], "420/5000"), (["compare", "-3/10", "1/2"], "420/5000"),
    (["compare", "0.3", "1/2"], "420/5000"), (["compare", "3/10/2", "1/2"], "420/5000"),
    (["compare", "3.5/10", "1/2"], "whole"), (["compare", "3/10"], "<text>"),
    (["compare", "3/10", "1/2", "3/4"], "3/4"), (["compare", "3/10", "1/2", "--confidence", "95"], "95"),
    (["compare", "3/10", "1/2", "--design-effect", "0.5"], "--design-effect"),
    (["compare", "3/10", "99999999999999999999/2"], "420/5000"), (["power", "--uplift", "35%"], "--base 8%"),
    (["power", "--base", "8%"], "--units"), (["power", "--base", "8", "--uplift", "35%"], "a share of 1"),
    (["power", "--base", "8%", "--uplift", "35%", "--units", "20"], "either"),
    (["power", "--base", "8%", "--uplift", "0"], "uplift of 0"),
    (["power", "--base", "80%", "--uplift", "35%"], "over 100 %"),
    (["power", "--base", "8%", "--uplift", "35%", "--category", "x"], "--app"),
    (["power", "--base", "8%", "--uplift", "35%", "--split", "50/50"], "50:50"),
    (["power", "--base", "8%", "--uplift", "35%", "--split", "0:1"], "50:50"),
    (["rates", "--confidence", "5%"], "50%"), (["rates", "--split", "half"], "50:50"),
    (["rates", "--split", "1:4", "--compare", "2026-10-01..2026-10-31"], "--split"),
  ])
  func whatIsMistypedIsNamed(arguments: [String], word: String) throws {
    let output = try Sandbox().start(arguments).output(within: .seconds(30))
    #expect(output.status == 64, "\(arguments): \(output.err)")
    #expect(output.err.contains(word), "\(output.err)")
    #expect(output.out.isEmpty)
  }

  /// Two days of 100 rich and 300 text-only deliveries, a tenth of them opened.
  @Test func powerPlansByTheTrafficOfAStore() throws {
    let sandbox = try Sandbox(database: try TestDatabase.current)
    try sandbox.succeed("migrate")
    let store = EventStore(database: try TestDatabase.current, secret: .test)
    let app = try store.app()
    var events: [EventSample] = []
    for number in 0..<800 {
      let unit = ("n\(number)", "d\(number)")
      let start = Double(number % 2) * 86_400
      events.append(
        try .delivered(of: unit, at: start, meaning: number % 8 < 2 ? [.image] : []))
      if number / 8 % 10 == 0 { events.append(try .opened(of: unit, at: start + 60)) }
    }
    try store.append(events.map { $0.received(after: 200_000) }, to: app.id)
    try sandbox.succeed("aggregate")
    let rates = try sandbox.run("rates", "--split", "1:3")
    #expect(rates.err == "--split was not used: the comparison is observational.\n")
    #expect(rates.status == 0 && rates.out.contains("Observational: the events name no experiment."))
    let asItIs = try sandbox.succeed("power", "--app", "shop", "--uplift", "100%", "--design-effect", "1")
    #expect(
      asItIs.hasPrefix(
        """
        shop, all categories, 2026-11-02 to 2026-11-03 (2 closed days): 100.0 rich and 300.0 text-only delivered a day, \
        text-only rate 10.00 %, design effect
        """), "\(asItIs)")
    #expect(asItIs.contains("days of this traffic, as it is"))
    let split = try sandbox.succeed(
      "power", "--app", "shop", "--category", "news", "--uplift", "100%", "--split", "50:50",
      "--design-effect", "1")
    // 199 an arm at 200 a day.
    #expect(split.contains("rich                 199"), "\(split)")
    #expect(split.contains("→ 1 day of this traffic, split so"), "\(split)")
    let none = try sandbox.run("power", "--app", "shop", "--category", "chat", "--uplift", "100%")
    #expect(none.status == 1)
    #expect(none.err.contains("--base 8%"), "\(none.err)")
  }
}
