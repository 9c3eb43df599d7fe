/// A `jsonb` value as its text; the server checks that it is JSON, and gives it back in its own spelling.
package struct JSONB: Sendable, Hashable {
  /// The text in UTF-8.
  package let utf8: [UInt8]

  package init(utf8: [UInt8]) { self.utf8 = utf8 }

  package init(_ text: String) { self.init(utf8: Array(text.utf8)) }

  package var text: String { String(decoding: utf8, as: UTF8.self) }

  /// The version of the binary format, which leads every value.
  private static let version: UInt8 = 1
}

extension JSONB: PostgresScalar {
  package static var postgresType: DataType { .jsonb }
  package static var postgresArrayType: DataType { .jsonbArray }

  package func encode(into buffer: inout [UInt8]) {
    buffer.append(Self.version)
    buffer.append(contentsOf: utf8)
  }

  package static func decode(_ field: borrowing Field) throws(PostgresError) -> JSONB {
    let bytes = try field.bytes(of: .jsonb, .json, for: "JSONB")
    guard field.type == .jsonb else { return JSONB(utf8: Array(bytes)) }
    guard bytes.first == version else { throw field.fault(expected: "jsonb of version 1", found: "another") }
    return JSONB(utf8: Array(bytes.dropFirst()))
  }
}
