/// The time that the device wrote on an event: the instant, and the text as it was sent.
public struct EventTime: Sendable, Hashable {
  /// The instant, cut to microseconds.
  public let instant: Timestamp
  /// The text as sent; a resend repeats it to the byte.
  public let raw: String

  /// Parses an RFC 3339 time.
  ///
  /// - Throws: the fault of ``Timestamp/init(rfc3339:field:)``.
  public init(_ raw: String, field: String = "occurredAt") throws(EventFault) {
    instant = try Timestamp(rfc3339: raw, field: field)
    self.raw = raw
  }

  /// Writes an instant in UTC.
  ///
  /// - Throws: `year_out_of_range`.
  public init(_ instant: Timestamp, field: String = "occurredAt") throws(EventFault) {
    try self.init(instant.rfc3339, field: field)
  }
}
