import Postgres
import TestSupport
import Testing

/// Every type goes to the server and comes back the same.
@Suite(.database)
struct RoundTripTests {
  private func check<Value: PostgresScalar & Equatable>(
    _ values: [Value], as type: SQL, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let connection = try Connection(TestDatabase.current)
    for value in values {
      let back: Value = try connection.value(of: "select \(value)::\(type)")
      #expect(back == value, sourceLocation: sourceLocation)
    }
    let missing: Value? = try connection.value(of: "select \(Value?.none)::\(type)")
    #expect(missing == nil, sourceLocation: sourceLocation)
    let all: [Value] = try connection.value(of: "select \(values)::\(type)[]")
    #expect(all == values, sourceLocation: sourceLocation)
    let empty: [Value] = try connection.value(of: "select \([Value]())::\(type)[]")
    #expect(empty.isEmpty, sourceLocation: sourceLocation)
    let gaps: [Value?] = [nil] + values.map { $0 } + [nil]
    let gapsBack: [Value?] = try connection.value(of: "select \(gaps)::\(type)[]")
    #expect(gapsBack == gaps, sourceLocation: sourceLocation)
    #expect(try connection.value(of: "select cardinality(\(gaps))", as: Int.self) == gaps.count)
  }

  @Test func integersOfAllWidths() throws {
    try check([Int16.min, -1, 0, .max], as: "int2")
    try check([Int32.min, -1, 0, .max], as: "int4")
    try check([Int64.min, -1, 0, .max], as: "int8")
    try check([Int.min, -1, 0, .max], as: "int8")
  }

  @Test func narrowIntegersAreReadAsInt() throws {
    let connection = try Connection(TestDatabase.current)
    #expect(try connection.value(of: "select (-3)::int2", as: Int.self) == -3)
    #expect(try connection.value(of: "select (-3)::int4", as: Int64.self) == -3)
    #expect(try connection.value(of: "select (-3)::int2", as: Int32.self) == -3)
    #expect(try connection.value(of: "select 4294967295::oid", as: Int.self) == 4_294_967_295)
    #expect(try connection.value(of: "select array[1, null, 3]", as: [Int?].self) == [1, nil, 3])
    #expect(throws: PostgresError.self) { try connection.value(of: "select 1::int8", as: Int32.self) }
  }

  @Test func booleansAndDoubles() throws {
    try check([true, false], as: "bool")
    try check([0, -0.0, .pi, .greatestFiniteMagnitude, .leastNonzeroMagnitude, .infinity], as: "float8")
    let connection = try Connection(TestDatabase.current)
    #expect(try connection.value(of: "select \(Double.nan)", as: Double.self).isNaN)
    #expect(try connection.value(of: "select 0.5::float4", as: Double.self) == 0.5)
  }

  @Test func textsOfAllScripts() throws {
    try check(
      ["", "a", "'; drop table x; --", "👩🏽‍🚀\u{200D}🏳️‍🌈", "العربية", "\\x00\"{},NULL", "e\u{301}"], as: "text")
    let connection = try Connection(TestDatabase.current)
    #expect(try connection.value(of: "select 'n'::name", as: String.self) == "n")
    #expect(try connection.value(of: "select 'v'::varchar(9)", as: String.self) == "v")
    #expect(try connection.value(of: "select \(JSONB("[1]"))", as: String.self) == "[1]")
    let long = String(repeating: "ü", count: 300_000)
    #expect(try connection.value(of: "select \(long)", as: String.self) == long)
    let error = #expect(throws: PostgresError.self) { try connection.execute("select \("a\0b")") }
    #expect(error?.sqlState == "22021")
  }

  @Test func bytes() throws {
    try check([[], [0], Array(0...255), [0x5c, 0x78, 0]], as: "bytea")
    let connection = try Connection(TestDatabase.current)
    #expect(try connection.value(of: "select octet_length(\([1, 2, 3] as [UInt8]))", as: Int.self) == 3)
  }

  @Test func uuids() throws {
    let id = try #require(UUID128("A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11"))
    try check([UUID128(high: 0, low: 0), UUID128(high: .max, low: .max), id], as: "uuid")
    let connection = try Connection(TestDatabase.current)
    let text = "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11"
    #expect(try connection.value(of: "select \(id)::text", as: String.self) == text)
    #expect(id.description == text)
    for broken in ["", "a0eebc99", text + "0", "g" + text.dropFirst(), text.replacing("-", with: "0")] {
      #expect(UUID128(broken) == nil)
    }
  }

  @Test func timesToTheMicrosecond() throws {
    let first = PostgresTimestamp(microsecondsSince1970: -210_866_803_200_000_000)  // 4714-11-24 BC
    let last = PostgresTimestamp(microsecondsSince1970: Int64.max)
    let usual = PostgresTimestamp(microsecondsSince1970: 1_700_000_000_123_457)
    try check([first, PostgresTimestamp(microsecondsSince1970: -1), usual, last], as: "timestamptz")
    let connection = try Connection(TestDatabase.current)
    let text: String = try connection.value(
      of: "select to_char(\(usual) at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS.US')")
    #expect(text == "2023-11-14 22:13:20.123457")
    for infinity in ["infinity", "-infinity", "294276-12-31 23:59:59Z"] {
      let error = #expect(throws: PostgresError.self) {
        try connection.value(of: "select \(infinity)::text::timestamptz", as: PostgresTimestamp?.self)
      }
      #expect(error?.kind == .decoding)
    }
    for early in [Int64.min, Int64.min + 946_684_800_000_000] {
      let error = #expect(throws: PostgresError.self) {
        try connection.execute("select \(PostgresTimestamp(microsecondsSince1970: early))")
      }
      #expect(error?.sqlState == "22008")
    }
  }

  @Test func dates() throws {
    try check([-2_440_588, -1, 0, 20_000, 2_145_031_948].map { PostgresDate(daysSince1970: $0) }, as: "date")
    let connection = try Connection(TestDatabase.current)
    #expect(
      try connection.value(of: "select \(PostgresDate(daysSince1970: 19_723))::text", as: String.self)
        == "2024-01-01")
    #expect(throws: PostgresError.self) {
      try connection.value(of: "select 'infinity'::date", as: PostgresDate.self)
    }
    let error = #expect(throws: PostgresError.self) {
      try connection.execute("select \(PostgresDate(daysSince1970: .min))")
    }
    #expect(error?.sqlState == "22008")
  }

  @Test func jsonDocuments() throws {
    try check([JSONB("{}"), JSONB(#"{"a": [1, null, "👍"]}"#), JSONB("null")], as: "jsonb")
    let connection = try Connection(TestDatabase.current)
    #expect(try connection.value(of: #"select '{"a":1}'::json"#, as: JSONB.self).text == #"{"a":1}"#)
    let error = #expect(throws: PostgresError.self) { try connection.execute("select \(JSONB("{secret"))") }
    #expect(error?.sqlState == "22P02")
    #expect(error?.description.contains("secret") == false)
  }

  @Test func arraysThatDoNotFitAreRefused() throws {
    let connection = try Connection(TestDatabase.current)
    #expect(throws: PostgresError.self) { try connection.value(of: "select array[[1], [2]]", as: [Int].self) }
    #expect(throws: PostgresError.self) { try connection.value(of: "select array['a']", as: [Int].self) }
    #expect(throws: PostgresError.self) { try connection.value(of: "select array[1, null]", as: [Int].self) }
    #expect(throws: PostgresError.self) { try connection.value(of: "select 1", as: [Int].self) }
    #expect(try connection.value(of: "select null::int[]", as: [Int]?.self) == nil)
  }

  @Test func columnsAreUnnestedAndTheirMemoryUsedAgain() throws {
    let connection = try Connection(TestDatabase.current)
    var numbers = ColumnBuilder<Int>()
    var words = ColumnBuilder<String>()
    for round in 0..<3 {
      for number in 0..<1_000 {
        numbers.append(number + round)
        words.append(number % 3 == 0 ? nil : "word \(number)")
      }
      let statement: SQL =
        "select sum(n)::int8, count(w), count(*) from unnest(\(numbers), \(words)) as u(n, w)"
      let sums = try connection.query(statement.prepared)
        .first { [try $0.value(0, as: Int.self), try $0.value(1), try $0.value(2)] }
      #expect(sums == [499_500 + 1_000 * round, 666, 1_000])
      #expect(numbers.count == 1_000)
      numbers.removeAll()
      words.removeAll()
    }
    #expect(try connection.value(of: "select cardinality(\(numbers))", as: Int.self) == 0)
  }
}
