import Statistics
import Testing

@Suite struct TwoProportionDesignTests {
  @Test(arguments: [SampleSizeFormula.pooledNull, .unpooled, .baselineNull, .arcsine])
  func theDetectableDifferenceIsTheOneThatNeedsTheSample(formula: SampleSizeFormula) throws {
    for (baseline, trials) in [(0.02, 50_000), (0.3, 400), (1e-5, 1e8), (0.9, 3000)] {
      let difference = try #require(
        try TwoProportionDesign.minimalDetectableDifference(
          baseline: baseline, trials: trials, formula: formula))
      let design = try TwoProportionDesign(first: baseline, second: baseline + difference)
      #expect(agree(try design.sampleSize(formula: formula), trials, within: 1e-6))
    }
  }

  @Test func theSampleSizeHasThePowerAskedFor() throws {
    for allocation in [0.5, 1, 4] {
      let design = try TwoProportionDesign(first: 0.05, second: 0.06, allocation: allocation)
      let size = try design.sampleSize(power: 0.9)
      #expect(agree(try design.power(trials: size, bothTails: false), 0.9, within: 1e-9))
    }
  }

  @Test func clusteringAndNightlyLooksMultiplyTheSample() throws {
    let design = try TwoProportionDesign(first: 0.05, second: 0.06)
    let plain = try design.sampleSize()
    let real = try design.sampleSize(designEffect: 1.8, nightlyLooks: true)
    #expect(agree(real, plain * 1.8 * 2.4, within: 1e-14))
    let narrow = try #require(
      try TwoProportionDesign.minimalDetectableDifference(baseline: 0.05, trials: plain))
    let wide = try #require(
      try TwoProportionDesign.minimalDetectableDifference(
        baseline: 0.05, trials: plain, designEffect: 1.8, nightlyLooks: true))
    #expect(agree(narrow, 0.01, within: 1e-6) && wide > 1.9 * narrow)
  }

  @Test func tooFewTrialsDetectNothing() throws {
    for trials in [0.0, 3] {
      #expect(
        try TwoProportionDesign.minimalDetectableDifference(baseline: 0.5, trials: trials) == nil)
    }
  }

  @Test func morePowerTakesMoreTrials() throws {
    let design = try TwoProportionDesign(first: 0.01, second: 0.011)
    let sizes = try [0.5, 0.8, 0.9, 0.99].map { try design.sampleSize(power: $0) }
    #expect(sizes == sizes.sorted() && Set(sizes).count == 4)
  }
}

@Suite struct KaplanMeierTests {
  @Test func withoutCensoringItIsTheEmpiricalDistribution() throws {
    let curve = try KaplanMeier(times: [5, 1, 3, 2, 4, 6, 7, 8], hasEvent: Array(repeating: true, count: 8))
    #expect(curve.median == 4)
    #expect(curve.quartiles.lower == 2 && curve.quartiles.upper == 6)
    #expect(curve.cumulativeIncidence == 1 && curve.naiveRate == 1)
    #expect(curve.steps.map(\.atRisk) == [8, 7, 6, 5, 4, 3, 2, 1])
  }

  @Test func aMedianThatWasNotReachedIsNil() throws {
    let curve = try KaplanMeier(times: [1, 24, 24, 24], hasEvent: [true, false, false, false])
    #expect(curve.median == nil && curve.quartiles.upper == nil)
    #expect(curve.quartiles.lower == 1)
    #expect(try curve.quantile(0.2) == 1)
  }

  @Test func unitsStillWaitingDoNotLowerTheRate() throws {
    // Three windows have just opened; among units seen long enough half interacted.
    let curve = try KaplanMeier(
      times: [2, 3, 24, 24, 0.5, 0.5, 0.5], hasEvent: [true, true, false, false, false, false, false])
    #expect(agree(try #require(curve.cumulativeIncidence), 0.5, within: 1e-15))
    #expect(agree(try #require(curve.naiveRate), 2.0 / 7, within: 1e-15))
  }

  @Test func aUnitLastSeenAtTheTimeOfAnEventWasAtRiskOfIt() throws {
    let curve = try KaplanMeier(times: [1, 1], hasEvent: [false, true])
    #expect(curve.steps.map(\.survival) == [0.5])
  }

  @Test func withoutUnitsThereIsNoCurve() throws {
    let curve = try KaplanMeier(times: [], hasEvent: [])
    #expect(curve.steps.isEmpty && curve.median == nil)
    #expect(curve.cumulativeIncidence == nil && curve.naiveRate == nil)
  }
}

@Suite struct PValueFamilyTests {
  @Test func theOrderOfTheFamilyDoesNotMatter() throws {
    var random = SplitMix64(seed: 71)
    for _ in 0..<50 {
      let values = (0..<20).map { _ in random.logUniform(1e-8...1) }
      let order = Array(0..<20).shuffled(using: &random)
      let (family, shuffled) = (try PValueFamily(values), try PValueFamily(order.map { values[$0] }))
      for adjust in [PValueFamily.holm, PValueFamily.benjaminiHochberg, PValueFamily.benjaminiYekutieli] {
        let adjusted = adjust(family)()
        #expect(adjust(shuffled)() == order.map { adjusted[$0] })
      }
    }
  }

  @Test func theMethodsAreOrderedByTheirCaution() throws {
    var random = SplitMix64(seed: 72)
    for _ in 0..<50 {
      let family = try PValueFamily((0..<15).map { _ in random.logUniform(1e-6...1) })
      let (bonferroni, holm) = (family.bonferroni(), family.holm())
      let (hochberg, yekutieli) = (family.benjaminiHochberg(), family.benjaminiYekutieli())
      for index in family.values.indices {
        #expect(family.values[index] <= hochberg[index] && hochberg[index] <= holm[index])
        #expect(holm[index] <= bonferroni[index] && bonferroni[index] <= 1)
        #expect(hochberg[index] <= yekutieli[index] && yekutieli[index] <= 1)
      }
    }
  }
}
