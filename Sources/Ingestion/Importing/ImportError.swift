/// Why an import stopped: what, where, and how to mend it. What was stored before it stays; the same import may be run again.
package struct ImportError: Error, Sendable, Hashable, CustomStringConvertible {
  package enum Code: String, Sendable, Hashable {
    /// A file cannot be opened or read.
    case unreadable
    /// It is in another encoding or format.
    case format
    /// Columns are missing, unknown or named twice.
    case columns
    /// A quotation mark is never closed.
    case unclosedQuote
    /// Times without a zone, and no zone to read them in.
    case missingZone
    /// Events so old that their clocks would be taken for wrong.
    case history
  }

  package let code: Code
  package let message: String
  package var description: String { message }

  package init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }
}
