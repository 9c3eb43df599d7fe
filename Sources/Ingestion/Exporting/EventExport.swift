internal import EngagementEvents
package import EventStore
internal import ForeignEvents
internal import Postgres

/// Writes stored events in forms that others read, and that an import takes back. Serves one thread.
package final class EventExport {
  private let decoder = ForeignDecoder()

  package init() {}

  /// How events are written.
  package enum Format: String, Sendable, Hashable, CaseIterable {
    /// In the contract's form, an event a line.
    case ndjson
    /// Calls of a Segment-compatible client, one a line.
    case segment
    /// A header and an event a row, with the columns that an import knows.
    case csv
  }

  /// The names of the columns of CSV, in order.
  package static let columns = CSVColumns.names

  /// The cells of an event under `columns`, with nil for what it does not have. Lists are JSON.
  package func cells(of event: StoredEvent) -> [String?] {
    var cells: [String: String] = [:]
    cells["id"] = event.id.description
    cells["type"] = event.type.rawValue
    cells["notificationId"] = event.notificationID
    cells["deviceId"] = StoredEvent.deviceKeyPrefix + event.deviceKey.description
    cells["category"] = event.category.isEmpty ? nil : event.category
    cells["occurredAt"] = event.occurredAt
    cells["sequence"] = event.sequence.map { String($0) }
    cells["source"] = event.source?.rawValue
    cells["experiment.name"] = event.experiment
    cells["experiment.arm"] = event.arm
    cells["actionId"] = event.actionID
    cells["replyText"] = event.replyText
    cells["replyLength"] = event.replyLength.map { String($0) }
    cells["replyWithheld"] = event.isReplyWithheld ? "true" : nil
    forEachDetail(of: event) { name, value in
      var json: [UInt8] = []
      value.appendJSON(to: &json)
      cells[name] = value.kind == .text ? value.text : String(decoding: json, as: UTF8.self)
    }
    return Self.columns.map { cells[$0] }
  }

  /// Appends the event as a call, with our own fields as properties.
  package func appendSegmentCall(of event: StoredEvent, to bytes: inout [UInt8]) {
    let device = StoredEvent.deviceKeyPrefix + event.deviceKey.description
    var context = JSONMembers()
    var properties = JSONMembers()
    context.append("device", json: Array(#"{"id":"\#(device)"}"#.utf8))
    properties.append("notificationId", event.notificationID)
    properties.append("category", event.category.isEmpty ? nil : event.category)
    properties.append("sequence", json: event.sequence.map { Array(String($0).utf8) })
    properties.append("source", event.source?.rawValue)
    if let experiment = event.experiment, let arm = event.arm {
      var members = JSONMembers()
      members.append("name", experiment)
      members.append("arm", arm)
      properties.append("experiment", json: members.object)
    }
    var tellsMedia = false
    forEachDetail(of: event) { name, value in
      var json: [UInt8] = []
      value.appendJSON(to: &json)
      switch name {
      case "appVersion": context.append("app", json: Array(#"{"version":"#.utf8) + json + [UInt8(ascii: "}")])
      case "locale": context.append("locale", json: json)
      default:
        tellsMedia = tellsMedia || name == "attachments" || name == "intended"
        properties.append(name, json: json)
      }
    }
    // Without it a reader could not tell text-only from unknown.
    if event.type == .delivered, !tellsMedia { properties.append("attachments", json: Array("[]".utf8)) }
    properties.append("action", event.actionID)
    properties.append("actionId", event.actionID)
    properties.append("replyText", event.replyText)
    properties.append("replyLength", json: event.replyLength.map { Array(String($0).utf8) })
    if event.isReplyWithheld {
      properties.append("replyWithheld", json: Array("true".utf8))
    }

    var call = JSONMembers()
    call.append("type", "track")
    call.append("event", "Push Notification " + Self.name(of: event))
    call.append("messageId", event.id.description)
    call.append("anonymousId", device)
    call.append("originalTimestamp", event.occurredAt)
    call.append("timestamp", event.occurredAt)
    call.append("receivedAt", event.receivedAt.rfc3339)
    call.append("context", json: context.object)
    call.append("properties", json: properties.object)
    bytes += call.object
  }

  private static func name(of event: StoredEvent) -> String {
    switch (event.type, event.actionID) {
    case (.delivered, _): "Received"
    case (.expanded, _): "Expanded"
    // Before the dismissal, which has no text: one that came with a text is the same event again only with it.
    case (.action, _) where event.hasReply: "Replied"
    case (.action, ActionID.dismiss.text?): "Dismissed"
    case (.action, _): "Tapped"
    }
  }

  private func forEachDetail(of event: StoredEvent, _ body: (String, TapeNode) -> Void) {
    guard let detail = event.detail else { return }
    // What Postgres gives as JSON is JSON.
    try? decoder.withRecord(detail.utf8) { record in
      for member in record.members { body(member.name, member.value) }
    }
  }
}

/// The members of a JSON object, as they are added.
private struct JSONMembers {
  private var bytes: [UInt8] = []

  /// Nothing for nil.
  mutating func append(_ name: String, _ text: String?) {
    guard let text else { return }
    var json: [UInt8] = []
    json.appendJSONString(text)
    append(name, json: json)
  }

  /// Nothing for nil.
  mutating func append(_ name: String, json: [UInt8]?) {
    guard let json else { return }
    if !bytes.isEmpty { bytes.append(UInt8(ascii: ",")) }
    bytes.appendJSONString(name)
    bytes.append(UInt8(ascii: ":"))
    bytes += json
  }

  var object: [UInt8] { [UInt8(ascii: "{")] + bytes + [UInt8(ascii: "}")] }
}
