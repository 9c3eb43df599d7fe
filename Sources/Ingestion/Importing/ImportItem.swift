internal import ForeignEvents

/// One event of a file, with the line where it begins, from 1.
enum ImportItem {
  /// In the contract's form, and what its record does not tell.
  case event(line: Int, json: [UInt8], lacks: LimitSet = [])
  /// A record about something that is not measured; what it is about.
  case ignored(String)
  /// What does not even make an event.
  case fault(line: Int, RowFault)
}

/// Why a row of a file makes no event.
struct RowFault: Error, Hashable {
  /// Empty for the row as a whole.
  var field = ""
  let code: String
  let message: String
}

/// What goes through a file event by event.
protocol ImportItems {
  /// The next one; nil at the end.
  mutating func next() throws(ImportError) -> ImportItem?
}
