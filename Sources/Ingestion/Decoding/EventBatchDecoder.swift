package import EngagementEvents

/// Turns a request body into events and faults.
///
/// One event with a fault in its values, its text, its numbers or its depth fails alone. Where brackets, commas or
/// quotation marks do not add up, nobody can tell where the next event begins, and the body fails as a whole; as lines
/// (NDJSON), even then only the line does.
///
/// A decoder keeps its buffers for the next body. It serves one thread at a time: make one for each.
package final class EventBatchDecoder {
  let reader: JSONReader

  /// Makes a decoder with buffers of its own.
  package init() {
    reader = JSONReader(depth: EventLimits.nestingDepth)
  }

  /// Decodes a body.
  ///
  /// A byte-order mark of UTF-8 is skipped. A body without events is valid, as long as it is not empty as JSON.
  ///
  /// - Parameters:
  ///   - body: the bytes, inflated.
  ///   - format: how the events are joined.
  ///   - limits: the contract's, unless an import needs more.
  /// - Throws: the fault for which the whole body is refused.
  package func decode(
    _ body: [UInt8], format: BodyFormat, limits: DecodingLimits = DecodingLimits()
  ) throws(RequestFault) -> DecodedBatch {
    let start = try BodyScan.startOfText(in: body)
    try reader.load(body)
    var scan = BodyScan(body, from: start, limits: limits)
    switch format {
    case .json: try scan.json(with: self)
    case .ndjson: try scan.lines(with: self)
    }
    return scan.batch
  }

  /// Decodes the one event that bytes are, such as the body of a dead letter, in which the device id is not told.
  ///
  /// - Parameters:
  ///   - index: its place, for a rejection to tell.
  ///   - device: the device of an event that names none.
  ///   - unknownFields: is raised by the number of those that an accepted event has.
  package func decode(
    event: [UInt8], index: Int, device: DeviceID? = nil, unknownFields: inout Int
  ) throws(RequestFault) -> DecodedEvent {
    try reader.load(event)
    return try self.event(
      in: event.indices, of: event, index: index, limits: DecodingLimits(), device: device,
      unknownFields: &unknownFields)
  }

  /// Decodes the event that fills a part of the body.
  func event(
    in part: Range<Int>, of body: [UInt8], index: Int, limits: DecodingLimits, device: DeviceID? = nil,
    unknownFields: inout Int
  ) throws(RequestFault) -> DecodedEvent {
    guard part.count <= limits.eventBytes else {
      let fault = EventFault(
        field: "", code: .eventTooLarge,
        message: "the event has \(Self.size(part)) bytes; send at most \(limits.eventBytes)")
      return reject(part, of: body, index: index, fault: fault)
    }
    guard let tape = try reader.parse(part) else {
      let fault =
        JSONDiagnosis.firstFault(in: Array(body[part]))
        ?? EventFault(
          field: "", code: .invalidJSON, message: "the event is not valid JSON; check how it is written")
      return reject(part, of: body, index: index, fault: fault)
    }
    var mapper = EventMapper(tape, device: device)
    do throws(EventFault) {
      let event = try mapper.event()
      unknownFields += mapper.unknownFields
      return .event(event, warnings: event.warnings)
    } catch {
      return reject(part, of: body, index: index, fault: error)
    }
  }

  /// Of a line that was cut as it was read, nobody knows the rest.
  private static func size(_ part: Range<Int>) -> String {
    part.count < LineReader.keptBytes ? "\(part.count)" : "\(LineReader.keptBytes) or more"
  }

  private func reject(
    _ part: Range<Int>, of body: [UInt8], index: Int, fault: EventFault
  ) -> DecodedEvent {
    let redactor = EventRedactor(Array(body[part]))
    return .rejected(
      RejectedEvent(
        index: index, id: redactor.id.map { String($0.prefix(EventLimits.echoedCharacters)) },
        deviceID: redactor.deviceID, fault: fault, redacted: redactor.redacted))
  }
}

extension EventBatchDecoder: BodyDecoder {
  var listName: String { FieldName.Inner.events.rawValue }

  func endOfValue(at offset: Int) throws(RequestFault) -> Int { try reader.endOfValue(at: offset) }
  func parse(_ part: Range<Int>) throws(RequestFault) -> JSONTape? { try reader.parse(part) }

  func read(
    _ part: Range<Int>, of body: [UInt8], limits: DecodingLimits, into batch: inout DecodedBatch
  ) throws(RequestFault) {
    let result = try event(
      in: part, of: body, index: batch.results.count, limits: limits, unknownFields: &batch.unknownFieldCount)
    batch.results.append(result)
  }

  func read(
    field key: String, at start: Int, _ tape: JSONTape, into batch: inout DecodedBatch
  ) throws(RequestFault) {
    guard key.isExactly(FieldName.Inner.sentAt.rawValue) else { return batch.unknownFieldCount += 1 }
    if tape.kind(JSONTape.root) == .null { return }
    guard tape.kind(JSONTape.root) == .string else {
      throw RequestFault(
        code: .invalidSentAt,
        message: "sentAt is \(tape.kind(JSONTape.root).name); send an RFC 3339 time as a string",
        offset: start)
    }
    do throws(EventFault) {
      batch.sentAt = try Timestamp(rfc3339: tape.text(JSONTape.root), field: key)
    } catch {
      // It serves the clock's correction only, and a clock that is far off is the last thing to lose events for.
      batch.warning = .invalidSentAt(error)
    }
  }

  func fault(ofFields keys: Set<ExactText>) -> RequestFault {
    let isEvent = [EventField.id, .type].contains { keys.contains(ExactText($0.rawValue)) }
    return .unknownShape(isEvent ? "the body is a single event" : "the body has no field “events”")
  }
}
