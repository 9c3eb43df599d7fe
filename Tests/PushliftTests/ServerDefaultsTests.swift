import Foundation
import Postgres
import TestSupport
import Testing

/// Servers, databases and logins with other defaults than Postgres comes with.
@Suite(.store) struct ServerDefaultsTests {
  private static let odd = [
    // Far less than any job takes.
    ["statement_timeout": "1ms"], ["lock_timeout": "1ms"],
    ["idle_in_transaction_session_timeout": "1ms", "idle_session_timeout": "1ms"],
    ["default_transaction_isolation": "serializable", "default_transaction_deferrable": "on"],
    ["standard_conforming_strings": "off"], ["row_security": "off"],
    [
      "DateStyle": "SQL, DMY", "IntervalStyle": "iso_8601", "bytea_output": "escape",
      "TimeZone": "America/Los_Angeles", "extra_float_digits": "-15", "search_path": "nowhere",
      "quote_all_identifiers": "on", "transform_null_equals": "on", "array_nulls": "off",
      "synchronous_commit": "off",
    ],
  ]

  private static let commands = [
    "aggregate", "rebuild", "verify", "maintain", "rates --format json",
    "rates --zone Asia/Kolkata --format json",
    "rates --as-of 50 --format json", "trend --format csv", "export",
    "frame add --app shop --zone Asia/Tokyo --window 1h",
    "frame remove --app shop --zone Asia/Tokyo --window 1h", "erase --app shop --device nobody",
    "key create --app shop",
    "nightly --output reports", "migrate",
  ]

  @Test(arguments: odd) func noCommandMindsThem(defaults: [String: String]) throws {
    let sandbox = try Sandbox(database: try TestDatabase.current)
    try sandbox.importSimulated(notifications: 300)
    try sandbox.succeed("aggregate")
    let reports = Self.commands.filter { $0.hasPrefix("rates") || $0.hasPrefix("trend") || $0 == "export" }
    func read(_ line: String) throws -> String {
      try sandbox.succeed(line.split(separator: " ").map(String.init))
    }
    let before = try reports.map(read)
    let superuser = try Connection(TestDatabase.current)
    let name = try superuser.value(of: "select current_database()", as: String.self)
    for (setting, value) in defaults {
      let list = setting == "search_path" || setting == "DateStyle"
      try superuser.script(
        "alter database \"\(name)\" set \(setting) = \(list ? value : "'\(value)'")")
    }
    for line in Self.commands {
      let output = try sandbox.run(line.split(separator: " ").map(String.init))
      #expect(output.status == 0, "\(line): \(output.err)")
    }
    #expect(try reports.map(read) == before)
  }

  /// It is somebody's wish, and is not gone against; nor is a standby's.
  @Test func aDatabaseThatTakesNothingNewSaysWhatToDo() throws {
    let sandbox = try Sandbox(database: try TestDatabase.current)
    try sandbox.importSimulated(notifications: 30)
    let superuser = try Connection(TestDatabase.current)
    let name = try superuser.value(of: "select current_database()", as: String.self)
    try superuser.script("alter database \"\(name)\" set default_transaction_read_only = on")
    for line in [
      ["aggregate"], ["rebuild"], ["key", "create", "--app", "shop"], ["erase", "--device", "x"],
    ] {
      let output = try sandbox.run(line)
      #expect(output.status == 1)
      #expect(
        output.err.hasSuffix(
          "let --database name the primary; where default_transaction_read_only is on, turn it off.\n"),
        "\(line): \(output.err)")
    }
    #expect(try sandbox.run("rates").status == 0)
  }

  /// As PgBouncer answers unless it is told to leave the options out.
  @Test func aPoolerOnTheWayIsNamed() throws {
    let pooler = try SocketServer { connection in
      guard connection.read() != nil else { return }
      let said = Array("SFATAL\0C08P01\0Munsupported startup parameter: options\0\0".utf8)
      connection.write([UInt8(ascii: "E"), 0, 0, 0, UInt8(said.count + 4)] + said)
    }
    let sandbox = try Sandbox()
    let database = "postgresql://nobody@127.0.0.1:\(pooler.port)/store?sslmode=disable&gssencmode=disable"
    for line in [["rates"], ["migrate"], ["key", "create", "--app", "shop"], ["serve", "--port", "0"]] {
      let output = try sandbox.run(line, environment: ["PUSHLIFT_DATABASE": database])
      #expect(output.status == 1)
      #expect(
        output.err.contains("There is a pooler (such as PgBouncer) on the way to Postgres"), "\(output.err)")
      #expect(output.err.contains("let --database name Postgres itself."))
    }
  }
}
