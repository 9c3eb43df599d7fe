import EngagementEvents

/// A walk over a body from event to event.
struct BodyScan {
  private(set) var batch = DecodedBatch()
  private let body: [UInt8]
  private let limits: DecodingLimits
  private var position: Int

  init(_ body: [UInt8], from start: Int, limits: DecodingLimits) {
    self.body = body
    self.limits = limits
    position = start
  }

  private var byte: UInt8? { position < body.count ? body[position] : nil }

  private mutating func skipBlanks() {
    while let byte, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { position += 1 }
  }

  private mutating func append(_ part: Range<Int>, with decoder: some BodyDecoder) throws(RequestFault) {
    guard batch.count < limits.events else { throw .tooManyEvents(limits.events) }
    try decoder.read(part, of: body, limits: limits, into: &batch)
  }

  /// Reads an event a line. A line feed cannot stand within a JSON value's strings, so a broken line ends at its own.
  mutating func lines(with decoder: some BodyDecoder) throws(RequestFault) {
    while true {
      skipBlanks()
      guard position < body.count else { return }
      let end = body[position...].firstIndex(of: UInt8(ascii: "\n")) ?? body.count
      var last = end
      while body[last - 1] == 0x20 || body[last - 1] == 0x0D || body[last - 1] == 0x09 { last -= 1 }
      try append(position..<last, with: decoder)
      position = end
    }
  }

  /// Reads an array of events, or the object around it.
  mutating func json(with decoder: some BodyDecoder) throws(RequestFault) {
    skipBlanks()
    switch byte {
    case nil:
      throw RequestFault(
        code: .emptyBody, message: "the body is empty; send at least an empty array of events")
    case UInt8(ascii: "["): try array(with: decoder)
    case UInt8(ascii: "{"): try envelope(with: decoder)
    default: throw .unknownShape("the body is neither an array nor an object", at: position)
    }
    skipBlanks()
    if position < body.count { throw .invalidJSON("something follows the end", at: position) }
  }

  private mutating func array(with decoder: some BodyDecoder) throws(RequestFault) {
    position += 1
    skipBlanks()
    if byte == UInt8(ascii: "]") { return position += 1 }
    // Few events are shorter than this.
    batch.results.reserveCapacity(min(limits.events, (body.count - position) / 192 + 1))
    while true {
      let end = try decoder.endOfValue(at: position)
      try append(position..<end, with: decoder)
      position = end
      if try isLast(closing: UInt8(ascii: "]")) { return }
    }
  }

  private static let cutOff = "the body ends too early; was it cut off?"

  /// Goes over the comma to the next value, or over the closing bracket.
  private mutating func isLast(closing: UInt8) throws(RequestFault) -> Bool {
    skipBlanks()
    let isLast = byte == closing
    guard isLast || byte == UInt8(ascii: ",") else {
      throw .invalidJSON(
        byte == nil ? Self.cutOff : "a comma or a closing bracket is expected",
        at: position)
    }
    position += 1
    if !isLast { skipBlanks() }
    return isLast
  }

  private mutating func envelope(with decoder: some BodyDecoder) throws(RequestFault) {
    position += 1
    skipBlanks()
    var keys: Set<ExactText> = []
    if byte == UInt8(ascii: "}") {
      position += 1
    } else {
      repeat { try member(seen: &keys, with: decoder) } while try !isLast(closing: UInt8(ascii: "}"))
    }
    if !keys.contains(ExactText(decoder.listName)) { throw decoder.fault(ofFields: keys) }
  }

  private mutating func member(
    seen keys: inout Set<ExactText>, with decoder: some BodyDecoder
  ) throws(RequestFault) {
    guard byte == UInt8(ascii: "\"") else { throw .invalidJSON("a field's name is expected", at: position) }
    let keyStart = position
    position = try decoder.endOfValue(at: position)
    let tape = try parse(keyStart..<position, with: decoder)
    let key = tape.text(JSONTape.root)
    guard keys.insert(ExactText(key)).inserted else {
      throw RequestFault(
        code: .duplicateKey, message: "the field \(EventFault.quote(key)) stands twice; send it once",
        offset: keyStart)
    }
    skipBlanks()
    guard byte == UInt8(ascii: ":") else {
      throw .invalidJSON("a colon is expected behind a field's name", at: position)
    }
    position += 1
    skipBlanks()
    if key.isExactly(decoder.listName) {
      guard let byte else { throw .invalidJSON(Self.cutOff, at: position) }
      guard byte == UInt8(ascii: "[") else {
        throw RequestFault(
          code: .unknownShape, message: "the field “\(key)” is not an array; send one of events",
          offset: position)
      }
      try array(with: decoder)
    } else {
      try field(key, with: decoder)
    }
  }

  /// Reads a field beside the events.
  private mutating func field(_ key: String, with decoder: some BodyDecoder) throws(RequestFault) {
    let start = position
    position = try decoder.endOfValue(at: start)
    let tape = try parse(start..<position, with: decoder)
    try decoder.read(field: key, at: start, tape, into: &batch)
  }

  /// The tokens of a value around the events, which has to be valid as a whole.
  private func parse(_ part: Range<Int>, with decoder: some BodyDecoder) throws(RequestFault) -> JSONTape {
    guard let tape = try decoder.parse(part) else {
      let flaw = JSONDiagnosis.firstFlaw(in: Array(body[part]))
      throw .invalidJSON(
        flaw?.reason ?? "this is no value", at: part.lowerBound + (flaw?.offset ?? 0))
    }
    if tape.nullCharacter != nil {
      throw .invalidJSON("a string holds U+0000; remove it", at: part.lowerBound)
    }
    if tape.duplicateKey != nil {
      throw RequestFault(
        code: .duplicateKey, message: "a field beside the events stands twice in an object; send it once",
        offset: part.lowerBound)
    }
    return tape
  }
}
