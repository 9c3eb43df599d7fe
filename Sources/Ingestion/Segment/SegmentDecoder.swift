internal import EngagementEvents
internal import ForeignEvents

/// Turns a body of a Segment-compatible client into events and faults, with the same translation as an import.
///
/// Serves one thread at a time.
final class SegmentDecoder {
  private let reader = JSONReader(depth: EventLimits.nestingDepth)
  private let events = EventBatchDecoder()
  private var translator = Translator(.segment, place: .request(call: nil))

  /// - Parameter call: the call that the body is, such as `track`; nil for a batch of calls.
  /// - Throws: the fault for which the whole body is refused.
  func decode(_ body: [UInt8], call: String?) throws(RequestFault) -> DecodedBatch {
    let start = try BodyScan.startOfText(in: body)
    try reader.load(body)
    translator = Translator(.segment, place: .request(call: call))
    if call != nil { return try single(body, from: start) }
    if body[start...].first(where: { $0 > 0x20 }) == UInt8(ascii: "[") {
      throw RequestFault(
        code: .unknownShape, message: "the body is an array; send it as the field “batch” of an object")
    }
    var scan = BodyScan(body, from: start, limits: DecodingLimits())
    try scan.json(with: self)
    return scan.batch
  }

  /// The fields that belong to the request lie in the call itself.
  private func single(_ body: [UInt8], from start: Int) throws(RequestFault) -> DecodedBatch {
    let part = start..<body.count
    guard let tape = try reader.parse(part) else {
      let reason = JSONDiagnosis.firstFault(in: Array(body[part]))?.message
      throw RequestFault(
        code: body.allSatisfy { $0 <= 0x20 } ? .emptyBody : .invalidJSON,
        message: reason ?? "the body is not valid JSON")
    }
    guard tape.kind(JSONTape.root) == .object else {
      throw RequestFault(code: .unknownShape, message: "the body is no object; send a call")
    }
    var batch = DecodedBatch()
    note(TapeNode(tape).member("sentAt"), TapeNode(tape).member("writeKey"), in: &batch)
    try read(part, of: body, limits: DecodingLimits(), into: &batch)
    return batch
  }

  private func note(_ sentAt: TapeNode?, _ writeKey: TapeNode?, in batch: inout DecodedBatch) {
    // Clients that send no time, or an odd one, are not to lose their events for it.
    if let sentAt { batch.sentAt = try? Timestamp(rfc3339: sentAt.text, field: "sentAt") }
    if let writeKey, writeKey.kind == .text { batch.writeKey = writeKey.text }
  }
}

extension SegmentDecoder: BodyDecoder {
  var listName: String { "batch" }

  func endOfValue(at offset: Int) throws(RequestFault) -> Int { try reader.endOfValue(at: offset) }
  func parse(_ part: Range<Int>) throws(RequestFault) -> JSONTape? { try reader.parse(part) }

  func read(
    _ part: Range<Int>, of body: [UInt8], limits: DecodingLimits, into batch: inout DecodedBatch
  ) throws(RequestFault) {
    let place = batch.count
    guard part.count <= limits.eventBytes else {
      let message = "the call has \(part.count) bytes; send at most \(limits.eventBytes)"
      return batch.results.append(
        .rejected(place, EventFault(field: "", code: .eventTooLarge, message: message)))
    }
    guard let tape = try reader.parse(part) else {
      let fault =
        JSONDiagnosis.firstFault(in: Array(body[part]))
        ?? EventFault(field: "", code: .invalidJSON, message: "the call is not valid JSON")
      return batch.results.append(.rejected(place, fault))
    }
    guard tape.kind(JSONTape.root) == .object else {
      let message = "the call is \(tape.kind(JSONTape.root).name); send an object"
      return batch.results.append(.rejected(place, EventFault(field: "", code: .wrongType, message: message)))
    }
    switch translator.translate(TapeNode(tape)) {
    case .ignored(let what):
      batch.ignored[what, default: 0] += 1
      batch.ignoredPlaces.append(place)
    case .event(let event):
      let id = event.identity.map { EventID($0, of: ForeignFormat.segment.rawValue) }
      var time: String?
      if case .text(let text) = event.occurredAt { time = text }
      // An app that posts here was made for it, and leaves attachments out where there are none; a file's may not have known.
      let lacks = event.lacks.subtracting(.richness)
      if !lacks.isEmpty { batch.lacks[place] = lacks }
      batch.results.append(
        try events.decode(
          event: event.json(id: id, occurredAt: time), index: place, unknownFields: &batch.unknownFieldCount))
    }
  }

  func read(
    field key: String, at start: Int, _ tape: JSONTape, into batch: inout DecodedBatch
  ) throws(RequestFault) {
    switch ExactText(key) {
    case "sentAt": note(TapeNode(tape), nil, in: &batch)
    case "writeKey": note(nil, TapeNode(tape), in: &batch)
    default: break
    }
  }

  func fault(ofFields keys: Set<ExactText>) -> RequestFault {
    RequestFault(
      code: .unknownShape,
      message: keys.contains("type")
        ? "the body is a single call; send it to its own path" : "the body has no field “batch”")
  }
}

extension DecodedEvent {
  /// A call of which nothing is kept: nobody can tell which of its values are private.
  fileprivate static func rejected(_ index: Int, _ fault: EventFault) -> DecodedEvent {
    .rejected(RejectedEvent(index: index, id: nil, deviceID: nil, fault: fault, redacted: []))
  }
}
