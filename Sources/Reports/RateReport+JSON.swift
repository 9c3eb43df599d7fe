internal import EngagementEvents
internal import EventStore
internal import Foundation
internal import Postgres
internal import Projections
internal import Statistics

extension RateReport {
  /// The report as JSON, keys sorted, ended by a line break. What is undefined or unlimited is null, with a reason.
  package var json: [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    // Every number was checked to be finite, and nothing else can fail.
    guard let data = try? encoder.encode(Document(self)) else {
      preconditionFailure("the report holds no odd number")
    }
    return Array(data) + [UInt8(ascii: "\n")]
  }

  private struct Document: Encodable {
    let headline: String
    let app: String
    let metric: String
    let definitionVersion = Metric.definitionVersion
    let richMeans: String
    let firstDay: String?
    let lastDay: String?
    let zone: String
    let windowSeconds: Int
    let position: Int64
    let watermark: String?
    let confidence: Double
    let assignment: String
    let assignmentReason: String
    let sampleRatioPValue: Double?
    let familySize: Int
    let categories: [Row]
    let pooled: Pooled
    let crude: Row

    init(_ report: RateReport) {
      let query = report.result.query
      headline = report.headline
      app = query.app.name
      metric = query.metric.id
      richMeans = query.armRule.rawValue
      firstDay = query.firstDay?.text
      lastDay = query.lastDay?.text
      zone = query.zone
      windowSeconds = query.windowSeconds
      position = report.result.checkpoint.position
      watermark = report.result.checkpoint.watermark.map { Timestamp($0).rfc3339 }
      confidence = report.confidence
      assignment = report.assignment.name
      assignmentReason = report.assignment.sentence
      sampleRatioPValue = if case .randomised(let pValue) = report.assignment { pValue } else { nil }
      familySize = report.familySize
      categories = report.categories.map(Row.init)
      pooled = Pooled(report.pooled)
      crude = Row(report.crude)
    }
  }

  private struct Row: Encodable {
    let category: String?
    let rich: Arm
    let text: Arm
    let devices: Int
    let designEffect: Double
    let difference: Estimate?
    let uplift: Estimate?
    let upliftAlwaysValid: Estimate?
    let pValue: Double?
    let adjustedPValue: Double?
    let verdict: String
    let reason: String?
    let claim: String?
    let orphans: Int
    let implausible: Int

    init(_ comparison: Comparison) {
      category = if case .category(let name) = comparison.scope { name } else { nil }
      rich = Arm(comparison.rich)
      text = Arm(comparison.text)
      devices = comparison.facts.devices
      designEffect = comparison.designEffect
      let isShown = comparison.isComparable
      difference =
        isShown ? Estimate(comparison.difference, comparison.differenceInterval, "miettinen-nurminen") : nil
      uplift = isShown ? Estimate(comparison.uplift, comparison.upliftInterval, "miettinen-nurminen") : nil
      upliftAlwaysValid =
        isShown
        ? Estimate(comparison.uplift, comparison.alwaysValidUplift, "asymptotic-confidence-sequence") : nil
      pValue = isShown ? comparison.pValue : nil
      adjustedPValue = comparison.adjustedPValue
      verdict = comparison.verdict.words
      reason = comparison.verdict.reason
      claim = isShown ? comparison.claim.rawValue : nil
      orphans = comparison.facts.orphans
      implausible = comparison.facts.implausible
    }
  }

  private struct Arm: Encodable {
    let delivered: Int
    let devices: Int
    let events: Int
    let rate: Estimate?
    let designEffect: Double
    let immature: Int
    let intendedRich: Int
    let shownAsText: Int

    init(_ arm: Comparison.Arm) {
      delivered = Int(arm.counts.trials)
      devices = arm.facts.devices
      events = Int(arm.counts.successes)
      rate = Estimate(arm.rate, arm.interval, "wilson")
      designEffect = arm.designEffect
      immature = arm.facts.immature
      intendedRich = arm.facts.intendedRich
      shownAsText = arm.facts.fellBack
    }
  }

  private struct Pooled: Encodable {
    let categories: Int
    let leftOut: [String]
    let uplift: Estimate?
    let difference: Estimate?
    let pValue: Double?
    let cochranQ: Double?
    let cochranQPValue: Double?
    let iSquared: Double?
    let standardisedRichRate: Double?
    let standardisedTextRate: Double?
    let crudeUplift: Double?
    let isSimpsonReversal: Bool?
    let crudeDisagrees: Bool?
    let verdict: String
    let reason: String?
    let claim: String

    init(_ pooled: PooledComparison) {
      categories = pooled.categories
      leftOut = pooled.leftOut
      uplift = Estimate(pooled.uplift, pooled.upliftInterval, "mantel-haenszel-jackknife")
      difference = Estimate(pooled.difference, pooled.differenceInterval, "mantel-haenszel-jackknife")
      pValue = pooled.pValue
      cochranQ = pooled.heterogeneity?.test.statistic
      cochranQPValue = pooled.heterogeneity?.test.p
      iSquared = pooled.heterogeneity?.iSquared
      standardisedRichRate = pooled.standardised?.rich
      standardisedTextRate = pooled.standardised?.text
      crudeUplift = pooled.simpson.map { $0.crudeRatio - 1 }
      isSimpsonReversal = pooled.simpson?.isReversed
      crudeDisagrees = pooled.simpson?.disagrees
      verdict = pooled.verdict.words
      reason = pooled.verdict.reason
      claim = pooled.claim.rawValue
    }
  }

  private struct Estimate: Encodable {
    let value: Double?
    let lower: Double?
    let upper: Double?
    let method: String
    let reason: String?

    init?(_ value: Double?, _ interval: ConfidenceInterval?, _ method: String) {
      guard let interval else { return nil }
      self.value = value
      lower = interval.lower
      upper = interval.upper.isFinite ? interval.upper : nil
      self.method = method
      var reasons: [String] = []
      if value == nil { reasons.append("undefined, as the text-only rate is 0") }
      if !interval.upper.isFinite { reasons.append("no upper limit, as the text-only rate could be 0") }
      reason = reasons.isEmpty ? nil : reasons.joined(separator: "; ")
    }
  }
}
