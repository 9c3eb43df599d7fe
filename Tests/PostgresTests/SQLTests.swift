import Postgres
import TestSupport
import Testing

struct SQLTests {
  @Test func valuesAreBoundAndNeverSpliced() {
    let attack = "'; drop table events; --"
    let statement: SQL = "select * from t where a = \(attack) and b = \(7) and c = \(Int?.none)"
    #expect(statement.text == "select * from t where a = $1 and b = $2 and c = $3")
    #expect(statement.parameters.map(\.type) == [.text, .int8, .int8])
    #expect(statement.parameters[0].bytes == Array(attack.utf8))
    #expect(statement.parameters[2].bytes == nil)
  }

  @Test func fragmentsBringTheirValuesAndAreRenumbered() {
    let condition: SQL = "b = \(2) or c = \("x")"
    let statement: SQL = "select \(1) where \(condition) limit \(3)"
    #expect(statement.text == "select $1 where b = $2 or c = $3 limit $4")
    #expect(statement.parameters.count == 4)
    #expect((condition + " and d = \(true)").text == "b = $1 or c = $2 and d = $3")
  }

  @Test func namesAreQuotedAndRawTextIsLoud() {
    let statement: SQL = "select \(unsafeRaw: "1 + 1") from \(identifier: "my \"schema", "Tab.le")"
    #expect(statement.text == #"select 1 + 1 from "my ""schema"."Tab.le""#)
    #expect(statement.parameters.isEmpty)
  }

  @Test(.database) func anAttackInAValueOrANameStaysData() throws {
    let connection = try Connection(TestDatabase.current)
    let name = "t\"; drop table t; --"
    let value = "'); drop table t; --"
    try connection.script("create table t (a text)")
    try connection.execute("create table \(identifier: name) (a text)")
    try connection.execute("insert into \(identifier: name) values (\(value))")
    #expect(try connection.value(of: "select a from \(identifier: name)", as: String.self) == value)
    #expect(try connection.value(of: "select count(*) from t", as: Int.self) == 0)
  }

  @Test(.database) func tooManyValuesAreRefusedBeforeTheyAreSent() throws {
    let connection = try Connection(TestDatabase.current)
    var statement: SQL = "select \(0)"
    for number in 1..<Connection.maximumParameters { statement += " + \(number)" }
    #expect(try connection.value(of: statement, as: Int.self) == 499_500)
    statement += " + \(1)"
    #expect(throws: PostgresError.self) { try connection.execute(statement) }
  }
}
