internal import EngagementEvents
internal import ForeignEvents

/// Parses foreign records one at a time. Serves one thread.
final class ForeignDecoder {
  private let reader = JSONReader(depth: EventLimits.nestingDepth)

  /// Lends the one value that bytes are.
  ///
  /// - Parameter subject: what the bytes are, as messages call it.
  /// - Throws: what is wrong with them as JSON.
  func withRecord<Result>(
    _ bytes: [UInt8], of subject: String = "the record", _ body: (TapeNode) -> Result
  ) throws(EventFault) -> Result {
    let tape: JSONTape?
    do {
      try reader.load(bytes)
      tape = try reader.parse(bytes.indices)
    } catch {
      throw EventFault(field: "", code: .invalidJSON, message: error.message)
    }
    guard let tape else {
      throw JSONDiagnosis.firstFault(in: bytes, of: subject)
        ?? EventFault(field: "", code: .invalidJSON, message: "\(subject) is not valid JSON")
    }
    return body(TapeNode(tape))
  }
}

extension EventID {
  /// The id of a foreign event: its own where that is a UUID, otherwise a hash of what tells it from others, so that it
  /// is the same whenever it comes.
  init(_ identity: ForeignEvent.Identity, of system: String) {
    switch identity {
    case .ownID(let text):
      // Nearly all that are none tell it by their length; a fault with its message is not cheap.
      if text.utf8.count == 36, let id = try? EventID(text) {
        self = id
      } else {
        self.init(hashing: [system.utf8, text.utf8])
      }
    case .parts(let parts): self.init(hashing: [system.utf8] + parts.map(\.utf8))
    }
  }
}
