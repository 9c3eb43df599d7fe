/// One piece of media that was really attached to a notification.
public struct Attachment: Sendable, Hashable {
  /// What it is.
  public let kind: MediaKind
  /// Its size in bytes, 0 or more; nil if not told.
  public let bytes: Int64?
  /// Its width in pixels, 0 or more; nil if not told.
  public let width: Int64?
  /// Its height in pixels, 0 or more; nil if not told.
  public let height: Int64?
  /// How long it plays in seconds, 0 or more; nil if not told.
  public let seconds: Double?

  /// Checks the numbers.
  ///
  /// - Parameter field: the path that a fault names before the number's own name.
  /// - Throws: `number_out_of_range` for a negative or infinite number.
  public init(
    kind: MediaKind, bytes: Int64? = nil, width: Int64? = nil, height: Int64? = nil, seconds: Double? = nil,
    field: @autoclosure () -> String = "attachments[]"
  ) throws(EventFault) {
    if (bytes ?? 0) < 0 { throw Attachment.outOfRange("\(field()).bytes") }
    if (width ?? 0) < 0 { throw Attachment.outOfRange("\(field()).width") }
    if (height ?? 0) < 0 { throw Attachment.outOfRange("\(field()).height") }
    if let seconds, !(seconds.isFinite && seconds >= 0) { throw Attachment.outOfRange("\(field()).seconds") }
    self.kind = kind
    self.bytes = bytes
    self.width = width
    self.height = height
    // −0 becomes 0, so that equal numbers have equal bits.
    self.seconds = seconds.map { $0 + 0 }
  }

  private static func outOfRange(_ field: String) -> EventFault {
    EventFault(
      field: field, code: .numberOutOfRange,
      message: "\(field) is negative or infinite; send a number from 0 on")
  }
}
