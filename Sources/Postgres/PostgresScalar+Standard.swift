// The scalars of the standard library, in Postgres' binary format: big-endian, fixed width.

extension [UInt8] {
  @inline(__always)
  mutating func appendBigEndian<Value: FixedWidthInteger & BitwiseCopyable>(_ value: Value) {
    Swift.withUnsafeBytes(of: value.bigEndian) { append(contentsOf: $0) }
  }
}

extension Bool: PostgresScalar {
  package static var postgresType: DataType { .bool }
  package static var postgresArrayType: DataType { .boolArray }

  package func encode(into buffer: inout [UInt8]) { buffer.append(self ? 1 : 0) }

  package static func decode(_ field: borrowing Field) throws(PostgresError) -> Bool {
    let bytes = try field.bytes(of: .bool, for: "Bool")
    return try field.integer(UInt8.self, in: bytes, for: "Bool") != 0
  }
}

extension Int16: PostgresScalar {
  package static var postgresType: DataType { .int2 }
  package static var postgresArrayType: DataType { .int2Array }

  package func encode(into buffer: inout [UInt8]) { buffer.appendBigEndian(self) }

  package static func decode(_ field: borrowing Field) throws(PostgresError) -> Int16 {
    let bytes = try field.bytes(of: .int2, for: "Int16")
    return try field.integer(Int16.self, in: bytes, for: "Int16")
  }
}

extension Int32: PostgresScalar {
  package static var postgresType: DataType { .int4 }
  package static var postgresArrayType: DataType { .int4Array }

  package func encode(into buffer: inout [UInt8]) { buffer.appendBigEndian(self) }

  package static func decode(_ field: borrowing Field) throws(PostgresError) -> Int32 {
    let bytes = try field.bytes(of: .int4, .int2, for: "Int32")
    if field.type == .int2 { return Int32(try field.integer(Int16.self, in: bytes, for: "Int32")) }
    return try field.integer(Int32.self, in: bytes, for: "Int32")
  }
}

extension Int64: PostgresScalar {
  package static var postgresType: DataType { .int8 }
  package static var postgresArrayType: DataType { .int8Array }

  package func encode(into buffer: inout [UInt8]) { buffer.appendBigEndian(self) }

  package static func decode(_ field: borrowing Field) throws(PostgresError) -> Int64 {
    let bytes = try field.bytes(of: .int8, .int4, .int2, .oidType, for: "Int64")
    return switch field.type {
    case .int2: Int64(try field.integer(Int16.self, in: bytes, for: "Int64"))
    case .int4: Int64(try field.integer(Int32.self, in: bytes, for: "Int64"))
    case .oidType: Int64(try field.integer(UInt32.self, in: bytes, for: "Int64"))
    default: try field.integer(Int64.self, in: bytes, for: "Int64")
    }
  }
}

extension Int: PostgresScalar {
  package static var postgresType: DataType { .int8 }
  package static var postgresArrayType: DataType { .int8Array }

  package func encode(into buffer: inout [UInt8]) { buffer.appendBigEndian(Int64(self)) }

  package static func decode(_ field: borrowing Field) throws(PostgresError) -> Int {
    Int(try Int64.decode(field))
  }
}

extension Double: PostgresScalar {
  package static var postgresType: DataType { .float8 }
  package static var postgresArrayType: DataType { .float8Array }

  package func encode(into buffer: inout [UInt8]) { buffer.appendBigEndian(bitPattern) }

  package static func decode(_ field: borrowing Field) throws(PostgresError) -> Double {
    let bytes = try field.bytes(of: .float8, .float4, for: "Double")
    if field.type == .float4 {
      return Double(Float(bitPattern: try field.integer(UInt32.self, in: bytes, for: "Double")))
    }
    return Double(bitPattern: try field.integer(UInt64.self, in: bytes, for: "Double"))
  }
}

/// `text`; also read from `varchar`, `char(n)`, `name`, `json` and `jsonb`. The server refuses U+0000.
extension String: PostgresScalar {
  package static var postgresType: DataType { .text }
  package static var postgresArrayType: DataType { .textArray }

  package func encode(into buffer: inout [UInt8]) { buffer.append(contentsOf: utf8) }

  package static func decode(_ field: borrowing Field) throws(PostgresError) -> String {
    let bytes = try field.bytes(
      of: .text, .varchar, .name, .bpchar, .json, .jsonb, for: "String")
    // jsonb leads with the version of its format.
    let text = field.type == .jsonb ? UnsafeRawBufferPointer(rebasing: bytes.dropFirst()) : bytes
    return String(decoding: text, as: UTF8.self)
  }
}

/// `[UInt8]` is a `bytea`: a byte alone is no scalar of Postgres.
extension UInt8: PostgresElement {
  package static var typeOfArray: DataType { .bytea }

  package static func encodeArray(_ array: [UInt8], into buffer: inout [UInt8]) {
    buffer.append(contentsOf: array)
  }

  package static func decodeArray(_ field: borrowing Field) throws(PostgresError) -> [UInt8] {
    Array(try field.bytes(of: .bytea, for: "[UInt8]"))
  }
}

/// An array of `[UInt8]` is a `bytea[]`.
extension Array: PostgresElement, PostgresScalar where Element == UInt8 {
  package static var postgresArrayType: DataType { .byteaArray }
}
