/// Breaks bytes that are JSON, or nearly so, in the ways that programs and networks do.
package enum ByteMutator {
  /// What the syntax of JSON and UTF-8 hangs on.
  private static let telling = Array("\"\\{}[]:,0-eu\n \u{0}nN1".utf8) + [0x80, 0xC3, 0xED, 0xF0, 0xFF]

  /// Changes, adds or removes a byte, or cuts the end off; `changes` times.
  ///
  /// - Parameter stretches: whether stretches may be repeated or go missing too.
  package static func mutate(
    _ bytes: inout [UInt8], changes: Int, stretches: Bool = false, using generator: inout SeededGenerator
  ) {
    for _ in 0..<changes where !bytes.isEmpty {
      let position = Int.random(in: 0..<bytes.count, using: &generator)
      let byte =
        Bool.random(using: &generator)
        ? telling[Int.random(in: 0..<telling.count, using: &generator)]
        : UInt8.random(in: 0...255, using: &generator)
      switch Int.random(in: 0..<(stretches ? 24 : 20), using: &generator) {
      case 0..<10: bytes[position] = byte
      case 10..<14: bytes.insert(byte, at: position)
      case 14..<18: bytes.remove(at: position)
      case 20, 21:
        let end = min(bytes.count, position + Int.random(in: 1...64, using: &generator))
        bytes.insert(contentsOf: bytes[position..<end], at: end)
      case 22, 23:
        let end = min(bytes.count, position + Int.random(in: 1...16, using: &generator))
        bytes.removeSubrange(position..<end)
      default: bytes.removeSubrange(position...)
      }
    }
  }
}
