/// What an examination of the store found of one thing.
package struct Finding: Sendable, Hashable {
  package enum Severity: String, Sendable, Hashable {
    case ok
    /// It works, and hides something or will cause trouble.
    case warning
    /// It is wrong now.
    case fault
  }

  /// What was looked at, in a word that stays the same between versions.
  package let check: String
  package let severity: Severity
  package let message: String
  /// What to do about it; nil where nothing has to be done.
  package let remedy: String?

  package init(_ severity: Severity, _ check: String, _ message: String, remedy: String? = nil) {
    self.severity = severity
    self.check = check
    self.message = message
    self.remedy = remedy
  }

  /// Runs a look at one thing; where that fails, the failure is what was found.
  package static func look(at check: String, _ body: () throws -> [Finding]) -> [Finding] {
    do {
      return try body()
    } catch {
      return [Finding(.fault, check, "It cannot be looked at: \(error)")]
    }
  }
}
