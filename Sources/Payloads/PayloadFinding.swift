/// Something that a linter has to say of a payload, or of a file of categories.
package struct PayloadFinding: Sendable, Hashable {
  package enum Severity: String, Sendable, Hashable, CaseIterable {
    /// APNs or iOS will refuse it, or nobody can read it.
    case error
    /// It works, but perhaps not as it is meant.
    case warning
    /// Worth knowing.
    case note
  }

  /// Stable, in lower case with underscores.
  package let code: String
  package let severity: Severity
  /// In bytes, from the beginning of the file.
  package let offset: Int
  package let message: String
  /// What to do about it.
  package let remedy: String

  init(_ code: String, _ severity: Severity, at offset: Int, _ message: String, _ remedy: String) {
    self.code = code
    self.severity = severity
    self.offset = offset
    self.message = message
    self.remedy = remedy
  }

  func with(_ severity: Severity) -> PayloadFinding {
    PayloadFinding(code, severity, at: offset, message, remedy)
  }
}

/// A place in a file, as an editor shows it.
package struct TextPlace: Sendable, Hashable {
  /// From 1.
  package let line: Int
  /// In characters, from 1.
  package let column: Int

  /// - Parameter offset: in bytes; beyond the end is the end.
  package init(of offset: Int, in bytes: [UInt8]) {
    let end = min(max(offset, 0), bytes.count)
    let start = (bytes[..<end].lastIndex(of: 0x0A) ?? -1) + 1
    line = 1 + bytes[..<start].count { $0 == 0x0A }
    var text = String(decoding: bytes[start..<end], as: UTF8.self)
    if line == 1, text.unicodeScalars.first == "\u{FEFF}" { text.unicodeScalars.removeFirst() }
    column = text.count + 1
  }
}
