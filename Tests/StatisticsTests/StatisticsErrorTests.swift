import Statistics
import Testing

/// Input that no data could have produced, and the fault it must be named by.
struct BadInput: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let code: StatisticsError.Code
  let attempt: @Sendable () throws -> Void

  init(_ name: String, _ code: StatisticsError.Code, _ attempt: @escaping @Sendable () throws -> Void) {
    testDescription = name
    self.code = code
    self.attempt = attempt
  }

  static let all: [BadInput] = [
    BadInput("negative trials", .negativeCount) { _ = try Proportion(successes: 0, trials: -1) },
    BadInput("negative successes", .negativeCount) { _ = try Proportion(successes: -1, trials: 5) },
    BadInput("more successes than trials", .successesExceedTrials) {
      _ = try Proportion(successes: 6, trials: 5)
    },
    BadInput("25 actions without a delivery", .successesExceedTrials) {
      _ = try Proportion(successes: 25, trials: 0)
    },
    BadInput("NaN successes", .notFinite) { _ = try Proportion(successes: .nan, trials: 5) },
    BadInput("infinite trials", .notFinite) { _ = try Proportion(successes: 1, trials: .infinity) },
    BadInput("trials beyond 2^53", .countOutOfRange) {
      _ = try Proportion(successes: 1, trials: Int64.max - 1)
    },
    BadInput("a vanishing count", .countOutOfRange) { _ = try Proportion(successes: 1e-300, trials: 1.0) },
    BadInput("confidence 0", .probabilityOutOfRange) { _ = try ConfidenceLevel(0) },
    BadInput("confidence 1", .probabilityOutOfRange) { _ = try ConfidenceLevel(1) },
    BadInput("confidence 95", .probabilityOutOfRange) { _ = try ConfidenceLevel(95) },
    BadInput("NaN confidence", .notFinite) { _ = try ConfidenceLevel(.nan) },
    BadInput("design effect 0", .parameterOutOfRange) {
      _ = try Proportion(successes: 1, trials: 5).effective(designEffect: 0)
    },
    BadInput("p above 1", .probabilityOutOfRange) { _ = try PValueFamily([0.2, 1.1]) },
    BadInput("NaN p", .notFinite) { _ = try PValueFamily([.nan]) },
    BadInput("two counts, three weights", .lengthsDiffer) {
      _ = try SampleRatio(observed: [1, 2], weights: [1, 1, 1])
    },
    BadInput("no positive weight", .parameterOutOfRange) {
      _ = try SampleRatio(observed: [1, 2], weights: [0, 0])
    },
    BadInput("negative weight", .parameterOutOfRange) {
      _ = try SampleRatio(observed: [1, 2], weights: [2, -1])
    },
    BadInput("NaN sum", .notFinite) {
      _ = try ClusterSums(
        clusters: 2, trials: 3, successes: .nan, trialsSquared: 5, successesSquared: 1,
        trialsTimesSuccesses: 1)
    },
    BadInput("negative sum of squares", .parameterOutOfRange) {
      _ = try ClusterSums(
        clusters: 2, trials: 3, successes: 1, trialsSquared: -5, successesSquared: 1, trialsTimesSuccesses: 1)
    },
    BadInput("a NaN change of a cluster", .notFinite) {
      var sums = ClusterSums()
      try sums.add(trials: .nan, successes: 0)
    },
    BadInput("unequal cluster lists", .lengthsDiffer) {
      _ = try ClusterTotals(successes: [1], trials: [1, 2])
    },
    BadInput("a cluster with more successes than trials", .successesExceedTrials) {
      _ = try ClusterTotals(successes: [3], trials: [2])
    },
    BadInput("arms with other clusters", .lengthsDiffer) {
      _ = try ClusteredComparison(
        sharing: ClusterTotals(successes: [1], trials: [2]),
        ClusterTotals(successes: [1, 1], trials: [2, 2]))
    },
    BadInput("ragged buckets", .lengthsDiffer) {
      let arm = try Proportion(successes: 1, trials: 2)
      let table = TwoProportions(rich: arm, text: arm)
      _ = try BucketedProportions([[table], [table, table]])
    },
    BadInput("cluster size below 1", .parameterOutOfRange) {
      _ = try kishDesignEffect(clusterSize: 0.5, intraclassCorrelation: 0.1)
    },
    BadInput("correlation above 1", .parameterOutOfRange) {
      _ = try kishDesignEffect(clusterSize: 5, intraclassCorrelation: 1.1)
    },
    BadInput("sequence tuned to nothing", .parameterOutOfRange) {
      _ = try AsymptoticConfidenceSequence(tunedTo: 0)
    },
    BadInput("negative standard error", .parameterOutOfRange) {
      _ = try AsymptoticConfidenceSequence(tunedTo: 10).bounds(
        estimate: 0, standardError: -1, observations: 5)
    },
    BadInput("mixing variance 0", .parameterOutOfRange) { _ = try MixtureSequentialTest(mixingVariance: 0) },
    BadInput("previous p of 2", .probabilityOutOfRange) {
      _ = try MixtureSequentialTest(mixingVariance: 1).pValue(estimate: 0, variance: 1, previous: 2)
    },
    BadInput("alpha 0", .probabilityOutOfRange) {
      _ = try NormalMixtureBoundary(tunedTo: 1, isOneSided: true).bound(variance: 1, alpha: 0)
    },
    BadInput("one-sided tuning alpha of a half", .probabilityOutOfRange) {
      _ = try NormalMixtureBoundary(tunedTo: 1, tuningAlpha: 0.5, isOneSided: true)
    },
    BadInput("equal rates to tell apart", .parameterOutOfRange) {
      _ = try TwoProportionDesign(first: 0.1, second: 0.1)
    },
    BadInput("rate above 1", .probabilityOutOfRange) { _ = try TwoProportionDesign(first: 0.1, second: 1.1) },
    BadInput("power 1", .probabilityOutOfRange) {
      _ = try TwoProportionDesign(first: 0.1, second: 0.2).sampleSize(power: 1)
    },
    BadInput("times without outcomes", .lengthsDiffer) { _ = try KaplanMeier(times: [1], hasEvent: []) },
    BadInput("negative time", .parameterOutOfRange) { _ = try KaplanMeier(times: [-1], hasEvent: [true]) },
    BadInput("quantile 0", .probabilityOutOfRange) {
      _ = try KaplanMeier(times: [1], hasEvent: [true]).quantile(0)
    },
  ]
}

@Suite struct StatisticsErrorTests {
  @Test(arguments: BadInput.all)
  func badInputIsATypedError(input: BadInput) {
    let error = #expect(throws: StatisticsError.self) { try input.attempt() }
    #expect(error?.code == input.code)
    #expect(error.map { !$0.message.isEmpty && "\($0)".hasPrefix($0.code.rawValue) } == true)
  }
}
