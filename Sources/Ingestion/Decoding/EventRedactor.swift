import EngagementEvents

/// Takes the private values out of the bytes of a rejected event, whatever is wrong with these.
///
/// It goes by brackets, commas, colons and quotation marks only, so that half a surrogate or a NaN is no obstacle, and
/// keeps its own stack, so that depth is none either.
struct EventRedactor {
  /// The `id`, as sent; nil if it could not be read.
  private(set) var id: String?
  /// The `deviceId`; nil if it could not be read.
  private(set) var deviceID: String?
  /// What may be kept of the event.
  private(set) var redacted: [UInt8] = []
  /// Whether brackets, commas and quotation marks add up to one value.
  private(set) var isWhole = false

  private let bytes: [UInt8]
  private var position = 0
  private var stack: [UInt8] = []
  /// The parts of the event that hold private values.
  private var privateParts: [Range<Int>] = []
  /// The value of a private field, while the walk is within it: where it begins and how deep it lies.
  private var privateStart: (position: Int, depth: Int)?
  /// The first field that is not known to be harmless.
  private var firstDoubt: Int?
  /// The name of the field whose value comes next, if it lies in the event itself.
  private var name: String?

  private struct Broken: Error {}

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    do throws(Broken) {
      try walk()
      redact()
      isWhole = true
    } catch {
      redacted = Array(bytes[..<min(position, firstDoubt ?? bytes.count)])
    }
  }

  private mutating func redact() {
    var start = 0
    for part in privateParts {
      redacted.append(contentsOf: bytes[start..<part.lowerBound])
      redacted.append(contentsOf: "null".utf8)
      start = part.upperBound
    }
    redacted.append(contentsOf: bytes[start...])
  }

  private var byte: UInt8? { position < bytes.count ? bytes[position] : nil }

  private mutating func skipBlanks() {
    while let byte, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { position += 1 }
  }

  /// Goes over the one value that the bytes are.
  private mutating func walk() throws(Broken) {
    skipBlanks()
    // A string or a number in the place of an event has no name that tells what it is.
    guard byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") else { throw Broken() }
    try value()
    var isFirst = true
    while let container = stack.last {
      skipBlanks()
      if byte == container + 2 {  // in ASCII, a closing bracket lies two behind its opening one
        position += 1
        stack.removeLast()
        endValue()
        isFirst = false
        continue
      }
      if !isFirst {
        guard byte == UInt8(ascii: ",") else { throw Broken() }
        position += 1
        skipBlanks()
      }
      if container == UInt8(ascii: "{") { try key() }
      let depth = stack.count
      try value()
      isFirst = stack.count > depth
    }
    skipBlanks()
    if position < bytes.count { throw Broken() }
  }

  /// Goes over a name and its colon.
  private mutating func key() throws(Broken) {
    let start = position
    let key = EventRedactor.text(of: try string())
    if !FieldPath.isName(key) {
      // Text that strayed to the place of a name may be private itself.
      position = start
      throw Broken()
    }
    skipBlanks()
    if privateStart == nil, firstDoubt == nil, !PrivateName.harmless.contains(key) { firstDoubt = start }
    guard byte == UInt8(ascii: ":") else { throw Broken() }
    position += 1
    skipBlanks()
    name = stack.count == 1 ? key : nil
    if privateStart == nil, PrivateName.matches(key) { privateStart = (position, stack.count) }
  }

  /// Goes over a scalar, or over the bracket that opens a container.
  private mutating func value() throws(Broken) {
    switch byte {
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      stack.append(bytes[position])
      position += 1
      return name = nil
    case UInt8(ascii: "\""):
      // In a list that lies in no object, it has no name either.
      guard stack.contains(UInt8(ascii: "{")) else { throw Broken() }
      note(try string())
    default:
      let start = position
      while let byte, !EventRedactor.delimiters.contains(byte) { position += 1 }
      guard EventRedactor.isHarmless(bytes[start..<position]) else {
        // Text that strayed out of its quotation marks.
        position = start
        throw Broken()
      }
    }
    endValue()
  }

  /// Goes over a string and gives its part of the bytes, quotation marks included.
  private mutating func string() throws(Broken) -> ArraySlice<UInt8> {
    guard byte == UInt8(ascii: "\"") else { throw Broken() }
    var end = position + 1
    while end < bytes.count, bytes[end] != UInt8(ascii: "\"") {
      end += bytes[end] == UInt8(ascii: "\\") ? 2 : 1
    }
    guard end < bytes.count else { throw Broken() }
    defer { position = end + 1 }
    return bytes[position...end]
  }

  private mutating func note(_ value: ArraySlice<UInt8>) {
    switch name {
    case EventField.id.rawValue where id == nil: id = EventRedactor.text(of: value)
    case EventField.deviceId.rawValue where deviceID == nil: deviceID = EventRedactor.text(of: value)
    default: break
    }
    name = nil
  }

  private mutating func endValue() {
    if let start = privateStart, start.depth == stack.count {
      privateParts.append(start.position..<position)
      privateStart = nil
    }
  }

  /// The text of a string with its escapes resolved; as it stands if they cannot be.
  private static func text(of string: ArraySlice<UInt8>) -> String {
    JSONDiagnosis.text(of: Array(string)) ?? String(decoding: string.dropFirst().dropLast(), as: UTF8.self)
  }

  /// Whether a bare value is a number, or a word that programs write in the place of one.
  private static func isHarmless(_ value: ArraySlice<UInt8>) -> Bool {
    let digits = value.allSatisfy { (0x30...0x39).contains($0) || numberMarks.contains($0) }
    return !value.isEmpty && (digits || words.contains(String(decoding: value, as: UTF8.self).lowercased()))
  }

  private static let numberMarks = Set("+-.eE".utf8)
  private static let words: Set = [
    "true", "false", "null", "none", "nil", "undefined", "nan", "inf", "infinity", "-inf", "-infinity",
  ]
  private static let delimiters = Set(",:{}[]\" \n\r\t".utf8)
}
