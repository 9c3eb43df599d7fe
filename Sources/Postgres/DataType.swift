/// A Postgres type by its object id; ids of built-in types never change.
package struct DataType: Sendable, Hashable {
  package let oid: UInt32

  package init(oid: UInt32) { self.oid = oid }

  package static let bool = DataType(oid: 16)
  package static let bytea = DataType(oid: 17)
  package static let name = DataType(oid: 19)
  package static let int8 = DataType(oid: 20)
  package static let int2 = DataType(oid: 21)
  package static let int4 = DataType(oid: 23)
  package static let text = DataType(oid: 25)
  package static let oidType = DataType(oid: 26)
  package static let json = DataType(oid: 114)
  package static let float4 = DataType(oid: 700)
  package static let float8 = DataType(oid: 701)
  package static let bpchar = DataType(oid: 1042)
  package static let varchar = DataType(oid: 1043)
  package static let date = DataType(oid: 1082)
  package static let timestamptz = DataType(oid: 1184)
  package static let uuid = DataType(oid: 2950)
  package static let jsonb = DataType(oid: 3802)

  package static let boolArray = DataType(oid: 1000)
  package static let byteaArray = DataType(oid: 1001)
  package static let int2Array = DataType(oid: 1005)
  package static let int4Array = DataType(oid: 1007)
  package static let textArray = DataType(oid: 1009)
  package static let int8Array = DataType(oid: 1016)
  package static let float8Array = DataType(oid: 1022)
  package static let dateArray = DataType(oid: 1182)
  package static let timestamptzArray = DataType(oid: 1185)
  package static let uuidArray = DataType(oid: 2951)
  package static let jsonbArray = DataType(oid: 3807)

  private static let names: [DataType: String] = [
    .bool: "boolean", .bytea: "bytea", .name: "name", .int8: "bigint", .int2: "smallint", .int4: "integer",
    .text: "text", .oidType: "oid", .json: "json", .float4: "real", .float8: "double precision",
    .bpchar: "char(n)", .varchar: "varchar", .date: "date", .timestamptz: "timestamptz", .uuid: "uuid",
    .jsonb: "jsonb", .boolArray: "boolean[]", .byteaArray: "bytea[]", .int2Array: "smallint[]",
    .int4Array: "integer[]", .textArray: "text[]", .int8Array: "bigint[]", .float8Array: "double precision[]",
    .dateArray: "date[]", .timestamptzArray: "timestamptz[]", .uuidArray: "uuid[]", .jsonbArray: "jsonb[]",
    DataType(oid: 1114): "timestamp without time zone", DataType(oid: 1186): "interval",
    DataType(oid: 1700): "numeric (cast it in the statement)", DataType(oid: 2278): "void",
  ]
}

extension DataType: CustomStringConvertible {
  package var description: String { Self.names[self] ?? "type \(oid)" }
}
