import EngagementEvents

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// An event to post, as JSON, with fields that can be replaced or left out.
struct Event {
  private var fields: [(name: String, value: String)]

  /// - Parameters:
  ///   - number: makes the id, and the notification's unless told.
  ///   - hoursAgo: when it happened, before the tests began, so that the same call makes the same event.
  init(
    _ number: Int, _ type: String = "expanded", notification: String? = nil, device: String = "D1",
    hoursAgo: Double = 1
  ) {
    fields = [
      ("id", Self.quoted(Self.id(number))), ("type", Self.quoted(type)),
      ("notificationId", Self.quoted(notification ?? "N\(number)")), ("deviceId", Self.quoted(device)),
      ("occurredAt", Self.quoted(Self.time(hoursAgo: hoursAgo, before: Self.start))),
    ]
    if type == "action" { fields.append(("actionId", Self.quoted("like"))) }
  }

  /// The same event with a field of this JSON value; nil leaves the field out.
  func with(_ name: String, _ value: String?) -> Event {
    var event = self
    if let place = fields.firstIndex(where: { $0.name == name }) {
      event.fields.remove(at: place)
      if let value { event.fields.insert((name, value), at: place) }
    } else if let value {
      event.fields.append((name, value))
    }
    return event
  }

  var json: String { "{" + fields.map { "\"\($0.name)\":\($0.value)" }.joined(separator: ",") + "}" }

  private static let start = Date()

  /// The id of this number.
  static func id(_ number: Int) -> String {
    let digits = String(number, radix: 16)
    return "00000000-0000-4000-8000-" + String(repeating: "0", count: 12 - digits.utf8.count) + digits
  }

  static func quoted(_ text: String) -> String {
    var bytes: [UInt8] = []
    bytes.appendJSONString(text)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// A time to the second, as the contract has it.
  static func time(hoursAgo: Double, before moment: Date = Date()) -> String {
    let seconds = Int64(moment.timeIntervalSince1970 - hoursAgo * 3_600)
    return Timestamp(microseconds: seconds * 1_000_000).rfc3339
  }
}
