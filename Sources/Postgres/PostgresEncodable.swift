/// A value that can be bound to a statement.
package protocol PostgresEncodable: Sendable {
  /// The type that is sent with the value, so that the server never guesses.
  static var postgresType: DataType { get }

  /// Whether the value is NULL; then `encode(into:)` is not called.
  var isNull: Bool { get }

  /// Appends the value in Postgres' binary format, without a length.
  func encode(into buffer: inout [UInt8])

  /// The value as it is bound; types that are a finished buffer already give that without copying.
  var parameter: Parameter { get }
}

extension PostgresEncodable {
  package var isNull: Bool { false }

  package var parameter: Parameter {
    guard !isNull else { return Parameter(type: Self.postgresType, bytes: nil) }
    var bytes: [UInt8] = []
    encode(into: &bytes)
    return Parameter(type: Self.postgresType, bytes: bytes)
  }
}

/// One bound value: its type, and its binary format or nil for NULL.
package struct Parameter: Sendable, Hashable {
  package let type: DataType
  package let bytes: [UInt8]?

  package init(type: DataType, bytes: [UInt8]?) {
    self.type = type
    self.bytes = bytes
  }
}

/// What can be an element of a Swift array that is bound or decoded: every scalar, an optional scalar (an array with NULLs), and
/// `UInt8`, since `[UInt8]` is a `bytea` and not an array.
package protocol PostgresElement: Sendable {
  static var typeOfArray: DataType { get }
  static func encodeArray(_ array: [Self], into buffer: inout [UInt8])
  static func decodeArray(_ field: borrowing Field) throws(PostgresError) -> [Self]
}

/// A type with a Postgres array type beside it.
package protocol PostgresScalar: PostgresEncodable, PostgresDecodable, PostgresElement {
  static var postgresArrayType: DataType { get }
}

extension PostgresScalar {
  package static var typeOfArray: DataType { postgresArrayType }

  package static func encodeArray(_ array: [Self], into buffer: inout [UInt8]) {
    var column = ColumnBuilder<Self>(reservingCapacity: array.count)
    for element in array { column.append(element) }
    column.encode(into: &buffer)
  }

  package static func decodeArray(_ field: borrowing Field) throws(PostgresError) -> [Self] {
    try field.elements { (element) throws(PostgresError) in try Self.decode(element) }
  }
}

extension Optional: PostgresElement where Wrapped: PostgresScalar {
  package static var typeOfArray: DataType { Wrapped.postgresArrayType }

  package static func encodeArray(_ array: [Wrapped?], into buffer: inout [UInt8]) {
    var column = ColumnBuilder<Wrapped>(reservingCapacity: array.count)
    for element in array { column.append(element) }
    column.encode(into: &buffer)
  }

  package static func decodeArray(_ field: borrowing Field) throws(PostgresError) -> [Wrapped?] {
    try field.elements { (element) throws(PostgresError) in try Wrapped?.decode(element) }
  }
}

extension Array: PostgresEncodable where Element: PostgresElement {
  package static var postgresType: DataType { Element.typeOfArray }
  package func encode(into buffer: inout [UInt8]) { Element.encodeArray(self, into: &buffer) }
}

extension Optional: PostgresEncodable where Wrapped: PostgresEncodable {
  package static var postgresType: DataType { Wrapped.postgresType }

  package var isNull: Bool {
    switch self {
    case .none: true
    case .some(let value): value.isNull
    }
  }

  package func encode(into buffer: inout [UInt8]) { self?.encode(into: &buffer) }

  package var parameter: Parameter {
    self?.parameter ?? Parameter(type: Self.postgresType, bytes: nil)
  }
}
