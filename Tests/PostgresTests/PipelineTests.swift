import Postgres
import TestSupport
import Testing

@Suite(.database)
struct PipelineTests {
  private func makeTable() throws -> Connection {
    let connection = try Connection(TestDatabase.current)
    try connection.script("create table t (a bigint primary key)")
    return connection
  }

  private func values() throws -> [Int64] {
    try Connection(TestDatabase.current).query("select a from t order by a").map { row in try row.value(0) }
  }

  private func insert(_ values: Int64...) -> SQL {
    var column = ColumnBuilder<Int64>()
    for value in values { column.append(value) }
    return "insert into t select unnest(\(column))"
  }

  @Test func statementsSentTogetherAreOneTransaction() throws {
    let connection = try makeTable()
    try connection.executeTogether([insert(1, 2), "select 1", insert(3)])
    let status = connection.transactionStatus
    #expect(status == .idle)
    #expect(try values() == [1, 2, 3])
    // Once more, now that all of them are prepared.
    try connection.executeTogether([insert(4, 5), "select 1", insert(6)])
    #expect(try values() == [1, 2, 3, 4, 5, 6])
  }

  @Test(arguments: 0..<3)
  func whereOneFailsNothingHappens(_ place: Int) throws {
    let connection = try makeTable()
    try connection.executeTogether([insert(7)])
    var statements = [insert(1), insert(2), insert(3)]
    statements[place] = insert(8, 7)
    let error = #expect(throws: PostgresError.self) { try connection.executeTogether(statements) }
    #expect(error?.sqlState == "23505")
    let status = connection.transactionStatus
    #expect(status == .idle)
    #expect(try values() == [7])
    try connection.executeTogether([insert(9)])
    #expect(try connection.value(of: "select count(*) from t", as: Int.self) == 2)
  }

  @Test func aStatementThatDoesNotParseIsNamed() throws {
    let connection = try makeTable()
    let error = #expect(throws: PostgresError.self) {
      try connection.executeTogether([insert(1), "insert into nowhere values (1)"])
    }
    #expect(error?.sqlState == "42P01")
    #expect(try values() == [])
    try connection.executeTogether([insert(1)])
    #expect(try values() == [1])
  }

  @Test func withinATransactionTheyAreRefused() throws {
    let connection = try makeTable()
    let error = #expect(throws: PostgresError.self) {
      try connection.withTransaction { connection in try connection.executeTogether([insert(1)]) }
    }
    #expect(error?.kind == .usage)
  }

  @Test func aLostConnectionIsToldAsOne() throws {
    let connection = try makeTable()
    let process: Int32 = try connection.value(of: "select pg_backend_pid()")
    let other = try Connection(TestDatabase.current)
    _ = try other.query("select pg_terminate_backend(\(process), 5000)")
    let error = #expect(throws: PostgresError.self) { try connection.executeTogether([insert(1)]) }
    #expect(error?.isConnectionLost == true)
    let isAlive = connection.isAlive
    #expect(!isAlive)
    #expect(try values() == [])
  }
}
