import Arguments
import Testing

@Suite struct UsageErrorTests {
  @Test(arguments: [
    ("--categry x", "unknown option '--categry'; did you mean '--category'?"),
    ("--cat x", "unknown option '--cat'; did you mean '--category'?"),
    ("-category=news", "unknown option '-category'; did you mean '--category'?"),
    ("--wrongly", "unknown option '--wrongly'."),
    ("-x", "unknown option '-x'."),
    ("--window", "'--window' needs a value: --window <duration>."),
    (
      "--window --quiet",
      "'--window' needs a value, but '--quiet' follows; if that is the value, write '--window=--quiet'."
    ),
    ("-o -q", "'-o' needs a value, but '-q' follows; if that is the value, write '--output=-q'."),
    ("--window 1h --window=2h", "'--window' is given twice; it may be given once."),
    ("-q --quiet", "'--quiet' is given twice; it may be given once."),
    ("--quiet=yes", "'--quiet' takes no value, but 'yes' is attached to it."),
    ("--window 24", "'24' is no value for '--window'; expected a duration such as 90s, 5m, 24h or 30d."),
    (
      "--from 2026-02-29",
      "'2026-02-29' is no value for '--from'; expected a date of the calendar such as 2026-11-30."
    ),
    ("--format xml", "'xml' is no value for '--format'; expected table, csv or json."),
    ("--offset 11", "'11' is no value for '--offset'; expected an integer from -10 to 10."),
    ("--offset 1.5", "'1.5' is no value for '--offset'; expected an integer from -10 to 10."),
    ("--confidence nan", "'nan' is no value for '--confidence'; expected a number from 0.5 to 0.9999."),
    ("--output=", "'' is no value for '--output'; expected a path."),
    ("extra", "unexpected argument 'extra'."),
  ])
  func aFaultyLineNamesTheWord(line: String, message: String) {
    let expected = "Error: \(message)\nSee 'pushlift rates --help'."
    #expect(SampleTree.rates(line).error == expected)
  }

  @Test(arguments: [
    ("rate", "unknown command 'rate'; did you mean 'rates'?", "pushlift"),
    ("xyzzy", "unknown command 'xyzzy'; the commands are rates, key, days, import.", "pushlift"),
    ("key craete", "unknown command 'craete'; did you mean 'create'?", "pushlift key"),
    ("help rtaes", "unknown command 'rtaes'; did you mean 'rates'?", "pushlift"),
    ("--quiet import", "'--quiet' stands before a command; write 'pushlift <command> --quiet'.", "pushlift"),
    ("key create", "missing argument '<name>'.", "pushlift key create"),
    ("key create a b c", "unexpected argument 'c'.", "pushlift key create"),
    ("import", "missing argument '<file>'.", "pushlift import"),
    (
      "rates", "missing option '--database': give --database <url>, or set PUSHLIFT_DATABASE.",
      "pushlift rates"
    ),
  ])
  func aFaultyCommandNamesTheWord(line: String, message: String, path: String) {
    #expect(SampleTree.invocation(line).error == "Error: \(message)\nSee '\(path) --help'.")
  }

  @Test func anErrorFromTheEnvironmentNamesTheVariable() {
    let error = SampleTree.rates("", environment: ["PUSHLIFT_WINDOW": "soon"]).error
    #expect(
      error == """
        Error: 'soon' is no value for the environment variable PUSHLIFT_WINDOW (for '--window'); expected a duration such as 90s, 5m, 24h or 30d.
        See 'pushlift rates --help'.
        """)
    let flag = SampleTree.rates("", environment: ["PUSHLIFT_QUIET": "maybe"]).error
    #expect(flag?.contains("PUSHLIFT_QUIET (for '--quiet'); expected 1, true, 0 or false.") == true)
  }

  @Test func aFaultyURLIsNotRepeatedSinceItMayHoldAPassword() throws {
    let error = try #require(SampleTree.invocation("rates --database mysql://me:secret@host").error)
    #expect(
      error.contains("'--database' is not valid; expected a URL that starts with postgres:// or")
    )
    #expect(!error.contains("secret"))
  }

  @Test func ofSeveralValuesTheWrongOneIsNamed() {
    let error = SampleTree.invocation("days 2026-11-29 2026-11-31 2026-11-30").error
    #expect(error?.hasPrefix("Error: '2026-11-31' is no value for '<day>';") == true)
  }

  @Test func theExitCodeIsTheOneForUsage() {
    #expect(UsageError.exitCode == 64)
  }

  @Test func aCommandsOwnUsageErrorNamesTheCommand() throws {
    let parsed = try #require(SampleTree.rates("").parsed)
    let error = parsed.usageError("--from is after --to.")
    #expect(error.description == "Error: --from is after --to.\nSee 'pushlift rates --help'.")
  }
}
