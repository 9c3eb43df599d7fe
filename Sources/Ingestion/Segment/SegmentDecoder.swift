internal import EngagementEvents
internal import ForeignEvents

/// Turns a body of a Segment-compatible client into events and faults, with the same translation as an import.
///
/// Serves one thread at a time.
final class SegmentDecoder {
  private let reader = JSONReader(depth: EventLimits.nestingDepth)
  private let events = EventBatchDecoder()
  private var place = RecordPlace.request(call: nil)
  private var translator: Translator { Translator(.segment, place: place) }

  /// - Parameter call: the call that the body is, such as `track`; nil for a batch of calls.
  /// - Throws: the fault for which the whole body is refused.
  func decode(_ body: [UInt8], call: String?) throws(RequestFault) -> DecodedBatch {
    let start = try BodyScan.startOfText(in: body)
    try reader.load(body)
    place = .request(call: call)
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
      let glance = glance(at: part, of: body)
      guard glance.isWhole else {
        throw RequestFault(
          code: body.allSatisfy { $0 <= 0x20 } ? .emptyBody : .invalidJSON,
          message: JSONDiagnosis.firstFault(in: Array(body[part]), of: "the body")?.message
            ?? "the body is not valid JSON")
      }
      // A value of it is at fault, not its form: it may be about something else.
      var batch = DecodedBatch()
      note(sentAt: glance.texts["sentAt"], writeKey: glance.texts["writeKey"], in: &batch)
      try read(part, of: body, limits: DecodingLimits(), into: &batch)
      return batch
    }
    guard tape.kind(JSONTape.root) == .object else {
      throw RequestFault(code: .unknownShape, message: "the body is no object; send a call")
    }
    var batch = DecodedBatch()
    note(
      sentAt: TapeNode(tape).member("sentAt")?.text, writeKey: TapeNode(tape).member("writeKey")?.text,
      in: &batch)
    try read(part, of: body, limits: DecodingLimits(), into: &batch)
    return batch
  }

  private func note(sentAt: String?, writeKey: String?, in batch: inout DecodedBatch) {
    // Clients that send no time, or an odd one, are not to lose their events for it.
    if let sentAt { batch.sentAt = try? Timestamp(rfc3339: sentAt, field: "sentAt") }
    if let writeKey, !writeKey.isEmpty { batch.writeKey = writeKey }
  }

  private func glance(at part: Range<Int>, of body: [UInt8]) -> CallGlance {
    CallGlance(part, of: body) { offset throws(RequestFault) in try reader.endOfValue(at: offset) }
  }

  /// Leaves a call out that is about something else, and rejects any other with what is wrong with it. Nothing of it is kept:
  /// nobody can tell which of its values are private.
  private func pass(
    over part: Range<Int>, of body: [UInt8], _ fault: @autoclosure () -> EventFault,
    into batch: inout DecodedBatch
  ) {
    let texts = glance(at: part, of: body).texts
    if case .other(let what) = SegmentCall.Subject(type: texts["type"], event: texts["event"], at: place) {
      return batch.ignore(what)
    }
    let id = texts["messageId"].flatMap { $0.isEmpty ? nil : EventID(.ownID($0), of: Self.system).text }
    batch.results.append(
      .rejected(RejectedEvent(index: batch.count, id: id, deviceID: nil, fault: fault(), redacted: [])))
  }

  private static let system = ForeignFormat.segment.rawValue
}

extension SegmentDecoder: BodyDecoder {
  var listName: String { "batch" }

  func endOfValue(at offset: Int) throws(RequestFault) -> Int { try reader.endOfValue(at: offset) }
  func parse(_ part: Range<Int>) throws(RequestFault) -> JSONTape? { try reader.parse(part) }

  func read(
    _ part: Range<Int>, of body: [UInt8], limits: DecodingLimits, into batch: inout DecodedBatch
  ) throws(RequestFault) {
    let index = batch.count
    guard part.count <= limits.eventBytes else {
      return pass(
        over: part, of: body,
        EventFault(
          field: "", code: .eventTooLarge,
          message: "the call has \(part.count) bytes; send at most \(limits.eventBytes)"),
        into: &batch)
    }
    guard let tape = try reader.parse(part) else {
      return pass(
        over: part, of: body,
        JSONDiagnosis.firstFault(in: Array(body[part]), of: "the call")
          ?? EventFault(field: "", code: .invalidJSON, message: "the call is not valid JSON"),
        into: &batch)
    }
    guard tape.kind(JSONTape.root) == .object else {
      let message = "the call is \(tape.kind(JSONTape.root).name); send an object"
      let fault = EventFault(field: "", code: .wrongType, message: message)
      return batch.results.append(
        .rejected(RejectedEvent(index: index, id: nil, deviceID: nil, fault: fault, redacted: [])))
    }
    switch translator.translate(TapeNode(tape)) {
    case .ignored(let what): batch.ignore(what)
    case .event(let event):
      let id = event.identity.map { EventID($0, of: Self.system) }
      var time: String?
      if case .text(let text) = event.occurredAt { time = text }
      // An app that posts here was made for it, and leaves attachments out where there are none; a file's may not have known.
      let lacks = event.lacks.subtracting(.richness)
      if !lacks.isEmpty { batch.lacks[index] = lacks }
      let decoded = try events.decode(
        event: event.json(id: id, occurredAt: time), index: index, unknownFields: &batch.unknownFieldCount)
      batch.results.append(id == nil ? Self.telling(TapeNode(tape).member("messageId"), decoded) : decoded)
    }
  }

  /// What is there instead of an id is not missing.
  private static func telling(_ messageID: TapeNode?, _ decoded: DecodedEvent) -> DecodedEvent {
    guard let messageID, case .rejected(var rejected) = decoded, rejected.fault == EventField.id.missing
    else {
      return decoded
    }
    let kind = messageID.tape.kind(messageID.index)
    rejected.fault =
      kind == .string
      ? EventFault(field: "id", code: .empty, message: "id is empty; make one for each event")
      : EventFault(field: "id", code: .wrongType, message: "id is \(kind.name); send a string")
    return .rejected(rejected)
  }

  func read(
    field key: String, at start: Int, _ tape: JSONTape, into batch: inout DecodedBatch
  ) throws(RequestFault) {
    switch ExactText(key) {
    case "sentAt": note(sentAt: TapeNode(tape).text, writeKey: nil, in: &batch)
    case "writeKey": note(sentAt: nil, writeKey: TapeNode(tape).text, in: &batch)
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
