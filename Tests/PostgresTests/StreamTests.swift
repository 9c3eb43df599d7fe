import Postgres
import TestSupport
import Testing

@Suite(.database)
struct StreamTests {
  private struct Refusal: Error {}

  private func makeTable() throws -> Connection {
    let connection = try Connection(TestDatabase.current)
    try connection.script("create table t (a bigint, b text)")
    return connection
  }

  @Test func manyRowsAreCopiedInAndOut() throws {
    let connection = try makeTable()
    let copied = try connection.copyIn("copy t from stdin") { writer in
      for number in 0..<50_000 { try writer.write("\(number)\tword \(number)\n") }
    }
    #expect(copied == 50_000)
    var bytes = 0
    var pieces = 0
    let count = try connection.copyOut("copy t to stdout") { piece in
      #expect(piece.last == UInt8(ascii: "\n"))
      bytes += piece.count
      pieces += 1
    }
    #expect(count == 50_000)
    #expect(pieces > 5)
    #expect(bytes == (0..<50_000).reduce(0) { $0 + 2 * "\($1)".utf8.count + 7 })
  }

  @Test func aWriterThatGivesUpCopiesNothing() throws {
    let connection = try makeTable()
    #expect(throws: Refusal.self) {
      try connection.copyIn("copy t from stdin") { writer in
        try writer.write(Array("1\tx\n".utf8))
        throw Refusal()
      }
    }
    #expect(try connection.value(of: "select count(*) from t", as: Int.self) == 0)
  }

  @Test func aRowThatDoesNotFitFailsTheCopy() throws {
    let connection = try makeTable()
    let error = #expect(throws: PostgresError.self) {
      try connection.copyIn("copy t from stdin") { writer in
        try writer.write("word\tx\n")
        for number in 0..<100_000 { try writer.write("\(number)\tx\n") }
      }
    }
    #expect(error?.sqlState == "22P02")
    #expect(try connection.value(of: "select count(*) from t", as: Int.self) == 0)
  }

  @Test func aReaderThatGivesUpLeavesTheConnectionUsable() throws {
    let connection = try makeTable()
    try connection.execute("insert into t select n, 'x' from generate_series(1, 200000) n")
    #expect(throws: Refusal.self) { try connection.copyOut("copy t to stdout") { _ in throw Refusal() } }
    #expect(throws: Refusal.self) {
      try connection.forEachRow(of: "select * from t") { _ in throw Refusal() }
    }
    #expect(try connection.value(of: "select 1", as: Int.self) == 1)
  }

  @Test func copyTakesOnlyItsOwnStatement() throws {
    let connection = try makeTable()
    #expect(throws: PostgresError.self) { try connection.copyIn("select 1") { _ in } }
    #expect(throws: PostgresError.self) { try connection.copyIn("copy t to stdout") { _ in } }
    #expect(throws: PostgresError.self) { try connection.copyOut("copy t from stdin") { _ in } }
    #expect(throws: PostgresError.self) { try connection.copyOut("copy nothing to stdout") { _ in } }
    #expect(try connection.value(of: "select 1", as: Int.self) == 1)
  }

  @Test func rowsAreStreamedInOrder() throws {
    let connection = try makeTable()
    var sum = 0
    let count = try connection.forEachRow(of: "select n from generate_series(1, \(100_000)::int8) n") { row in
      sum += try row.value(0, as: Int.self)
    }
    #expect(count == 100_000)
    #expect(sum == 5_000_050_000)
    #expect(try connection.forEachRow(of: "select 1 where false") { _ in } == 0)
  }

  @Test func anErrorAmidAStreamIsThrownAfterTheRowsBeforeIt() throws {
    let connection = try makeTable()
    var seen = 0
    let error = #expect(throws: PostgresError.self) {
      try connection.forEachRow(of: "select 1 / (5 - n) from generate_series(1, 9) n") { _ in seen += 1 }
    }
    #expect(error?.sqlState == "22012")
    #expect(seen == 4)
    #expect(try connection.value(of: "select 1", as: Int.self) == 1)
  }

  @Test func aStreamingConnectionRefusesOtherStatements() throws {
    let connection = try makeTable()
    try connection.forEachRow(of: "select 1") { _ in
      let error = #expect(throws: PostgresError.self) { try connection.execute("select 2") }
      #expect(error?.kind == .usage)
    }
    #expect(try connection.value(of: "select 3", as: Int.self) == 3)
  }

  @Test func aConnectionThatBreaksAmidAStreamIsLost() throws {
    let connection = try makeTable()
    let other = try Connection(TestDatabase.current)
    let process = Int32(connection.backendProcessID)
    let error = #expect(throws: PostgresError.self) {
      try connection.forEachRow(of: "select repeat('x', 1000) from generate_series(1, 1000000)") { _ in
        try other.execute("select pg_terminate_backend(\(process))")
      }
    }
    #expect(error?.isConnectionLost == true)
  }
}
