internal import EngagementEvents
internal import EventStore
internal import ForeignEvents
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
    let firstDay: Known<String>
    let lastDay: Known<String>
    let zone: String
    let windowSeconds: Int
    let position: Int64
    let watermark: Known<String>
    let confidence: Double
    let assignment: String
    let assignmentReason: String
    let sampleRatioPValue: Known<Double>
    let familySize: Int
    let deviceSample: Double
    let sourceLimits: [String]
    let categories: [Row]
    let pooled: Pooled
    let crude: Row
    let details: Known<DetailsDocument>

    init(_ report: RateReport) {
      let query = report.result.query
      headline = report.headline
      app = query.app.name
      metric = query.metric.id
      richMeans = query.armRule.rawValue
      firstDay = Known(query.firstDay?.text)
      lastDay = Known(query.lastDay?.text)
      zone = query.zone
      windowSeconds = query.windowSeconds
      position = report.result.checkpoint.position
      watermark = Known(report.result.checkpoint.watermark.map { Timestamp($0).rfc3339 })
      confidence = report.confidence
      assignment = report.assignment.name
      assignmentReason = report.assignment.sentence
      sampleRatioPValue =
        if case .randomised(let pValue) = report.assignment { Known(pValue) } else { Known(nil) }
      familySize = report.familySize
      deviceSample = report.result.deviceSample.share
      sourceLimits = report.sourceLines
      categories = report.categories.map(Row.init)
      pooled = Pooled(report.pooled)
      crude = Row(report.crude)
      details = Known(report.result.details.map(DetailsDocument.init))
    }
  }

  private struct Row: Encodable {
    let category: Known<String>
    let title: Known<String>
    let notTold: [String]
    let rich: Arm
    let text: Arm
    let devices: Int
    let designEffect: Known<Double>
    let difference: Known<Estimate>
    let uplift: Known<Estimate>
    let upliftAlwaysValid: Known<Estimate>
    let pValue: Known<Double>
    let adjustedPValue: Known<Double>
    let verdict: String
    let reason: Known<String>
    let claim: Known<String>
    let orphans: Int
    let orphansDismissed: Int
    let implausible: Int

    init(_ comparison: Comparison) {
      category = if case .category(let name) = comparison.scope { Known(name) } else { Known(nil) }
      title = Known(comparison.facts.title)
      notTold = comparison.facts.limits.all.map(\.rawValue)
      let isDisplayTold = !comparison.facts.limits.contains(.display)
      rich = Arm(comparison.rich, isDisplayTold: isDisplayTold)
      text = Arm(comparison.text, isDisplayTold: isDisplayTold)
      devices = comparison.facts.devices
      designEffect = Known(comparison.designEffect)
      let isShown = comparison.isComparable
      let method = "miettinen-nurminen"
      difference = Known(
        isShown ? Estimate(comparison.difference, comparison.differenceInterval, method) : nil)
      uplift = Known(isShown ? Estimate(comparison.uplift, comparison.upliftInterval, method) : nil)
      upliftAlwaysValid = Known(
        isShown
          ? Estimate(comparison.uplift, comparison.alwaysValidUplift, "asymptotic-confidence-sequence") : nil)
      pValue = Known(isShown ? comparison.pValue : nil)
      adjustedPValue = Known(comparison.adjustedPValue)
      verdict = comparison.verdict.words
      reason = Known(comparison.verdict.reason)
      claim = Known(isShown ? comparison.claim.rawValue : nil)
      orphans = comparison.facts.orphans
      orphansDismissed = comparison.facts.dismissedOrphans
      implausible = comparison.facts.implausible
    }
  }

  private struct Arm: Encodable {
    let delivered: Int
    let devices: Int
    let events: Known<Int>
    let rate: Known<Estimate>
    let designEffect: Known<Double>
    let immature: Int
    let intendedRich: Int
    let shownAsText: Known<Int>

    init(_ arm: Comparison.Arm, isDisplayTold: Bool) {
      delivered = Int(arm.counts.trials)
      devices = arm.devices
      events = Known(arm.events)
      rate = Known(Estimate(arm.rate, arm.interval, "wilson"))
      designEffect = Known(arm.isMeasured ? arm.designEffect : nil)
      immature = arm.facts.immature
      intendedRich = arm.facts.intendedRich
      shownAsText = Known(isDisplayTold ? arm.facts.fellBack : nil)
    }
  }

  private struct Pooled: Encodable {
    let categories: Int
    let leftOut: [String]
    let oneArmed: [String]
    let uplift: Known<Estimate>
    let difference: Known<Estimate>
    let pValue: Known<Double>
    let cochranQ: Known<Double>
    let cochranQDegreesOfFreedom: Known<Int>
    let cochranQPValue: Known<Double>
    let iSquared: Known<Double>
    let standardisedRichRate: Known<Double>
    let standardisedTextRate: Known<Double>
    let crudeUplift: Known<Double>
    let isSimpsonReversal: Known<Bool>
    let crudeDisagrees: Known<Bool>
    let verdict: String
    let reason: Known<String>
    let claim: String

    init(_ pooled: PooledComparison) {
      categories = pooled.categories
      leftOut = pooled.leftOut
      oneArmed = pooled.oneArmed
      let method = "mantel-haenszel-jackknife"
      uplift = Known(Estimate(pooled.uplift, pooled.upliftInterval, method))
      difference = Known(Estimate(pooled.difference, pooled.differenceInterval, method))
      pValue = Known(pooled.pValue)
      cochranQ = Known(pooled.heterogeneity?.test.statistic)
      cochranQDegreesOfFreedom = Known(pooled.heterogeneity?.test.degreesOfFreedom)
      cochranQPValue = Known(pooled.heterogeneity?.test.p)
      iSquared = Known(pooled.heterogeneity?.iSquared)
      standardisedRichRate = Known(pooled.standardised?.rich)
      standardisedTextRate = Known(pooled.standardised?.text)
      crudeUplift = Known(pooled.simpson.map { $0.crudeRatio - 1 })
      isSimpsonReversal = Known(pooled.simpson?.isReversed)
      crudeDisagrees = Known(pooled.simpson?.disagrees)
      verdict = pooled.verdict.words
      reason = Known(pooled.verdict.reason)
      claim = pooled.claim.rawValue
    }
  }

  private struct Estimate: Encodable {
    let value: Known<Double>
    let lower: Known<Double>
    let upper: Known<Double>
    let method: String
    let reason: Known<String>

    init?(_ value: Double?, _ interval: ConfidenceInterval?, _ method: String) {
      guard value != nil || interval != nil else { return nil }
      self.value = Known(value)
      lower = Known(interval?.lower)
      upper = Known(interval.flatMap { $0.upper.isFinite ? $0.upper : nil })
      self.method = method
      var reasons: [String] = []
      if value == nil { reasons.append("undefined, as the text-only rate is 0") }
      if interval == nil { reasons.append("no limits, as devices tell of no variance") }
      if interval?.upper.isFinite == false {
        reasons.append("no upper limit, as the text-only rate could be 0")
      }
      reason = Known(reasons.isEmpty ? nil : reasons.joined(separator: "; "))
    }
  }

  /// A value that is written as null where it is not known: by itself, Swift would leave the key out.
  struct Known<Value: Encodable>: Encodable {
    let value: Value?

    init(_ value: Value?) { self.value = value }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      if let value { try container.encode(value) } else { try container.encodeNil() }
    }
  }
}
