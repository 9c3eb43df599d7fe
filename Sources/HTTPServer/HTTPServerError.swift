/// Why a server could not start, or could not take new certificates.
package struct HTTPServerError: Error, Sendable, Hashable, CustomStringConvertible {
  package enum Code: Sendable, Hashable {
    case invalidConfiguration
    case addressUnavailable
    case certificateUnusable
    case alreadyStarted
    case notStarted
    case libraryFailed
  }

  package let code: Code

  /// What went wrong, where, and how to mend it.
  package let message: String

  init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  package var description: String { message }
}
