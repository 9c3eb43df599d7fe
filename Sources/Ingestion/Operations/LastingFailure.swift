internal import EventStore

/// Tells of a failure that goes on: when it begins, when it becomes another one, and now and then.
package struct LastingFailure {
  private let interval: Duration
  private var lastTold: (text: String, time: ContinuousClock.Instant)?

  /// - Parameter interval: how long until the same failure is told again.
  package init(interval: Duration = .seconds(60)) { self.interval = interval }

  /// - Parameters:
  ///   - message: what does not go on.
  ///   - code: the code of an error that is not the store's.
  package mutating func tell(_ error: any Error, as message: StaticString, code: String, in log: ServiceLog) {
    let text = "\(error)"
    let now = ContinuousClock.now
    if let lastTold, lastTold.text == text, now - lastTold.time < interval { return }
    lastTold = (text, now)
    log.write(.error, message, Self.fields(of: error, code))
  }

  /// It goes on again.
  package mutating func end() { lastTold = nil }

  /// With the whole text of an error: nothing that a request bore can be in it.
  private static func fields(of error: any Error, _ code: String) -> JSONValue {
    let fields = ServiceLog.fields(of: error, code: code)
    guard fields["error.message"] == nil else { return fields }
    return fields.merging(["error.message": .string((error as? StoreError)?.message ?? "\(error)")])
  }
}
