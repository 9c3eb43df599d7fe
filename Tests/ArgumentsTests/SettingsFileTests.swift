import Testing

@testable import Arguments

/// A file of settings stands between the environment and the defaults.
struct SettingsFileTests {
  private func file(_ text: String) throws -> SettingsFile {
    try SettingsFile(path: "shop.conf", text: text, for: SampleTree.root)
  }

  private func rates(
    _ line: String = "", environment: [String: String] = [:], file text: String
  ) throws -> Invocation {
    let file = try file(text)
    return Invocation(
      root: SampleTree.root, arguments: ["rates"] + line.split(separator: " ").map(String.init),
      environment: environment, settings: { () throws(UsageError) -> SettingsFile? in file }, columns: 80)
  }

  @Test func theCommandLineGoesBeforeTheEnvironmentAndThatBeforeTheFile() throws {
    let text = "# Our shop\n\ndatabase = postgres://file\r\n  window=\"2h\"\nquiet = true"
    let plain = try #require(try rates(file: text).parsed)
    #expect(plain[SampleTree.database] == "postgres://file")
    #expect(plain[SampleTree.window] == .seconds(7_200))
    #expect(plain[SampleTree.quiet])
    #expect(plain.origin(of: SampleTree.window) == .file("shop.conf", line: 4))
    #expect(plain.origin(of: SampleTree.format) == .byDefault)
    #expect(plain.texts(of: SampleTree.format) == ["table"])
    #expect(plain.isGiven(SampleTree.quiet))

    let environment = ["PUSHLIFT_DATABASE": "postgres://environment", "PUSHLIFT_WINDOW": ""]
    let mixed = try #require(try rates(environment: environment, file: text).parsed)
    #expect(mixed[SampleTree.database] == "postgres://environment")
    #expect(mixed.origin(of: SampleTree.database) == .environment("PUSHLIFT_DATABASE"))
    #expect(mixed[SampleTree.window] == .seconds(7_200))

    let given = try #require(try rates("--window 3h", environment: environment, file: text).parsed)
    #expect(given[SampleTree.window] == .seconds(10_800))
    #expect(given.origin(of: SampleTree.window) == .commandLine)
  }

  @Test(arguments: [
    ("window 2h", "shop.conf, line 1: 'window 2h' is no setting; write name = value."),
    ("\nwindwo = 2h", "shop.conf, line 2: there is no setting 'windwo'; did you mean 'window'?"),
    // An option that says what to do once is no setting.
    ("from = 2026-01-01", "shop.conf, line 1: there is no setting 'from'; pushlift config show lists them."),
    (
      "window = 1h\n#\nwindow = 2h",
      "shop.conf, line 3: 'window' is set in line 1 already; it may be set once."
    ),
  ])
  func aLineThatIsNoSettingIsNamed(_ text: String, _ message: String) {
    let error = #expect(throws: UsageError.self) { try file(text) }
    #expect(error?.message == message)
  }

  @Test func aValueThatCannotBeIsNamedWithItsLine() throws {
    let error = try rates(file: "database = postgres://h\nwindow = soon").error
    #expect(
      error?.hasPrefix("Error: 'soon' is no value for 'window' in shop.conf, line 2; expected ") == true)
    #expect(try rates(file: "database = secret words").error?.contains("secret words") == false)
  }
}
