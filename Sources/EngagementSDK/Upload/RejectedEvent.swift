/// One event that the server put aside; it will not be sent again.
public struct RejectedEvent: Sendable, Hashable, Decodable {
  /// The event's id as sent; nil where the server could not read it.
  public var id: String?
  /// The path of the field at fault; empty for the event as a whole.
  public var field: String
  /// The kind of fault.
  public var code: String
  /// The fault in a sentence.
  public var message: String
}
