internal import CPostgres

/// One field of a row, or one element of an array in it, lent while it is decoded.
///
/// Other targets make their own types decodable by decoding a built-in type from the field they are given.
package struct Field: ~Copyable {
  /// Points into the result, which outlives every field that it lends; nil for NULL.
  let bytes: UnsafeRawBufferPointer?
  package let type: DataType
  private let result: OpaquePointer
  private let column: Int32

  init(bytes: UnsafeRawBufferPointer?, type: DataType, result: OpaquePointer, column: Int32) {
    self.bytes = bytes
    self.type = type
    self.result = result
    self.column = column
  }

  package var isNull: Bool { bytes == nil }

  /// The name of the field's column.
  package var columnName: String { PQfname(result, column).map { String(cString: $0) } ?? "\(column)" }

  /// The error for a field that does not fit, for instance a text that is no known case of an enumeration.
  package func fault(expected: String, found: String) -> PostgresError {
    var error = PostgresError(
      .decoding, "column \"\(columnName)\": expected \(expected), found \(found)")
    error.column = columnName
    return error
  }

  /// The field's bytes, if it is not NULL and of one of `types`.
  func bytes(of types: DataType..., for name: StaticString) throws(PostgresError) -> UnsafeRawBufferPointer {
    guard let bytes else { throw fault(expected: "\(name)", found: "NULL") }
    guard types.contains(type) else { throw fault(expected: "\(name)", found: "\(type)") }
    return bytes
  }

  /// The field as a big-endian integer of exactly the width of `Value`.
  func integer<Value: FixedWidthInteger & BitwiseCopyable>(
    _: Value.Type, in bytes: UnsafeRawBufferPointer, for name: StaticString
  ) throws(PostgresError) -> Value {
    guard bytes.count == MemoryLayout<Value>.size else {
      throw fault(expected: "\(name)", found: "\(type) of \(bytes.count) bytes")
    }
    return Value(bigEndian: bytes.loadUnaligned(as: Value.self))
  }

  /// Decodes an array of one dimension, element by element.
  func elements<Element>(
    _ decode: (borrowing Field) throws(PostgresError) -> Element
  ) throws(PostgresError) -> [Element] {
    guard let bytes else { throw fault(expected: "array", found: "NULL") }
    guard Self.arrayTypes.contains(type), bytes.count >= 12 else {
      throw fault(expected: "array", found: "\(type)")
    }
    func word(_ offset: Int) -> Int32 {
      Int32(bigEndian: bytes.loadUnaligned(fromByteOffset: offset, as: Int32.self))
    }
    let dimensions = word(0)
    if dimensions == 0 { return [] }
    guard dimensions == 1, bytes.count >= 20 else {
      throw fault(expected: "array of one dimension", found: "\(dimensions) dimensions")
    }
    let elementType = DataType(oid: UInt32(bitPattern: word(8)))
    let count = Int(word(12))
    var elements: [Element] = []
    elements.reserveCapacity(count)
    var offset = 20
    for _ in 0..<count {
      guard bytes.count >= offset + 4 else { throw fault(expected: "array", found: "a cut array") }
      let length = Int(word(offset))
      offset += 4
      guard length <= bytes.count - offset else { throw fault(expected: "array", found: "a cut array") }
      let slice = length < 0 ? nil : UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + length])
      elements.append(try decode(Field(bytes: slice, type: elementType, result: result, column: column)))
      offset += max(length, 0)
    }
    return elements
  }

  private static let arrayTypes: Set<DataType> = [
    .boolArray, .byteaArray, .int2Array, .int4Array, .int8Array, .textArray, .float8Array, .dateArray,
    .timestamptzArray, .uuidArray, .jsonbArray, DataType(oid: 1003), DataType(oid: 1015),
    DataType(oid: 1014), DataType(oid: 1021), DataType(oid: 1028), DataType(oid: 199),
  ]
}
