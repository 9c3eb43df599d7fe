/// Encodings in which a character has two or four bytes, where UTF-8 is meant.
enum WideEncoding: String {
  case utf16 = "UTF-16"
  case utf32 = "UTF-32"

  /// The encoding of a text by its first bytes, which are ASCII characters or a byte-order mark; nil where it is none of these.
  init?(beginning bytes: [UInt8]) {
    if bytes.starts(with: [0xFF, 0xFE, 0, 0]) || bytes.starts(with: [0, 0, 0xFE, 0xFF]) {
      self = .utf32
    } else if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) {
      self = .utf16
    } else {
      switch bytes.prefix(4).map({ $0 == 0 }) {
      case [true, true, true, false], [false, true, true, true]: self = .utf32
      case [true, false, true, false], [false, true, false, true]: self = .utf16
      default: return nil
      }
    }
  }
}
