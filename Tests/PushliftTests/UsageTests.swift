import Foundation
import TestSupport
import Testing

/// What the command line says to those who ask, and to those who mistype.
@Suite struct UsageTests {
  private static let commands: [[String]] = [
    [], ["doctor"], ["erase"], ["demo"], ["serve"], ["key"], ["key", "create"], ["key", "list"],
    ["key", "revoke"], ["aggregate"],
    ["rates"],
    ["nightly"], ["import"], ["export"], ["deadletters"], ["deadletters", "list"], ["deadletters", "show"],
    ["deadletters", "replay"], ["deadletters", "prune"], ["simulate"], ["migrate"], ["key", "list"],
    ["key", "revoke"], ["deadletters"], ["deadletters", "list"],
    ["deadletters", "show"], ["deadletters", "replay"], ["import"], ["export"], ["doctor"], ["config"],
    ["config", "show"],
    ["compare"], ["power"], ["payload"], ["payload", "lint"], ["payload", "make"], ["verify"], ["rebuild"],
    ["maintain"], ["frame"], ["frame", "add"], ["frame", "list"], ["frame", "remove"], ["category"],
    ["category", "import"], ["category", "list"], ["category", "lint"],
    ["trend"], ["actions"], ["replies"], ["watch"], ["completions"],
  ]

  @Test func everyCommandHasHelp() throws {
    let sandbox = try Sandbox()
    for command in Self.commands {
      for arguments in [command + ["--help"], command + ["-h"], ["help"] + command] {
        let output = try sandbox.start(arguments).output(within: .seconds(30))
        #expect(output.status == 0, "\(arguments)")
        #expect(output.out.contains("USAGE: \((["pushlift"] + command).joined(separator: " "))"))
        #expect(output.err.isEmpty)
      }
    }
    // A command that joins is tested as well.
    let listed = try sandbox.succeed("--help").split(separator: "\n").drop { $0 != "COMMANDS:" }.dropFirst()
      .filter { $0.hasPrefix("  ") && !$0.hasPrefix("   ") }.compactMap {
        $0.split(separator: " ").first.map(String.init)
      }
    #expect(Set(listed) == Set(Self.commands.compactMap(\.first)))
    #expect(try sandbox.succeed("--version").firstMatch(of: /^\d+\.\d+\.\d+\n$/) != nil)
  }

  /// What was typed, and a word that the message has to hold.
  @Test(arguments: [
    (["category", "lint"], "--app"), (["category", "lint", "a", "b", "--app", "x"], "one file"),
    (["category", "import"], "file"), (["category", "lnt"], "lint"), (["payload", "lint"], "file"),
    (["payload", "lint", "a.json", "--media-key", ""], "payload.picture"),
    (["payload", "lint", "a.json", "--media-key", " "], "payload.picture"),
    (["category", "import", "c.json", "--dryrun"], "--dry-run"),
    (["serv"], "serve"), (["frobnicate"], "frobnicate"), (["rates", "--form", "csv"], "--format"),
    (["rates", "--format", "xml"], "table, csv"), (["rates", "--from", "yesterday"], "--from"),
    (["rates", "--from", "2026-02-30"], "--from"),
    (["rates", "--from", "2026-03-02", "--to", "2026-03-01"], "before"),
    (["rates", "--metric", "clicks"], "interaction, expansion"),
    (["rates", "--metric", "action:"], "action:ID"),
    (["rates", "--window", "5s"], "1m"), (["rates", "--window", "31d"], "30d"),
    (["rates", "--window", "day"], "--window"),
    (["rates", "--details", "--format", "csv"], "json"), (["rates", "--as-of", "-1"], "--as-of"),
    (["maintain", "--keep-events", "10d"], "35d"), (["rates", "extra"], "extra"), (["nightly"], "--output"),
    (["nightly", "--output"], "--output"), (["nightly", "--verify", "x", "--output", "y"], "--output"),
    (["rates", "--bom"], "csv"),
    (["rates", "--compare", "previous"], "--from"),
    (["rates", "--compare", "2026-11-02..2026-11-01"], "previous"),
    (["rates", "--compare", "2026-11-01..2026-11-02", "--details"], "--details"),
    (["trend", "--bom"], "csv"),
    (["replies", "--metric", "open"], "--metric"), (["completions", "tcsh"], "bash, zsh"),
    (["watch", "--interval", "0s"], "1s"), (["serve", "--open-dashboard", "--host", "0.0.0.0"], "127.0.0.1"),
    (["key", "create"], "--app"), (["key", "create", "--app", "x", "--scope", "root"], "write, read"),
    (["serve", "--port", "70000"], "65535"), (["serve", "--port", "http"], "--port"),
    (["simulate"], "--output"), (["simulate", "--notifications", "0", "--output", "x"], "--notifications"),
    (["simulate", "--output", "x", "--post", "http://127.0.0.1:1"], "--output"),
    (["simulate", "--post", "http://127.0.0.1:1"], "--key"),
    (["simulate", "--post", "127.0.0.1:1", "--key", "k"], "http://"),
    (["migrate", "--database", "mysql://x"], "postgres://"),
    (["demo", "--notifications", "-5"], "--notifications"),
    (["rates", "--database", "nonsense"], "such as postgres://"),
    (["key", "create", "--app", ""], "1 to 128"),
    (["deadletters", "prune", "--older-than", "0d"], "24h"),
  ])
  func whatIsMistypedIsNamed(arguments: [String], word: String) throws {
    let output = try Sandbox().start(arguments).output(within: .seconds(30))
    #expect(output.status == 64, "\(arguments): \(output.err)")
    #expect(output.err.contains(word), "\(output.err)")
    #expect(output.out.isEmpty)
  }

  /// Commands that need a store, and one that cannot be reached.
  @Test(arguments: [
    ["rates"], ["aggregate"], ["migrate"], ["key", "create", "--app", "x"], ["nightly", "--output", "x"],
    ["serve", "--port", "0"],
  ])
  func aStoreThatFailsIsAnError(arguments: [String]) throws {
    let url = "postgresql://nobody:hunter2@127.0.0.1:1/none"
    let output = try Sandbox().start(arguments, ["PUSHLIFT_DATABASE": url]).output(within: .seconds(60))
    #expect(output.status == 1)
    #expect(output.out.isEmpty)
    #expect(output.err.contains("cannot be reached"), "\(output.err)")
    #expect(!output.err.contains("hunter2"))
  }
}

/// Settings beside the command line.
struct ConfigTests {
  @Test func configShowTellsEachSettingAndWhereItComesFrom() throws {
    let sandbox = try Sandbox()
    try Data("rate-limit = 500\ntrusted-proxy = 10.0.0.0/8\ntrusted-proxy = 127.0.0.1\n".utf8).write(
      to: URL(fileURLWithPath: sandbox.folder + "/shop.conf"))
    let environment = [
      "PUSHLIFT_CONFIG": "shop.conf", "PUSHLIFT_PORT": "9000", "PUSHLIFT_DATABASE": "postgres://u:hidden@h/d",
    ]
    let output = try sandbox.run(
      "config", "show", "--host", "::1", "--format", "csv", environment: environment)
    #expect(output.status == 0, "\(output.err)")
    let lines = output.out.split(separator: "\r\n").map(String.init)
    for line in [
      "setting,value,from", "rate-limit,500,\"shop.conf, line 1\"",
      "trusted-proxy,\"10.0.0.0/8, 127.0.0.1\",\"shop.conf, line 2\"", "port,9000,PUSHLIFT_PORT",
      "host,::1,command line", "request-timeout,30s,default",
      "database,host=h user=u dbname=d,PUSHLIFT_DATABASE",
    ] { #expect(lines.contains(line), "\(line) in \(lines)") }
    #expect(!output.out.contains("hidden"))
    let faulty = try sandbox.run(
      "config", "show", "--format", "csv", environment: ["PUSHLIFT_DATABASE": "postgres://[hidden"])
    #expect(faulty.status == 0 && !faulty.out.contains("[hidden"), "\(faulty.out)\(faulty.err)")
    #expect(faulty.out.contains(/database,.*cannot be read.*,PUSHLIFT_DATABASE\r\n/), "\(faulty.out)")
    let bare = try sandbox.run("config", "show", "--data", "shop", "--format", "csv")
    for line in [
      "database,pushlift's own Postgres in the data folder,default\r\n",
      "data,\(sandbox.folder)/shop,command line\r\n",
    ] { #expect(bare.out.contains(line), "\(line) in \(bare.out)") }
  }

  @Test func aFaultInTheFileIsNamedByEveryCommandThatReadsIt() throws {
    let sandbox = try Sandbox()
    try Data("rate-limt = 500\n".utf8).write(to: URL(fileURLWithPath: sandbox.folder + "/shop.conf"))
    let output = try sandbox.run("serve", "--port", "0", environment: ["PUSHLIFT_CONFIG": "shop.conf"])
    #expect(output.status == 64)
    #expect(
      output.err.hasPrefix(
        "Error: shop.conf, line 1: there is no setting 'rate-limt'; did you mean 'rate-limit'?"))
    let missing = try sandbox.run("config", "show", environment: ["PUSHLIFT_CONFIG": "none.conf"])
    #expect(missing.status == 64)
    #expect(
      missing.err.contains("none.conf cannot be read (No such file or directory); PUSHLIFT_CONFIG names it."))
    for line in [
      ["--help"], ["help"], ["serve", "--help"], ["--version"], [], ["completions", "bash"],
      ["compare", "120/1000", "90/1000"],
    ] {
      let other = try sandbox.start(line, ["PUSHLIFT_CONFIG": "shop.conf"]).output(within: .seconds(30))
      #expect(other.status == 0, "\(line): \(other.err)")
    }
  }
}
