import Arguments
import Testing

@Suite struct HelpTests {
  @Test func theRootListsItsCommands() {
    let expected = """
      OVERVIEW: Measure what rich notifications do.

      USAGE: pushlift <command>

      OPTIONS:
            --version  Show the version.
        -h, --help     Show this help.

      COMMANDS:
        rates   Compare rich with text-only notifications, per category.
        key     Manage write keys.
        days    Show days.
        import  Read events from files.

      See 'pushlift help <command>' for detailed help.
      """
    for line in ["", "--help", "-h", "help"] {
      #expect(SampleTree.invocation(line).output == expected)
    }
  }

  @Test func aCommandListsItsOptionsAlignedAndWrapped() {
    let expected = """
      OVERVIEW: Compare rich with text-only notifications, per category.

      Each notification on each device counts once.

      A category without interactions is shown too.

      USAGE: pushlift rates --database <url> [--category <category> ...]
              [--window <duration>] [--from <date>] [--format <table|csv|json>]
              [--offset <integer>] [--confidence <number>] [--output <path>] [--quiet]
              [--verbose]

      OPTIONS:
            --database <url>        The database. (required; environment:
                                    PUSHLIFT_DATABASE)
        -c, --category <category>   Count only this category. (may be repeated)
            --window <duration>     How long after its delivery an interaction still
                                    counts for a notification. (default: 24h;
                                    environment: PUSHLIFT_WINDOW)
            --from <date>           The first day of deliveries.
            --format <table|csv|json>
                                    The layout. (default: table)
            --offset <integer>      Hours to shift by. (default: 0)
            --confidence <number>   Coverage. (default: 0.95)
        -o, --output <path>         The file to write.
        -q, --quiet                 Print nothing but errors. (environment:
                                    PUSHLIFT_QUIET)
        -v, --verbose               Print more.
            --version               Show the version.
        -h, --help                  Show this help.

      EXAMPLES:
        pushlift rates --category news --window 24h
      """
    #expect(SampleTree.invocation("rates --help").output == expected)
  }

  @Test(arguments: ["help key create", "key help create", "key create --help", "key create x y z --bad -h"])
  func everyWayToAskForACommandsHelpGivesTheSame(line: String) {
    let expected = """
      OVERVIEW: Create a key.

      USAGE: pushlift key create <name> [<note>]

      ARGUMENTS:
        <name>  The key's name.
        <note>  A remark.

      OPTIONS:
            --version  Show the version.
        -h, --help     Show this help.
      """
    #expect(SampleTree.invocation(line).output == expected)
  }

  @Test func aGroupWithoutASubcommandShowsItsHelp() throws {
    let text = try #require(SampleTree.invocation("key").output)
    #expect(text.hasPrefix("OVERVIEW: Manage write keys.\n\nUSAGE: pushlift key <command>"))
    #expect(text.hasSuffix("See 'pushlift help key <command>' for detailed help."))
  }

  @Test func theVersionIsPrintedAnywhere() {
    #expect(SampleTree.invocation("--version").output == "1.2.3")
    #expect(SampleTree.invocation("rates --version").output == "1.2.3")
  }

  @Test func helpAfterTheEndOfOptionsIsAnArgument() throws {
    let parsed = try #require(SampleTree.invocation("import -- --help -h").parsed)
    #expect(parsed[SampleTree.files] == ["--help", "-h"])
  }

  @Test func noLineIsWiderThanAskedFor() throws {
    for columns in [60, 80, 100] {
      let invocation = Invocation(root: SampleTree.root, arguments: ["rates", "-h"], columns: columns)
      let lines = try #require(invocation.output).split(separator: "\n")
      #expect(lines.allSatisfy { $0.count <= columns })
    }
  }
}
