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
}
