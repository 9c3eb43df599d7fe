extension EngagementEvent {
  /// The event as JSON in the contract's form: fields in the contract's order, absent ones left out.
  ///
  /// `occurredAt` is written as it was sent, so that a resend is the same.
  public var jsonBytes: [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(320)
    appendJSON(to: &bytes)
    return bytes
  }

  /// The same without device id and reply text, for records that must not hold them.
  public var redactedJSONBytes: [UInt8] {
    var bytes: [UInt8] = []
    appendJSON(to: &bytes, isRedacted: true)
    return bytes
  }

  /// Appends ``jsonBytes`` to bytes.
  public func appendJSON(to bytes: inout [UInt8]) { appendJSON(to: &bytes, isRedacted: false) }

  private func appendJSON(to bytes: inout [UInt8], isRedacted: Bool) {
    bytes.append(contentsOf: #"{"id":""#.utf8)
    bytes.append(contentsOf: id.text.utf8)
    bytes.append(UInt8(ascii: "\""))
    bytes.appendField(.type, type.rawValue)
    bytes.appendField(.notificationId, notificationID.text)
    if !isRedacted { bytes.appendField(.deviceId, deviceID.text) }
    if category != .none { bytes.appendField(.category, category.text) }
    bytes.appendField(.occurredAt, occurredAt.raw)
    if let sequence { bytes.appendField(.sequence, literal: String(sequence)) }
    if let source { bytes.appendField(.source, source.rawValue) }
    if let experiment {
      bytes.appendKey(.experiment)
      bytes.append(contentsOf: #"{"name":"#.utf8)
      bytes.appendJSONString(experiment.name)
      bytes.append(contentsOf: #","arm":"#.utf8)
      bytes.appendJSONString(experiment.arm)
      bytes.append(UInt8(ascii: "}"))
    }
    switch detail {
    case .delivered(let delivery): delivery.appendJSONFields(to: &bytes)
    case .expanded: break
    case .action(let action):
      bytes.appendField(.actionId, action.actionID.text)
      if !isRedacted, let reply = action.replyText { bytes.appendField(.replyText, reply.text) }
    }
    bytes.append(UInt8(ascii: "}"))
  }
}

extension Delivery {
  /// The fields of a delivery alone as a JSON object in the contract's form, absent ones left out.
  public var jsonBytes: [UInt8] {
    var fields: [UInt8] = []
    appendJSONFields(to: &fields)
    return [UInt8(ascii: "{")] + fields.dropFirst() + [UInt8(ascii: "}")]
  }

  fileprivate func appendJSONFields(to bytes: inout [UInt8]) {
    if !attachments.isEmpty {
      bytes.appendKey(.attachments)
      bytes.appendJSONArray(attachments) { attachment, bytes in attachment.appendJSON(to: &bytes) }
    }
    if let intended {
      bytes.appendKey(.intended)
      bytes.appendJSONArray(intended) { kind, bytes in bytes.appendJSONString(kind.rawValue) }
    }
    if let fallback { bytes.appendField(.fallback, fallback.rawValue) }
    if customInterface { bytes.appendField(.customInterface, literal: "true") }
    if !actions.isEmpty {
      bytes.appendKey(.actions)
      bytes.appendJSONArray(actions) { action, bytes in bytes.appendJSONString(action.text) }
    }
    if let interruptionLevel { bytes.appendField(.interruptionLevel, interruptionLevel.rawValue) }
    if let relevanceScore { bytes.appendField(.relevanceScore, literal: String(relevanceScore)) }
    if let threadID { bytes.appendField(.threadId, threadID) }
    if let appVersion { bytes.appendField(.appVersion, appVersion) }
    if let locale { bytes.appendField(.locale, locale) }
  }
}

extension Attachment {
  fileprivate func appendJSON(to bytes: inout [UInt8]) {
    bytes.append(contentsOf: #"{"kind":"#.utf8)
    bytes.appendJSONString(kind.rawValue)
    for (name, number) in [("bytes", self.bytes), ("width", width), ("height", height)] {
      if let number { bytes.append(contentsOf: ",\"\(name)\":\(number)".utf8) }
    }
    if let seconds { bytes.append(contentsOf: ",\"seconds\":\(seconds)".utf8) }
    bytes.append(UInt8(ascii: "}"))
  }
}

extension [UInt8] {
  /// Appends a comma and the field's name with its colon.
  fileprivate mutating func appendKey(_ field: EventField) {
    append(contentsOf: ",\"".utf8)
    append(contentsOf: field.rawValue.utf8)
    append(contentsOf: "\":".utf8)
  }

  fileprivate mutating func appendField(_ field: EventField, _ text: String) {
    appendKey(field)
    appendJSONString(text)
  }

  fileprivate mutating func appendField(_ field: EventField, literal: String) {
    appendKey(field)
    append(contentsOf: literal.utf8)
  }

  fileprivate mutating func appendJSONArray<Value>(
    _ values: [Value], _ appendValue: (Value, inout [UInt8]) -> Void
  ) {
    append(UInt8(ascii: "["))
    for (position, value) in values.enumerated() {
      if position > 0 { append(UInt8(ascii: ",")) }
      appendValue(value, &self)
    }
    append(UInt8(ascii: "]"))
  }

  /// Appends a string in quotation marks; only what JSON demands is escaped.
  package mutating func appendJSONString(_ text: String) {
    append(UInt8(ascii: "\""))
    if text.withUTF8Span({ $0.needsNoEscape }) {
      append(contentsOf: text.utf8)
    } else {
      for byte in text.utf8 { appendEscaped(byte) }
    }
    append(UInt8(ascii: "\""))
  }

  private mutating func appendEscaped(_ byte: UInt8) {
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"):
      append(UInt8(ascii: "\\"))
      append(byte)
    case UInt8(ascii: "\n"): append(contentsOf: "\\n".utf8)
    case UInt8(ascii: "\r"): append(contentsOf: "\\r".utf8)
    case UInt8(ascii: "\t"): append(contentsOf: "\\t".utf8)
    case 0..<0x20:
      append(contentsOf: byte < 0x10 ? "\\u000".utf8 : "\\u001".utf8)
      append(contentsOf: String(byte & 15, radix: 16).utf8)
    default: append(byte)
    }
  }
}

extension Span<UInt8> {
  /// Whether the bytes can stand in a JSON string as they are.
  fileprivate var needsNoEscape: Bool {
    !contains(where: { $0 < 0x20 || $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\") })
  }
}
