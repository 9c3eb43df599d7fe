/// What the coverage measurement simulates: a known truth, and devices that get several notifications each.
struct CoveragePlan: Sendable, Hashable {
  var replications = 2_000
  var devices = 2_000
  /// Notifications for each device, in both arms and categories together.
  var perDevice = 4
  /// The intra-class correlation of a device's notifications, 0 to 0.9, in the cell with the highest rate.
  var correlation = 0.1
  /// Days over which a device's notifications are spread; as many nightly looks.
  var nights = 90
  var seed: UInt64 = 1
  /// Whether a device gets one arm, drawn by chance, rather than an arm for each notification.
  var isOneArm = false
  /// The text-only rate over both categories.
  var base = 0.1
  /// The true uplift, the same in both categories.
  var uplift = 0.0

  /// Two categories, so that pooling has something to pool; each unit falls into either with the same chance.
  static let categories = ["quiet", "lively"]

  /// The text-only rate of each category.
  var textRates: [Double] { [0.8 * base, 1.2 * base] }

  /// The true rate of a category's arm.
  func rate(_ category: Int, isRich: Bool) -> Double { textRates[category] * (isRich ? 1 + uplift : 1) }

  /// The highest of the rates: that of the beta distribution which a device's own rate is drawn from.
  var highestRate: Double { (textRates.max() ?? 0) * max(1, 1 + uplift) }

  var units: Int { devices * perDevice }

  /// The nights whose any-night rates are printed.
  var milestones: [Int] { [7, 14, 30, 60, 90, 180].filter { $0 < nights } + [nights] }
}
