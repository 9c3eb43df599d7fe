/// A `timestamptz`, exact to Postgres' microsecond.
package struct PostgresTimestamp: Sendable, Hashable {
  /// Microseconds since 1970-01-01T00:00:00Z.
  package var microsecondsSince1970: Int64

  package init(microsecondsSince1970: Int64) { self.microsecondsSince1970 = microsecondsSince1970 }

  /// 2000-01-01T00:00:00Z, where Postgres counts from.
  static let epoch: Int64 = 946_684_800_000_000
}

extension PostgresTimestamp: Comparable {
  package static func < (left: PostgresTimestamp, right: PostgresTimestamp) -> Bool {
    left.microsecondsSince1970 < right.microsecondsSince1970
  }
}

extension PostgresTimestamp: PostgresScalar {
  package static var postgresType: DataType { .timestamptz }
  package static var postgresArrayType: DataType { .timestamptzArray }

  /// A time before 4713 BC or after 294276 is refused by the server (SQLSTATE 22008).
  package func encode(into buffer: inout [UInt8]) {
    let (value, overflow) = microsecondsSince1970.subtractingReportingOverflow(Self.epoch)
    // The least Int64 would be read as -infinity; its neighbour is refused, as a time so early must be.
    buffer.appendBigEndian(overflow ? Int64.min + 1 : max(value, Int64.min + 1))
  }

  /// ±infinity, and the last 30 years that Postgres knows, do not fit and are errors.
  package static func decode(_ field: borrowing Field) throws(PostgresError) -> PostgresTimestamp {
    let bytes = try field.bytes(of: .timestamptz, for: "PostgresTimestamp")
    let value = try field.integer(Int64.self, in: bytes, for: "PostgresTimestamp")
    let (microseconds, overflow) = value.addingReportingOverflow(epoch)
    guard value != .min, value != .max, !overflow else {
      throw field.fault(expected: "PostgresTimestamp", found: "infinity or a time beyond the year 294246")
    }
    return PostgresTimestamp(microsecondsSince1970: microseconds)
  }
}
