import EngagementEvents

/// A plan that cannot be simulated.
package struct SimulationError: Error, Hashable, CustomStringConvertible {
  package let code: Code
  /// What is wrong, where, and what to write instead.
  package let description: String

  package enum Code: String, Sendable, Hashable {
    case invalidCount = "invalid_count"
    case invalidShare = "invalid_share"
    case invalidRate = "invalid_rate"
    case invalidTime = "invalid_time"
    case invalidCategories = "invalid_categories"
    case invalidName = "invalid_name"
  }
}

extension SimulationPlan {
  /// - Throws: the first fault of the plan.
  func validate() throws(SimulationError) {
    try require(
      (0...1_000_000_000).contains(notifications), .invalidCount,
      "notifications is \(notifications); give 0 to 1,000,000,000")
    try require(
      (1...100_000_000).contains(deviceCount), .invalidCount,
      "devices is \(deviceCount); give 1 to 100,000,000")
    try require((1...3_660).contains(days), .invalidTime, "days is \(days); give 1 to 3,660")
    // 2007-01-01 and 2100-12-31 are the contract's limits; ten years and a day are kept from the first.
    try require(
      (1_483_920_000_000_000...4_133_894_400_000_000).contains(end.microseconds), .invalidTime,
      "end is \(end); give an instant of the years 2017 to 2100")
    try require(
      (0...0.5).contains(deviceCorrelation), .invalidShare,
      "deviceCorrelation is \(deviceCorrelation); give 0 to 0.5")
    try require(
      (0..<1).contains(fallbackShare), .invalidShare, "fallbackShare is \(fallbackShare); give 0 to below 1")
    try requireShare(afterWindowShare, "afterWindowShare")
    try requireShare(experiment?.richShare ?? 0, "experiment.richShare")
    try requireShare(disorder.lateShare, "disorder.lateShare")
    try requireShare(disorder.doubledShare, "disorder.doubledShare")
    try requireShare(disorder.deliveryLastShare, "disorder.deliveryLastShare")
    try requireShare(disorder.lostDeliveryShare, "disorder.lostDeliveryShare")
    try require(
      (0...86_400).contains(disorder.shuffleSeconds), .invalidTime,
      "disorder.shuffleSeconds is \(disorder.shuffleSeconds); give 0 to 86,400")
    try require(
      Set(categories.map(\.category)).count == categories.count
        && categories.allSatisfy { $0.share >= 0 && $0.share.isFinite }
        && categories.contains { $0.share > 0 },
      .invalidCategories, "categories need names of their own and shares of 0 or more, one of them above 0")
    for category in categories { try validate(category) }
  }

  private func validate(_ category: SimulatedCategory) throws(SimulationError) {
    let name = category.category.text
    try requireShare(category.richShare, "richShare of '\(name)'")
    try requireShare(category.dismissalRate ?? 0, "dismissalRate of '\(name)'")
    let rates = [
      category.textRate, category.richRate, category.shownRate(fallbackShare: fallbackShare),
    ]
    try require(
      rates.allSatisfy { (0...1).contains($0) }, .invalidRate,
      "'\(name)' has the rates \(rates) for text, rich as intended and rich as shown; all must be 0 to 1")
    try require(
      !category.media.isEmpty, .invalidCategories, "'\(name)' names no media for its rich notifications")
  }

  private func requireShare(_ share: Double, _ name: String) throws(SimulationError) {
    try require((0...1).contains(share), .invalidShare, "\(name) is \(share); give 0 to 1")
  }

  private func require(
    _ condition: Bool, _ code: SimulationError.Code, _ description: @autoclosure () -> String
  ) throws(SimulationError) {
    if !condition { throw SimulationError(code: code, description: description()) }
  }
}
