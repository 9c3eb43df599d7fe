/// How many events go into one request: fewer after one that was too large, then more again.
struct BatchSize: Equatable {
  let largest: Int
  private(set) var events: Int

  /// - Parameter largest: 1 or more.
  init(largest: Int) {
    self.largest = max(1, largest)
    events = self.largest
  }

  /// Takes note of a request of so many events that was too large.
  ///
  /// - Returns: false if it was a single one, which no splitting makes smaller.
  mutating func shrink(from count: Int) -> Bool {
    guard count > 1 else { return false }
    events = max(1, count / 2)
    return true
  }

  /// Takes note of a request that was not too large.
  mutating func grow() { events = min(largest, events * 2) }
}
