package import EngagementEvents
package import Postgres

extension StoredEvent {
  /// What stands before a device key in the place of a device id.
  package static let deviceKeyPrefix = "key:"

  /// The key that an exported device id tells; nil for ids of devices.
  package static func deviceKey(_ device: DeviceID) -> UUID128? {
    device.text.hasPrefix(deviceKeyPrefix) ? UUID128(device.text.dropFirst(deviceKeyPrefix.count)) : nil
  }

  /// Appends the event as JSON in the contract's form, and what the store knows beside it: `position`, `receivedAt`,
  /// `sentAt`, `correctedAt`, `timeQuality` and `replyLength`, or `replyWithheld` where not even that is kept of a reply.
  ///
  /// `deviceId` is `key:` and the device key, since the id itself is nowhere in the store.
  package func appendJSON(to bytes: inout [UInt8]) {
    bytes.append(contentsOf: #"{"id":""#.utf8)
    bytes.append(contentsOf: id.description.utf8)
    bytes.append(UInt8(ascii: "\""))
    bytes.appendMember("type", type.rawValue)
    bytes.appendMember("notificationId", notificationID)
    bytes.appendMember("deviceId", Self.deviceKeyPrefix + deviceKey.description)
    if !category.isEmpty { bytes.appendMember("category", category) }
    bytes.appendMember("occurredAt", occurredAt)
    bytes.appendMember("sequence", sequence)
    bytes.appendMember("source", source?.rawValue)
    appendExperiment(to: &bytes)
    appendDetail(to: &bytes)
    bytes.appendMember("actionId", actionID)
    bytes.appendMember("replyText", replyText)
    bytes.appendMember("replyLength", replyLength.map(Int64.init))
    if isReplyWithheld { bytes.append(contentsOf: #","replyWithheld":true"#.utf8) }
    bytes.appendMember("position", position)
    bytes.appendMember("receivedAt", receivedAt.rfc3339)
    bytes.appendMember("sentAt", sentAt?.rfc3339)
    bytes.appendMember("correctedAt", correctedAt.rfc3339)
    bytes.appendMember("timeQuality", timeQuality.word)
    bytes.append(UInt8(ascii: "}"))
  }

  private func appendExperiment(to bytes: inout [UInt8]) {
    guard let experiment, let arm else { return }
    bytes.append(contentsOf: #","experiment":{"name":"#.utf8)
    bytes.appendJSONString(experiment)
    bytes.appendMember("arm", arm)
    bytes.append(UInt8(ascii: "}"))
  }

  /// The members of the delivery's object, without its braces.
  private func appendDetail(to bytes: inout [UInt8]) {
    guard let members = detail?.utf8.dropFirst().dropLast(), !members.isEmpty else { return }
    bytes.append(UInt8(ascii: ","))
    bytes.append(contentsOf: members)
  }
}

extension TimeQuality {
  /// The word for it in exports.
  package var word: String {
    switch self {
    case .client: "client"
    case .corrected: "corrected"
    case .implausible: "implausible"
    }
  }
}

extension [UInt8] {
  /// A comma, the name and the text; nothing for nil.
  fileprivate mutating func appendMember(_ name: String, _ text: String?) {
    guard let text else { return }
    append(contentsOf: ",\"\(name)\":".utf8)
    appendJSONString(text)
  }

  fileprivate mutating func appendMember(_ name: String, _ number: Int64?) {
    guard let number else { return }
    append(contentsOf: ",\"\(name)\":\(number)".utf8)
  }
}
