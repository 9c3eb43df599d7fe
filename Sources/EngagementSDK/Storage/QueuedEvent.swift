internal import EngagementEvents

/// An event as it lies in a journal: its JSON as it will be sent, and what the queue needs to know without reading that.
///
/// A record is its length and its checksum, four bytes each, then the bytes that these speak of. What a kill tears off
/// is the end of the last record of a file, and is known by either.
struct QueuedEvent: Hashable, Sendable {
  var id: EventID
  /// By the device's clock.
  var recordedAt: Timestamp
  /// Until when another record with the same id may come in this one's place; nil for one that stands.
  var heldUntil: Timestamp?
  var json: [UInt8]

  private static let frameSize = 8
  private static let headSize = 32
  /// No event is as large; what claims to be is rubbish.
  private static let largest = 1 << 20

  /// The record.
  var record: [UInt8] {
    var content: [UInt8] = []
    content.reserveCapacity(Self.headSize + json.count)
    content.appendLittleEndian(id.high)
    content.appendLittleEndian(id.low)
    content.appendLittleEndian(recordedAt.microseconds)
    content.appendLittleEndian(heldUntil?.microseconds ?? .min)
    content += json
    var record: [UInt8] = []
    record.reserveCapacity(Self.frameSize + content.count)
    record.appendLittleEndian(UInt32(content.count))
    record.appendLittleEndian(CRC32.checksum(content))
    return record + content
  }

  /// The whole records of a file, in order, and the place of each one's JSON.
  ///
  /// - Returns: also whether everything behind them is one torn record or nothing, as a kill leaves it.
  static func read(_ bytes: [UInt8]) -> (events: [(event: QueuedEvent, json: Range<Int>)], isIntact: Bool) {
    var events: [(QueuedEvent, Range<Int>)] = []
    var position = 0
    while bytes.count - position >= frameSize {
      let length = Int(bytes.littleEndian(UInt32.self, at: position))
      let start = position + frameSize
      guard (headSize...largest).contains(length) else { return (events, false) }
      // The rest of it was never written.
      guard bytes.count - start >= length else { return (events, true) }
      let content = bytes[start..<(start + length)]
      guard CRC32.checksum(content) == bytes.littleEndian(UInt32.self, at: position + 4) else {
        // Blocks may reach the disk out of order, but nothing follows the record during which the power went.
        return (events, start + length == bytes.count)
      }
      let held = Int64(bitPattern: content.littleEndian(UInt64.self, at: start + 24))
      let event = QueuedEvent(
        id: EventID(
          high: content.littleEndian(UInt64.self, at: start),
          low: content.littleEndian(UInt64.self, at: start + 8)),
        recordedAt: Timestamp(
          microseconds: Int64(bitPattern: content.littleEndian(UInt64.self, at: start + 16))),
        heldUntil: held == .min ? nil : Timestamp(microseconds: held),
        json: Array(content.dropFirst(headSize)))
      events.append((event, (start + headSize)..<(start + length)))
      position = start + length
    }
    return (events, true)
  }
}
