/// When notifications are sent: by the hour of the day in UTC, the same on every day.
struct DeliveryHours: Sendable {
  /// Microseconds since 1970.
  private let start: Int64
  /// Running sum of the weights up to the end of each hour since the start.
  private let cumulative: [Double]

  /// Weights of the hours 0 to 23: little at night, most at noon and in the evening.
  private static let weights: [Double] = [
    2, 1, 1, 1, 1, 2, 4, 7, 9, 9, 8, 8, 10, 9, 8, 8, 9, 10, 12, 13, 12, 9, 6, 4,
  ]
  private static let hour: Int64 = 3_600_000_000

  /// - Parameter end: microseconds since 1970.
  init(days: Int, end: Int64) {
    start = end - Int64(days) * 24 * Self.hour
    let firstHour = Int(start / Self.hour) % 24
    var sum = 0.0
    cumulative = (0..<days * 24).map { hour in
      sum += Self.weights[(firstHour + hour) % 24]
      return sum
    }
  }

  /// The instant by which this part, 0..<1, of all notifications is sent; whole milliseconds, never falling.
  func instant(at position: Double) -> Int64 {
    let target = position * (cumulative.last ?? 0)
    var low = 0
    var high = cumulative.count - 1
    while low < high {
      let middle = (low + high) / 2
      if target < cumulative[middle] { high = middle } else { low = middle + 1 }
    }
    let before = low > 0 ? cumulative[low - 1] : 0
    let part = min((target - before) / (cumulative[low] - before), 1)
    let offset = Int64((Double(low) + part) * 3_600_000)
    return start + offset * 1000
  }
}
