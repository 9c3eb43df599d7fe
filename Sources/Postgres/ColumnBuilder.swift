/// Builds the binary form of an array parameter in one buffer, element by element, for `unnest`.
///
/// Appending costs no allocation once the buffer has grown. The buffer is a valid array after every step, so that binding it copies
/// nothing; empty it with `removeAll()` once the statement is gone, to use its memory again.
package struct ColumnBuilder<Element: PostgresScalar>: Sendable {
  /// Header (dimensions, has-NULL flag, element type, count, lower bound), then a length and the bytes of each element.
  private var buffer: [UInt8]

  /// How many elements were appended, NULLs included.
  package private(set) var count = 0

  static var headerSize: Int { 20 }

  /// - Parameters:
  ///   - capacity: how many elements to make room for.
  ///   - bytesPerElement: the likely size of one, for types of no fixed size.
  package init(reservingCapacity capacity: Int = 0, bytesPerElement: Int = 16) {
    buffer = []
    buffer.reserveCapacity(Self.headerSize + capacity * (4 + bytesPerElement))
    appendHeader()
  }

  /// Appends a value, or NULL for nil.
  package mutating func append(_ element: Element?) { add(element) }

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

  @inline(__always)
  private mutating func add(_ element: Element?) {
    let start = buffer.count
    if let element {
      buffer.appendBigEndian(Int32(0))
      element.encode(into: &buffer)
      patch(Int32(buffer.count - start - 4), at: start)
    } else {
      buffer.appendBigEndian(Int32(-1))
      patch(1, at: 4)
    }
    count += 1
    patch(Int32(count), at: 12)
  }

  @inline(__always)
  private mutating func patch(_ value: Int32, at offset: Int) {
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

// Swift does not specialize `package` generics across modules. A batch has tens of thousands of cells, so the types that batches are
// made of have an `append` of their own, which is compiled here.

extension ColumnBuilder where Element == Bool {
  package mutating func append(_ element: Bool?) { add(element) }
}

extension ColumnBuilder where Element == Int16 {
  package mutating func append(_ element: Int16?) { add(element) }
}

extension ColumnBuilder where Element == Int32 {
  package mutating func append(_ element: Int32?) { add(element) }
}

extension ColumnBuilder where Element == Int64 {
  package mutating func append(_ element: Int64?) { add(element) }
}

extension ColumnBuilder where Element == Int {
  package mutating func append(_ element: Int?) { add(element) }
}

extension ColumnBuilder where Element == Double {
  package mutating func append(_ element: Double?) { add(element) }
}

extension ColumnBuilder where Element == String {
  package mutating func append(_ element: String?) { add(element) }
}

extension ColumnBuilder where Element == UUID128 {
  package mutating func append(_ element: UUID128?) { add(element) }
}

extension ColumnBuilder where Element == PostgresTimestamp {
  package mutating func append(_ element: PostgresTimestamp?) { add(element) }
}

extension ColumnBuilder where Element == PostgresDate {
  package mutating func append(_ element: PostgresDate?) { add(element) }
}

extension ColumnBuilder where Element == [UInt8] {
  package mutating func append(_ element: [UInt8]?) { add(element) }
}
