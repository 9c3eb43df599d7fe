import Postgres
import TestSupport
import Testing

struct ConnectionConfigurationTests {
  @Test func aURLAndKeywordsAreReadAlike() throws {
    let url = try ConnectionConfiguration(
      "postgresql://ann:hunter2@db.example:6432/events?application_name=x")
    #expect(url.host == "db.example")
    #expect(url.user == "ann")
    #expect(url.database == "events")
    #expect(url.applicationName == "x")
    let keywords = try ConnectionConfiguration(
      "host=db.example port=6432 user=ann password=hunter2 dbname=events application_name=x")
    #expect(keywords == url)
  }

  @Test func noDescriptionShowsAPassword() throws {
    let configuration = try ConnectionConfiguration("postgresql://ann:hunter2@db.example/events").with(
      role: "writer")
    #expect(configuration.description == "host=db.example user=ann dbname=events role=writer")
    var dumped = ""
    dump(configuration, to: &dumped)
    for text in ["\(configuration)", String(reflecting: configuration), dumped, "\([configuration])"] {
      #expect(!text.contains("hunter2"))
    }
  }

  @Test func textThatIsNeitherIsRefusedWithoutQuotingIt() {
    for text in ["hunter2", "postgres://ann:%zzhunter2@db", "host=a\0hunter2"] {
      let error = #expect(throws: PostgresError.self) { try ConnectionConfiguration(text) }
      #expect(error?.kind == .usage)
      #expect(error?.description.contains("hunter2") == false)
    }
  }

  @Test func theEnvironmentNamesADatabaseOrNone() {
    #expect(ConnectionConfiguration(environment: [:]) == nil)
    #expect(ConnectionConfiguration(environment: ["PGUSER": "ann", "PGHOST": ""]) == nil)
    let named = ConnectionConfiguration(environment: [
      "PGHOST": "db", "PGUSER": "ann", "PGDATABASE": "events",
    ])
    #expect(named?.description == "host=db user=ann dbname=events")
  }

  @Test(.database) func settingsHoldFromTheStartOfTheSession() throws {
    let configuration = try TestDatabase.current.with(setting: "statement_timeout", "1234")
      .with(setting: "search_path", "\"my schema\", public").with(applicationName: "it's \\ me")
    let connection = try Connection(configuration)
    func setting(_ name: String) throws -> String {
      try connection.value(of: "select current_setting(\(name))")
    }
    #expect(try setting("statement_timeout") == "1234ms")
    #expect(try setting("search_path") == "\"my schema\", public")
    #expect(try setting("application_name") == "it's \\ me")
    #expect(try setting("client_encoding") == "UTF8")
  }

  @Test(.database) func aResetRoleReturnsToTheSessionsRole() throws {
    let owner = try Connection(TestDatabase.current)
    let role = "runtime \(UInt32.random(in: 0...(.max)))"
    try owner.execute("create role \(identifier: role)")
    defer { #expect(throws: Never.self) { try owner.execute("drop role \(identifier: role)") } }
    let connection = try Connection(TestDatabase.current.with(role: role))
    #expect(try connection.value(of: "select current_user::text", as: String.self) == role)
    try connection.script("set role postgres; reset role")
    #expect(try connection.value(of: "select current_user::text", as: String.self) == role)
  }
}
