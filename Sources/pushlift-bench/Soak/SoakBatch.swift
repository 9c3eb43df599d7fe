internal import EngagementEvents
internal import EventStore
internal import Foundation
internal import Postgres

/// A request's worth of events, numbered within its poster, so that the store can be held against what was sent.
struct SoakBatch: Sendable {
  let poster: Int
  /// The number of its first event.
  let first: Int
  let count: Int
  /// A device whose events are the last three of this batch and nowhere else; nil for none.
  let doomedDevice: String?
  /// The same at every attempt.
  let body: [UInt8]

  /// Notifications of three events: delivered, expanded, replied to.
  static let eventsPerNotification = 3

  init(poster: Int, first: Int, count: Int, dooms: Bool, device: (Int) -> String) {
    self.poster = poster
    self.first = first
    self.count = count
    let dooms = dooms && count >= Self.eventsPerNotification
    let doomed = dooms ? "doomed-\(poster)-\(first)" : nil
    doomedDevice = doomed
    let now = Timestamp.now.rfc3339
    let ownEnd = first + count - (dooms ? Self.eventsPerNotification : 0)
    let events = (first..<first + count).map { number in
      Self.event(number, of: poster, device: number < ownEnd ? nil : doomed, usual: device, at: now)
    }
    body = Array("[\(events.joined(separator: ","))]".utf8)
  }

  /// The numbers of the doomed device's events.
  var doomed: Range<Int> {
    doomedDevice == nil ? first..<first : first + count - Self.eventsPerNotification..<first + count
  }

  static func isReply(_ number: Int) -> Bool { number % eventsPerNotification == 2 }

  /// All ids of a poster lie between those of 0 and of the greatest number.
  static func id(_ number: Int, of poster: Int) -> UUID128 {
    UUID128(high: 0x50AC_0000_0000_4000 | UInt64(poster) << 16, low: 1 << 63 | UInt64(number))
  }

  static func number(_ id: UUID128) -> Int { Int(id.low & (1 << 63 - 1)) }

  private static func event(
    _ number: Int, of poster: Int, device: String?, usual: (Int) -> String, at time: String
  ) -> String {
    let notification = number / eventsPerNotification
    let id = id(number, of: poster).description
    let device = device ?? usual(notification)
    let isRich = notification % 2 == 0
    let kind =
      switch number % eventsPerNotification {
      case 0:
        #""delivered","actions":["reply"]"#
          + (isRich ? #","intended":["image"],"attachments":[{"kind":"image"}]"# : "")
      case 1: #""expanded""#
      default: #""action","actionId":"reply","replyText":"words \#(number)""#
      }
    return #"{"id":"\#(id)","notificationId":"n-\#(poster)-\#(notification)","deviceId":"\#(device)","#
      + #""category":"category-\#(notification % 5)","occurredAt":"\#(time)","type":\#(kind)}"#
  }
}
