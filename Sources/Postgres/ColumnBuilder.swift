/// Builds the binary form of an array parameter in one buffer, element by element, for `unnest`.
///
/// Appending costs no allocation once the buffer has grown. The buffer is a valid array after every step, so that binding it copies
/// nothing; empty it with `removeAll()` once the statement is gone, to use its memory again.
package struct ColumnBuilder<Element: PostgresScalar>: Sendable {
  /// Header (dimensions, has-NULL flag, element type, count, lower bound), then a length and the bytes of each element.
  @usableFromInline
  var buffer: [UInt8]

  /// How many elements were appended, NULLs included.
  package internal(set) var count = 0

  static var headerSize: Int { 20 }

  /// - Parameters:
  ///   - capacity: how many elements to make room for.
  ///   - bytesPerElement: the likely size of one, for types of no fixed size.
  package init(reservingCapacity capacity: Int = 0, bytesPerElement: Int = 16) {
    buffer = []
    buffer.reserveCapacity(Self.headerSize + capacity * (4 + bytesPerElement))
    appendHeader()
  }

  @inlinable
  package mutating func append(_ element: Element) {
    let start = buffer.count
    buffer.appendBigEndian(Int32(0))
    element.encode(into: &buffer)
    patch(Int32(buffer.count - start - 4), at: start)
    countOneMore()
  }

  @inlinable
  package mutating func append(_ element: Element?) {
    if let element { append(element) } else { appendNull() }
  }

  @inlinable
  package mutating func appendNull() {
    buffer.appendBigEndian(Int32(-1))
    patch(1, at: 4)
    countOneMore()
  }

  /// Empties the column and keeps its memory.
  package mutating func removeAll() {
    buffer.removeAll(keepingCapacity: true)
    count = 0
    appendHeader()
  }

  private mutating func appendHeader() {
    buffer.appendBigEndian(Int32(1))
    buffer.appendBigEndian(Int32(0))
    buffer.appendBigEndian(Element.postgresType.oid)
    buffer.appendBigEndian(Int32(0))
    buffer.appendBigEndian(Int32(1))
  }

  @usableFromInline
  mutating func countOneMore() {
    count += 1
    patch(Int32(count), at: 12)
  }

  @usableFromInline
  mutating func patch(_ value: Int32, at offset: Int) {
    buffer.withUnsafeMutableBytes { $0.storeBytes(of: value.bigEndian, toByteOffset: offset, as: Int32.self) }
  }
}

extension ColumnBuilder: PostgresEncodable {
  package static var postgresType: DataType { Element.postgresArrayType }

  package func encode(into buffer: inout [UInt8]) { buffer.append(contentsOf: finished) }

  package var parameter: Parameter { Parameter(type: Self.postgresType, bytes: finished) }

  /// An empty array has no dimension, and so ends after the element type.
  private var finished: [UInt8] {
    guard count == 0 else { return buffer }
    var empty: [UInt8] = []
    empty.appendBigEndian(Int32(0))
    empty.appendBigEndian(Int32(0))
    empty.appendBigEndian(Element.postgresType.oid)
    return empty
  }
}
