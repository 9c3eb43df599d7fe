import Postgres
import TestSupport
import Testing

@Suite(.database)
struct TransactionTests {
  private struct Refusal: Error {}

  private func makeTable() throws -> Connection {
    let connection = try Connection(TestDatabase.current)
    try connection.script("create table t (a bigint primary key)")
    return connection
  }

  private func count(_ connection: borrowing Connection) throws -> Int {
    try connection.value(of: "select count(*) from t")
  }

  @Test func whatABodyDoesIsCommittedAsOne() throws {
    let connection = try makeTable()
    let answer = try connection.withTransaction { connection in
      try connection.execute("insert into t values (1)")
      let transactionStatus = connection.transactionStatus
      #expect(transactionStatus == .inTransaction)
      return 42
    }
    #expect(answer == 42)
    let transactionStatus = connection.transactionStatus
    #expect(transactionStatus == .idle)
    #expect(try count(Connection(TestDatabase.current)) == 1)
  }

  @Test func anErrorRollsBackAndIsThrownOn() throws {
    let connection = try makeTable()
    #expect(throws: Refusal.self) {
      try connection.withTransaction { connection in
        try connection.execute("insert into t values (1)")
        throw Refusal()
      }
    }
    #expect(try count(connection) == 0)
    let transactionStatus = connection.transactionStatus
    #expect(transactionStatus == .idle)
  }

  @Test func aSwallowedErrorIsNoCommit() throws {
    let connection = try makeTable()
    let error = #expect(throws: PostgresError.self) {
      try connection.withTransaction { connection in
        try connection.execute("insert into t values (1)")
        _ = try? connection.execute("select 1 / 0")
      }
    }
    #expect(error?.kind == .rolledBack)
    #expect(try count(connection) == 0)
  }

  @Test func aSavepointUndoesItsPartAlone() throws {
    let connection = try makeTable()
    try connection.withTransaction { connection in
      try connection.execute("insert into t values (1)")
      let error = #expect(throws: PostgresError.self) {
        try connection.withSavepoint { connection in
          try connection.execute("insert into t values (2)")
          try connection.withSavepoint { try $0.execute("insert into t values (3)") }
          try connection.execute("insert into t values (1)")
        }
      }
      #expect(error?.sqlState == "23505")
      try connection.withSavepoint { try $0.execute("insert into t values (4)") }
    }
    let kept = try connection.query("select a from t order by a").map { try $0.value(0, as: Int.self) }
    #expect(kept == [1, 4])
  }

  @Test func isolationAndReadOnlyReachTheServer() throws {
    let connection = try makeTable()
    let level: String = try connection.withTransaction(isolation: .repeatableRead, readOnly: true) {
      connection in
      #expect(throws: PostgresError.self) {
        try connection.withSavepoint { try $0.execute("insert into t values (1)") }
      }
      return try connection.value(of: "select current_setting('transaction_isolation')")
    }
    #expect(level == "repeatable read")
  }

  @Test func transactionsDoNotNestUnseen() throws {
    let connection = try makeTable()
    let nested = #expect(throws: PostgresError.self) {
      try connection.withTransaction { try $0.withTransaction { _ in } }
    }
    #expect(nested?.kind == .usage)
    let ended = #expect(throws: PostgresError.self) {
      try connection.withTransaction { try $0.script("commit") }
    }
    #expect(ended?.kind == .usage)
  }

  @Test func aSerializationFailureMayBeRetried() throws {
    let one = try makeTable()
    let other = try Connection(TestDatabase.current)
    try one.execute("insert into t values (1)")
    let error = #expect(throws: PostgresError.self) {
      try one.withTransaction(isolation: .repeatableRead) { one in
        _ = try count(one)
        try other.execute("update t set a = 2")
        try one.execute("update t set a = 3")
      }
    }
    #expect(error?.sqlState == "40001")
    #expect(error?.isRetryable == true)
    #expect(error?.isConnectionLost == false)
  }

  @Test func aConnectionLostInsideIsTheErrorThrown() throws {
    let connection = try makeTable()
    let error = #expect(throws: PostgresError.self) {
      try connection.withTransaction { try $0.execute("select pg_terminate_backend(pg_backend_pid())") }
    }
    #expect(error?.isConnectionLost == true)
  }
}
