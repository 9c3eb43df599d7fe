extension EngagementEvent {
  /// The event's content in a form that is the same for equal content and different for different content.
  ///
  /// It is what fingerprints are computed of. The order of JSON keys, the case of UUIDs, the offset and the padding of
  /// the time, and unknown fields are no part of it; an absent category is the empty one. The form begins with its
  /// version and has a length before each text and each list, so that no two events can run into the same bytes.
  public var canonicalBytes: [UInt8] { canonicalForm(device: deviceID.text) }

  /// The same with another text in the place of the device id, for where the device is told apart by other means.
  package func canonicalForm(device: String) -> [UInt8] {
    var writer = CanonicalWriter()
    writer.byte(1)  // the version of this form
    writer.integer(id.high)
    writer.integer(id.low)
    writer.text(notificationID.text)
    writer.text(device)
    writer.text(category.text)
    writer.integer(UInt64(bitPattern: occurredAt.instant.microseconds))
    writer.optional(sequence) { $0.integer(UInt64(bitPattern: $1)) }
    writer.optional(source) { $0.text($1.rawValue) }
    writer.optional(experiment) {
      $0.text($1.name)
      $0.text($1.arm)
    }
    writer.text(type.rawValue)
    switch detail {
    case .delivered(let delivery): writer.delivery(delivery)
    case .expanded: break
    case .action(let action):
      writer.text(action.actionID.text)
      writer.optional(action.replyText) { $0.text($1.text) }
    }
    return writer.bytes
  }
}

/// Writes values so that each tells where it ends.
private struct CanonicalWriter {
  private(set) var bytes: [UInt8] = []

  init() {
    bytes.reserveCapacity(256)
  }

  mutating func byte(_ byte: UInt8) {
    bytes.append(byte)
  }

  /// Eight bytes, the highest first.
  mutating func integer(_ number: UInt64) {
    for shift in stride(from: 56, through: 0, by: -8) {
      bytes.append(UInt8(truncatingIfNeeded: number >> UInt64(shift)))
    }
  }

  /// Seven bits a byte, the lowest first, the highest bit set on all but the last.
  mutating func count(_ count: Int) {
    var rest = count
    while rest >= 0x80 {
      bytes.append(UInt8(rest & 0x7F) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }

  mutating func text(_ text: String) {
    count(text.utf8.count)
    bytes.append(contentsOf: text.utf8)
  }

  mutating func optional<Value>(_ value: Value?, _ write: (inout CanonicalWriter, Value) -> Void) {
    byte(value == nil ? 0 : 1)
    if let value { write(&self, value) }
  }

  mutating func list<Element>(_ elements: [Element], _ write: (inout CanonicalWriter, Element) -> Void) {
    count(elements.count)
    for element in elements { write(&self, element) }
  }

  mutating func delivery(_ delivery: Delivery) {
    list(delivery.attachments) {
      $0.text($1.kind.rawValue)
      for number in [$1.bytes, $1.width, $1.height] {
        $0.optional(number) { $0.integer(UInt64(bitPattern: $1)) }
      }
      $0.optional($1.seconds) { $0.integer($1.bitPattern) }
    }
    optional(delivery.intended) { $0.list($1) { $0.text($1.rawValue) } }
    optional(delivery.fallback) { $0.text($1.rawValue) }
    byte(delivery.customInterface ? 1 : 0)
    list(delivery.actions) { $0.text($1.text) }
    optional(delivery.interruptionLevel) { $0.text($1.rawValue) }
    optional(delivery.relevanceScore) { $0.integer($1.bitPattern) }
    optional(delivery.threadID) { $0.text($1) }
    optional(delivery.appVersion) { $0.text($1) }
    optional(delivery.locale) { $0.text($1) }
  }
}
