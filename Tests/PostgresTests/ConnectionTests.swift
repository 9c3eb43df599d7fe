import Foundation
import Postgres
import TestSupport
import Testing

@Suite(.database)
struct ConnectionTests {
  @Test func aStatementTellsHowManyRowsItChanged() throws {
    let connection = try Connection(TestDatabase.current)
    try connection.script("create table t (a bigint); insert into t values (1), (2), (3);")
    #expect(try connection.execute("update t set a = a + 1 where a > \(1)") == 2)
    #expect(try connection.execute("create index on t (a)") == 0)
  }

  @Test func rowsAreReadByPlaceAndByName() throws {
    let connection = try Connection(TestDatabase.current)
    let rows = try connection.query("select 7 as n, 'x' as \"Name\" union all select 8, 'y' order by 1")
    #expect(rows.count == 2)
    #expect(rows.columnNames == ["n", "Name"])
    #expect(try rows.map { try $0.value("n", as: Int.self) } == [7, 8])
    #expect(try rows.first { try $0.value(1, as: String.self) } == "x")
    #expect(try rows.map { try $0.value("Name", as: String.self) } == ["x", "y"])
    let none = try connection.query("select 1 where false")
    #expect(try none.first { try $0.value(0, as: Int.self) } == nil)
  }

  @Test func aWrongColumnTypeOrNullNamesTheColumnAndBothTypes() throws {
    let connection = try Connection(TestDatabase.current)
    let rows = try connection.query("select 'x'::text as word, null::bigint as gap, 1.5::numeric as price")
    func failure(_ read: (borrowing Row) throws -> Void) -> PostgresError? {
      do {
        try rows.forEach(read)
        return nil
      } catch {
        return error as? PostgresError
      }
    }
    let wrong = failure { _ = try $0.value("word", as: Int.self) }
    #expect(wrong?.kind == .decoding)
    #expect(wrong?.column == "word")
    #expect(wrong?.message == "column \"word\": expected Int64, found text")
    #expect(
      failure { _ = try $0.value("gap", as: Int.self) }?.message
        == "column \"gap\": expected Int64, found NULL")
    #expect(failure { _ = try $0.value("price", as: Double.self) }?.message.contains("numeric") == true)
    #expect(failure { _ = try $0.value("other", as: Int.self) }?.message.contains("other") == true)
    #expect(failure { _ = try $0.value(3, as: Int.self) }?.kind == .decoding)
  }

  @Test func aFailedStatementTellsItsStateAndConstraintButNoData() throws {
    let connection = try Connection(TestDatabase.current)
    try connection.script("create table secrets (word text constraint one_word unique)")
    try connection.execute("insert into secrets values (\("hunter2"))")
    let error = #expect(throws: PostgresError.self) {
      try connection.execute("insert into secrets values (\("hunter2"))")
    }
    #expect(error?.kind == .server(sqlState: "23505"))
    #expect(error?.constraint == "one_word")
    #expect(error?.table == "secrets")
    #expect(error?.detail?.contains("hunter2") == true)
    #expect(error?.description.contains("hunter2") == false)
    #expect(error?.description.contains("insert into secrets values ($1)") == true)
    #expect(error?.isRetryable == false)

    let cast = #expect(throws: PostgresError.self) {
      try connection.execute("select \("hunter2")::text::int")
    }
    #expect(cast?.sqlState == "22P02")
    #expect(cast?.description.contains("hunter2") == false)
  }

  @Test func aTerminatedSessionIsALostConnection() throws {
    let victim = try Connection(TestDatabase.current)
    let other = try Connection(TestDatabase.current)
    let process = victim.backendProcessID
    let isAlive = victim.isAlive
    #expect(isAlive)
    try other.execute("select pg_terminate_backend(\(Int32(process)))")
    poll(upTo: .seconds(10), "the closed connection is noticed") { !victim.isAlive }
    let error = #expect(throws: PostgresError.self) { try victim.execute("select 1") }
    #expect(error?.isConnectionLost == true)
    #expect(error?.isRetryable == true)
  }

  @Test func aSessionThatEndsAmidAStatementIsALostConnection() throws {
    let connection = try Connection(TestDatabase.current)
    let error = #expect(throws: PostgresError.self) {
      try connection.execute("select pg_terminate_backend(pg_backend_pid())")
    }
    #expect(error?.kind == .connectionLost)
    #expect(error?.sqlState == "57P01")
    let isAlive = connection.isAlive
    #expect(!isAlive)
  }

  @Test func noServerAtTheAddressIsAnErrorThatNamesIt() throws {
    let nowhere = ConnectionConfiguration(host: "/nonexistent", user: "u", password: "hunter2")
    let error = #expect(throws: PostgresError.self) { _ = try Connection(nowhere) }
    #expect(error?.kind == .cannotConnect)
    #expect(error?.description.contains("/nonexistent") == true)
    #expect(error?.description.contains("hunter2") == false)
  }

  @Test func aPreparedStatementIsReusedAndSurvivesASchemaChange() throws {
    let connection = try Connection(TestDatabase.current)
    try connection.script("create table t (a bigint); insert into t values (1);")
    func read() throws -> [String] {
      let statement: SQL = "select * from t where a = \(1)"
      return try connection.query(statement.prepared).columnNames
    }
    #expect(try read() == ["a"])
    #expect(try read() == ["a"])
    #expect(try connection.value(of: "select count(*) from pg_prepared_statements", as: Int.self) == 1)
    try connection.execute("alter table t add column b text")
    #expect(try read() == ["a", "b"])
    try connection.execute("deallocate all")
    #expect(try read() == ["a", "b"])
  }

  @Test func anotherThreadCancelsAStatement() throws {
    let configuration = try TestDatabase.current
    let connection = try Connection(configuration)
    let canceller = connection.canceller
    let process = connection.backendProcessID
    let thread = Thread {
      guard let watcher = try? Connection(configuration) else { return }
      poll(upTo: .seconds(10), "the statement runs") {
        try! watcher.value(
          of:
            "select exists (select from pg_stat_activity where pid = \(process) and query like '%pg_sleep%')")
      }
      canceller.cancel()
    }
    thread.start()
    let error = #expect(throws: PostgresError.self) { try connection.execute("select pg_sleep(60)") }
    #expect(error?.sqlState == "57014")
    #expect(try connection.value(of: "select 1", as: Int.self) == 1)
  }

  @Test func copyAndZeroBytesAreRefusedWhereTheyDoNotBelong() throws {
    let connection = try Connection(TestDatabase.current)
    try connection.script("create table t (a bigint)")
    for statement in ["copy t from stdin", "copy t to stdout"] {
      let error = #expect(throws: PostgresError.self) { try connection.execute(SQL(unsafeRaw: statement)) }
      #expect(error?.kind == .usage)
      #expect(throws: PostgresError.self) { try connection.script(statement) }
    }
    #expect(throws: PostgresError.self) { try connection.execute("select 1\0 drop table t") }
    #expect(try connection.value(of: "select count(*) from t", as: Int.self) == 0)
  }
}
