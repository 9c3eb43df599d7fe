import Foundation
import Postgres
import TestSupport
import Testing

/// Commands by logins that are members of the roles that these need, and of no others.
@Suite(.store) struct LoginTests {
  /// Lends a sandbox of the test's store whose login has these roles and no other.
  private func withLogin<Value>(_ roles: [String], _ body: (Sandbox) throws -> Value) throws -> Value {
    let superuser = try Connection(TestCluster.shared)
    let login = "login_\(UInt64.random(in: 0...(.max)))"
    try superuser.execute("create role \(identifier: login) login")
    defer { _ = try? superuser.execute("drop role \(identifier: login)") }
    for role in roles { try superuser.execute("grant \(identifier: role) to \(identifier: login)") }
    return try body(Sandbox(database: TestDatabase.current.with(user: login)))
  }

  private func makeStore() throws -> (sandbox: Sandbox, key: String) {
    let sandbox = try Sandbox(database: try TestDatabase.current)
    try sandbox.importSimulated(notifications: 50)
    try sandbox.succeed("aggregate")
    let key = try sandbox.succeed("key", "create", "--app", "shop", "--scope", "read")
    return (sandbox, key.trimmingCharacters(in: .newlines))
  }

  private func run(_ line: String, _ sandbox: Sandbox) throws -> Output {
    try sandbox.start(line.split(separator: " ").map(String.init)).output(within: .seconds(60))
  }

  @Test func eachCommandNeedsItsRoleAlone() throws {
    let (administrator, _) = try makeStore()
    let file = administrator.folder + "/more.ndjson"
    try Data().write(to: URL(fileURLWithPath: file))
    let commands = [
      "pushlift_analyst": [
        "rates", "rates --as-of 5", "rates --details", "trend", "actions", "replies", "verify", "key list",
        "category list", "deadletters list", "export",
      ],
      "pushlift_replies": ["export --with-replies", "export --device d"],
      "pushlift_aggregator": ["aggregate"],
      "pushlift_writer": ["import \(file) --app shop"],
      "pushlift_runtime": [
        "key create --app shop", "deadletters prune --older-than 90d", "erase --device d",
        "erase --check --device d",
      ],
    ]
    for (role, own) in commands {
      try withLogin([role]) { sandbox in
        for line in own {
          let output = try run(line, sandbox)
          #expect(output.status == 0, "\(role): \(line): \(output.err)")
        }
        // The one that administers is a member of those that do less.
        for (other, lines) in commands
        where other != role && (role != "pushlift_runtime" || other == "pushlift_replies") {
          let output = try run(lines[0], sandbox)
          #expect(output.status == 1, "\(role): \(lines[0])")
          #expect(
            output.err.contains("The login has to be a member of the role \(other)."),
            "\(role): \(lines[0]): \(output.err)")
        }
      }
    }
  }

  @Test func aServerNeedsNoMoreThanWhatItDoes() throws {
    let (_, reading) = try makeStore()
    try withLogin(["pushlift_writer", "pushlift_aggregator", "pushlift_reader"]) { sandbox in
      let server = try sandbox.start(["serve", "--port", "0"])
      let client = try server.client()
      #expect(try client.get("/readyz", [:]).status == 200)
      let page = try client.get("/dashboard", ["Authorization": "Bearer \(reading)"])
      #expect(page.status == 200 && page.text.contains("social_post"))
      server.send(SIGTERM)
      let output = try server.output(within: .seconds(20))
      #expect(output.status == 0)
      #expect(!output.err.contains("permission denied"), "\(output.err)")
    }
  }

  @Test func aServerThatLacksARoleLogsWhichOne() throws {
    let (administrator, _) = try makeStore()
    let admin = try administrator.succeed("key", "create", "--app", "shop", "--scope", "admin")
      .trimmingCharacters(in: .newlines)
    try withLogin(["pushlift_writer"]) { sandbox in
      let server = try sandbox.start(["serve", "--port", "0"])
      let answer = try server.client().exchange(
        Array(
          """
          DELETE /v1/devices/d HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nAuthorization: Bearer \(admin)\r\n\r\n
          """.utf8))
      #expect(answer.status == 503)
      server.send(SIGTERM)
      let log = try server.output(within: .seconds(20)).err.split(separator: "\n")
      for (message, role) in [
        ("erasure failed", "pushlift_runtime"), ("aggregation failed", "pushlift_aggregator"),
      ] {
        let line = try #require(log.first { $0.contains(message) }, "\(log)")
        #expect(line.contains("error.code") && line.contains("error.message"), "\(line)")
        #expect(line.contains("As an administrator: grant \(role) to login_"), "\(line)")
      }
    }
  }

  @Test func whoMaintainsNeedsTheOwnerAlone() throws {
    _ = try makeStore()
    try withLogin(["pushlift_owner"]) { sandbox in
      let out = try sandbox.succeed("maintain", "--keep-replies", "90d", "--keep-events", "400d")
      #expect(out.contains("texts of replies older than 90 days removed"), "\(out)")
    }
  }

  @Test func aLoginWithoutARoleIsToldWhatToGrant() throws {
    _ = try makeStore()
    try withLogin([]) { sandbox in
      for line in ["migrate", "serve"] {
        let output = try sandbox.run(line, environment: ["PUSHLIFT_SECRET": ""])
        #expect(output.status == 1)
        #expect(output.err.contains("grant pushlift_analyst to login_"), "\(output.err)")
        #expect(!FileManager.default.fileExists(atPath: sandbox.data))
      }
      let output = try run("rates", sandbox)
      #expect(output.status == 1 && output.err.contains("grant pushlift_analyst to login_"), "\(output.err)")
    }
  }

  @Test func whoMayNotMigrateIsToldWhoMay() throws {
    let (_, _) = try makeStore()
    try Connection(TestDatabase.current).execute(
      "delete from pushlift.schema_migration where version >= 28")
    try withLogin(["pushlift_analyst"]) { sandbox in
      let output = try run("rates", sandbox)
      #expect(output.status == 1)
      #expect(output.err.contains("let an administrator run pushlift migrate"), "\(output.err)")
    }
  }

  @Test func aMistypedAppIsToldOf() throws {
    let sandbox = try Sandbox(database: try TestDatabase.current)
    let first = try sandbox.run("key", "create", "--app", "shop")
    #expect(first.err == "made the app 'shop' with this key\n")
    #expect(try sandbox.run("key", "create", "--app", "shop").err == "")
    let mistyped = try sandbox.run("key", "create", "--app", "shpo")
    #expect(mistyped.status == 0 && mistyped.out.hasPrefix("pushlift_"))
    #expect(mistyped.err == "made the app 'shpo' with this key; there is also 'shop'\n")
    #expect(
      try sandbox.run("key", "create", "--app", "weather").err == "made the app 'weather' with this key\n")
  }
}
