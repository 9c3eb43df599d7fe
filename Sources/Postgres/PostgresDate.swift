/// A `date`: a day of the proleptic Gregorian calendar, in no zone.
package struct PostgresDate: Sendable, Hashable {
  /// Days since 1970-01-01.
  package var daysSince1970: Int32

  package init(daysSince1970: Int32) { self.daysSince1970 = daysSince1970 }

  /// 2000-01-01, where Postgres counts from.
  static let epoch: Int32 = 10_957
}

extension PostgresDate: Comparable {
  package static func < (left: PostgresDate, right: PostgresDate) -> Bool {
    left.daysSince1970 < right.daysSince1970
  }
}

extension PostgresDate: PostgresScalar {
  package static var postgresType: DataType { .date }
  package static var postgresArrayType: DataType { .dateArray }

  /// A day before 4713 BC or after 5874897 is refused by the server (SQLSTATE 22008).
  package func encode(into buffer: inout [UInt8]) {
    let (value, overflow) = daysSince1970.subtractingReportingOverflow(Self.epoch)
    // The least Int32 would be read as -infinity; its neighbour is refused, as a day so early must be.
    buffer.appendBigEndian(overflow ? Int32.min + 1 : max(value, Int32.min + 1))
  }

  /// ±infinity does not fit and is an error.
  package static func decode(_ field: borrowing Field) throws(PostgresError) -> PostgresDate {
    let bytes = try field.bytes(of: .date, for: "PostgresDate")
    let value = try field.integer(Int32.self, in: bytes, for: "PostgresDate")
    let (days, overflow) = value.addingReportingOverflow(epoch)
    guard value != .min, value != .max, !overflow else {
      throw field.fault(expected: "PostgresDate", found: "infinity")
    }
    return PostgresDate(daysSince1970: days)
  }
}
