import Arguments
import Testing

@Suite struct ParsingTests {
  @Test func everyFormOfAnOptionIsRead() throws {
    let parsed = try #require(
      SampleTree.rates(
        "--category news -c promo -cchat -c=x --category=a=b --window 7d --from=2026-11-30 --format json -qv -o out.csv"
      ).parsed)
    #expect(parsed.commandPath == ["pushlift", "rates"])
    #expect(parsed[SampleTree.database] == "postgres://h")
    #expect(parsed[SampleTree.category] == ["news", "promo", "chat", "x", "a=b"])
    #expect(parsed[SampleTree.window] == .seconds(7 * 86400))
    #expect(parsed[SampleTree.from] == CalendarDate(year: 2026, month: 11, day: 30))
    #expect(parsed[SampleTree.format] == .json)
    #expect(parsed[SampleTree.quiet] && parsed[SampleTree.verbose])
    #expect(parsed[SampleTree.output] == "out.csv")
  }

  @Test func whatIsNotGivenHasItsDefault() throws {
    let parsed = try #require(SampleTree.rates("").parsed)
    #expect(parsed[SampleTree.category] == [])
    #expect(parsed[SampleTree.window] == .seconds(86400))
    #expect(parsed[SampleTree.from] == nil)
    #expect(parsed[SampleTree.format] == .table)
    #expect(!parsed[SampleTree.quiet])
    #expect(!parsed.isGiven(SampleTree.window) && parsed.isGiven(SampleTree.database))
  }

  @Test func negativeNumbersAreValues() throws {
    #expect(try #require(SampleTree.rates("--offset -5").parsed)[SampleTree.offset] == -5)
    #expect(try #require(SampleTree.rates("--offset=-5").parsed)[SampleTree.offset] == -5)
    #expect(try #require(SampleTree.invocation("key create -.5").parsed)[SampleTree.name] == "-.5")
  }

  @Test func aLoneDashIsAnArgument() throws {
    let parsed = try #require(SampleTree.invocation("import a -q - b").parsed)
    #expect(parsed[SampleTree.files] == ["a", "-", "b"])
    #expect(parsed[SampleTree.quiet])
  }

  @Test func anOptionalArgumentMayBeLeftOut() throws {
    let short = try #require(SampleTree.invocation("key create web").parsed)
    #expect(short[SampleTree.name] == "web" && short[SampleTree.note] == nil)
    let long = try #require(SampleTree.invocation("key create web remark").parsed)
    #expect(long[SampleTree.note] == "remark")
  }

  @Test func anEmptyTextIsAValue() throws {
    let parsed = try #require(SampleTree.rates("--category=").parsed)
    #expect(parsed[SampleTree.category] == [""])
  }

  @Test func theCommandLineGoesBeforeTheEnvironmentAndThatBeforeTheDefault() throws {
    let environment = ["PUSHLIFT_WINDOW": "1h", "PUSHLIFT_QUIET": "1"]
    let fallback = try #require(SampleTree.rates("", environment: environment).parsed)
    #expect(fallback[SampleTree.window] == .seconds(3600) && fallback.isGiven(SampleTree.window))
    #expect(fallback[SampleTree.quiet])
    let given = try #require(SampleTree.rates("--window 2h", environment: environment).parsed)
    #expect(given[SampleTree.window] == .seconds(7200))
    let empty = try #require(SampleTree.rates("", environment: ["PUSHLIFT_WINDOW": ""]).parsed)
    #expect(empty[SampleTree.window] == .seconds(86400) && !empty.isGiven(SampleTree.window))
  }

  @Test func readingAnUndeclaredOptionStops() async {
    await #expect(processExitsWith: .failure) {
      let parsed = try #require(SampleTree.invocation("key list").parsed)
      _ = parsed[SampleTree.from]
    }
  }

  @Test func twoOptionsOfOneNameStop() async {
    await #expect(processExitsWith: .failure) {
      _ = Command("x", abstract: "", options: [SampleTree.quiet, SampleTree.quiet]) { _ in }
    }
  }

  @Test func theMatchedCommandRuns() async throws {
    struct Ran: Error {}
    let root = Command("tool", abstract: "A tool.", options: [SampleTree.quiet]) { parsed in
      if parsed[SampleTree.quiet] { throw Ran() }
    }
    guard case .run(let command, let parsed) = Invocation(root: root, arguments: ["-q"]) else {
      Issue.record("the root itself should run")
      return
    }
    let action = try #require(command.action)
    await #expect(throws: Ran.self) { try await action(parsed) }
  }
}
