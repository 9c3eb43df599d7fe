import EngagementEvents

/// A strict walk over the JSON of one event that tells what is wrong with it, and where.
///
/// The fast parser knows only that something is. This one runs only then, so it may be slow; it takes exactly the
/// language of RFC 8259, with the contract's depth, and repeats nothing of what it reads.
struct JSONDiagnosis {
  let bytes: [UInt8]
  var position = 0
  private var path = FieldPath()
  private var depth = 0
  private let maximalDepth: Int

  /// What is wrong, at the path and the offset where the walk stands.
  struct Flaw: Error {
    var code: EventFault.Code
    var reason: String
  }

  private init(_ bytes: [UInt8], depth: Int) {
    self.bytes = bytes
    maximalDepth = depth
  }

  /// The first fault in the JSON, or nil if there is none.
  ///
  /// - Parameter subject: what the bytes are, as the message calls it.
  static func firstFault(
    in bytes: [UInt8], of subject: String = "the event", depth: Int = EventLimits.nestingDepth
  ) -> EventFault? {
    guard let (walk, flaw) = walk(bytes, depth: depth) else { return nil }
    let place = walk.path.text
    return EventFault(
      field: place, code: flaw.code,
      message:
        "\(place.isEmpty ? subject : place) is not valid JSON at byte \(walk.position) of \(subject): "
        + flaw.reason)
  }

  /// The same with the offset of the fault, for a message that names the place otherwise.
  static func firstFlaw(in bytes: [UInt8], depth: Int = EventLimits.nestingDepth) -> (
    offset: Int, reason: String
  )? {
    walk(bytes, depth: depth).map { ($0.position, $1.reason) }
  }

  /// The walk that came upon a fault, and the fault; nil where there is none.
  private static func walk(_ bytes: [UInt8], depth: Int) -> (JSONDiagnosis, Flaw)? {
    var walk = JSONDiagnosis(bytes, depth: depth)
    do throws(Flaw) {
      walk.skipBlanks()
      try walk.value()
      walk.skipBlanks()
      if walk.position < bytes.count { throw Flaw(code: .invalidJSON, reason: "something follows the value") }
      return nil
    } catch {
      return (walk, error)
    }
  }

  /// The text of a JSON string with its quotation marks, or nil if it is not valid.
  static func text(of string: [UInt8]) -> String? {
    var walk = JSONDiagnosis(string, depth: 0)
    return try? walk.string()
  }

  var byte: UInt8? { position < bytes.count ? bytes[position] : nil }

  private mutating func skipBlanks() {
    while let byte, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { position += 1 }
  }

  private mutating func value() throws(Flaw) {
    switch byte {
    case UInt8(ascii: "{"): try container { (walk) throws(Flaw) in try walk.members() }
    case UInt8(ascii: "["): try container { (walk) throws(Flaw) in try walk.elements() }
    case UInt8(ascii: "\""): _ = try string()
    case let byte? where byte == UInt8(ascii: "-") || byte.isDigit: try number()
    default: try literal()
    }
  }

  private mutating func container(_ body: (inout JSONDiagnosis) throws(Flaw) -> Void) throws(Flaw) {
    guard depth < maximalDepth else {
      throw Flaw(code: .tooDeep, reason: "objects and arrays may lie \(maximalDepth) deep")
    }
    depth += 1
    position += 1
    skipBlanks()
    try body(&self)
    depth -= 1
  }

  private mutating func members() throws(Flaw) {
    if byte == UInt8(ascii: "}") { return position += 1 }
    let place = path
    while true {
      guard byte == UInt8(ascii: "\"") else {
        throw Flaw(code: .invalidJSON, reason: "a field's name is expected")
      }
      let key = try string()
      skipBlanks()
      guard byte == UInt8(ascii: ":") else {
        throw Flaw(code: .invalidJSON, reason: "a colon is expected behind a field's name")
      }
      // Only now is it sure to be a name.
      path.append(key: key)
      position += 1
      skipBlanks()
      try value()
      path = place
      if try isLast(closing: UInt8(ascii: "}")) { return }
    }
  }

  private mutating func elements() throws(Flaw) {
    if byte == UInt8(ascii: "]") { return position += 1 }
    let place = path
    var index = 0
    while true {
      path.append(position: index)
      try value()
      path = place
      index += 1
      if try isLast(closing: UInt8(ascii: "]")) { return }
    }
  }

  /// Goes over the comma to the next value, or over the closing bracket.
  private mutating func isLast(closing: UInt8) throws(Flaw) -> Bool {
    skipBlanks()
    switch byte {
    case closing:
      position += 1
      return true
    case UInt8(ascii: ","):
      position += 1
      skipBlanks()
      if byte == closing {
        throw Flaw(code: .invalidJSON, reason: "a comma stands before the closing bracket")
      }
      return false
    default: throw Flaw(code: .invalidJSON, reason: "a comma or a closing bracket is expected")
    }
  }

  private mutating func literal() throws(Flaw) {
    for word in ["true", "false", "null"] where bytes[position...].starts(with: word.utf8) {
      let end = position + word.utf8.count
      guard end == bytes.count || !bytes[end].continuesWord else { break }
      return position = end
    }
    for word in ["NaN", "Infinity", "nan", "inf"] where bytes[position...].starts(with: word.utf8) {
      throw Flaw(code: .invalidNumber, reason: "JSON has no \(word); leave the field out")
    }
    throw Flaw(
      code: .invalidJSON,
      reason: "a value is expected: a string, a number, true, false, null, an array or an object")
  }
}
