internal import EngagementEvents

/// What can be told of a call that cannot be read, from the texts that lie right in it.
///
/// It goes by brackets, commas, colons and quotation marks only, so that a fault in another value is no obstacle.
struct CallGlance {
  /// By their names, the first of each.
  private(set) var texts: [String: String] = [:]
  /// Whether brackets, commas and quotation marks add up to one object.
  private(set) var isWhole = false

  private let body: [UInt8]
  private let end: Int
  private var position: Int

  /// - Parameter endOfValue: where the value that begins at an offset ends.
  init(_ part: Range<Int>, of body: [UInt8], endOfValue: (Int) throws(RequestFault) -> Int) {
    self.body = body
    end = part.upperBound
    position = part.lowerBound
    isWhole = (try? walk(endOfValue)) ?? false
  }

  private var byte: UInt8? { position < end ? body[position] : nil }

  private mutating func skipBlanks() {
    while let byte, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { position += 1 }
  }

  /// Goes over one byte and the blanks around it, if it is there.
  private mutating func take(_ wanted: UInt8) -> Bool {
    skipBlanks()
    guard byte == wanted else { return false }
    position += 1
    skipBlanks()
    return true
  }

  /// - Returns: whether it came to the end.
  private mutating func walk(_ endOfValue: (Int) throws(RequestFault) -> Int) throws(RequestFault) -> Bool {
    guard take(UInt8(ascii: "{")) else { return false }
    if take(UInt8(ascii: "}")) { return position == end }
    repeat {
      guard byte == UInt8(ascii: "\"") else { return false }
      let name = text(until: try endOfValue(position))
      guard take(UInt8(ascii: ":")) else { return false }
      let isText = byte == UInt8(ascii: "\"")
      let value = text(until: try endOfValue(position))
      if isText, let name, let value, texts[name] == nil { texts[name] = value }
    } while take(UInt8(ascii: ","))
    return take(UInt8(ascii: "}")) && position == end
  }

  /// Goes over a value; nil where it is no valid text.
  private mutating func text(until end: Int) -> String? {
    defer { position = end }
    return end <= self.end ? JSONDiagnosis.text(of: Array(body[position..<end])) : nil
  }
}
