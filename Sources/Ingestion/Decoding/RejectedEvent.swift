package import EngagementEvents

/// An event that was rejected, fit to be kept: without its reply text and device id.
package struct RejectedEvent: Sendable, Hashable {
  /// Its position among the events of the body, from 0.
  package var index: Int
  /// Its `id` as sent, cut to 64 characters; nil if it could not be read.
  package var id: String?
  /// Its `deviceId`, for a keyed hash only; nil if it could not be read.
  package var deviceID: String?
  /// The rule that it breaks.
  package var fault: EventFault
  /// Its bytes as sent, with `null` in place of the values of `replyText` and `deviceId` at any depth and in any
  /// spelling near to these. Where brackets, commas or quotation marks are at fault, nothing is kept from the first
  /// fault on, or from the first field that is not known to be harmless, whichever comes first.
  package var redacted: [UInt8]
}
