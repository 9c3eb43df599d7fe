internal import Foundation
package import Testing

/// Waits until a condition holds, asking again every few milliseconds.
///
/// Records an issue, at the place of the call, if the bound passes first.
///
/// - Parameter what: what is waited for, as in "the server has stopped".
package func poll(
  upTo bound: Duration, _ what: String, sourceLocation: SourceLocation = #_sourceLocation,
  until holds: () throws -> Bool
) rethrows {
  let deadline = ContinuousClock.now + bound
  while try !holds() {
    guard ContinuousClock.now < deadline else {
      Issue.record("not within \(bound): \(what)", sourceLocation: sourceLocation)
      return
    }
    usleep(5_000)
  }
}
