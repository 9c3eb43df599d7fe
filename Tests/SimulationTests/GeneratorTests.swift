import Testing

@testable import Simulation

@Suite struct GeneratorTests {
  /// The first outputs of Vigna's splitmix64.c for the seed 1234567.
  @Test func theNumbersAreThoseOfTheReference() {
    var generator = SeededGenerator(seed: 1_234_567)
    let numbers = (0..<5).map { _ in generator.next() }
    #expect(
      numbers == [
        6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423,
        4_593_380_528_125_082_431, 16_408_922_859_458_223_821,
      ])
  }

  /// Mean and variance of many draws lie within five standard errors of the distribution's.
  @Test func theDistributionsHaveTheirMoments() {
    let draws: [(String, mean: Double, variance: Double, (inout SeededGenerator) -> Double)] = [
      ("uniform", 0.5, 1.0 / 12, { $0.uniform() }),
      ("index", 4.5, 8.25, { Double($0.index(below: 10)) }),
      ("normal", 0, 1, { $0.normal() }),
      ("gamma 0.3", 0.3, 0.3, { $0.gamma(shape: 0.3) }),
      ("gamma 4", 4, 4, { $0.gamma(shape: 4) }),
      ("beta", 0.1, 0.1 * 0.9 * 0.2, { $0.beta(mean: 0.1, correlation: 0.2) }),
      ("geometric", 3, 12, { Double($0.geometric(0.25)) }),
    ]
    let count = 200_000
    for (name, mean, variance, draw) in draws {
      var generator = SeededGenerator(seed: 42)
      let values = (0..<count).map { _ in draw(&generator) }
      let average = values.reduce(0, +) / Double(count)
      let squares = values.map { ($0 - mean) * ($0 - mean) }
      let spread = squares.reduce(0, +) / Double(count)
      let fourth = squares.map { ($0 - variance) * ($0 - variance) }.reduce(0, +) / Double(count)
      #expect(abs(average - mean) < 5 * (variance / Double(count)).squareRoot(), "mean of \(name)")
      #expect(abs(spread - variance) < 5 * (fourth / Double(count)).squareRoot(), "variance of \(name)")
    }
  }

  @Test func aLogNormalHasItsMedian() {
    var generator = SeededGenerator(seed: 7)
    let below = (0..<100_000).count { _ in generator.logNormal(median: 480, sigma: 1.8) < 480 }
    #expect(abs(below - 50_000) < 5 * 158)
  }

  @Test func aLogUniformStaysBetweenItsEnds() {
    var generator = SeededGenerator(seed: 7)
    let values = (0..<100_000).map { _ in generator.logUniform(from: 1, to: 100) }
    #expect(values.allSatisfy { (1...100).contains($0) })
    #expect(abs(values.count { $0 < 10 } - 50_000) < 5 * 158)
  }

  @Test func aBetaWithoutCorrelationIsItsMean() {
    var generator = SeededGenerator(seed: 7)
    #expect(generator.beta(mean: 0.3, correlation: 0) == 0.3)
    #expect(generator.beta(mean: 0, correlation: 0.1) == 0)
    #expect(generator.beta(mean: 1, correlation: 0.1) == 1)
  }

  @Test func streamsDiffer() {
    var seen: Set<UInt64> = []
    for seed in 0..<10 as Range<UInt64> {
      for index in 0..<100 {
        for stream in [SeededGenerator.Stream.unit, .disorder, .device, .eventID] {
          var generator = SeededGenerator(seed: seed, stream: stream, index: index)
          seen.insert(generator.next())
        }
      }
    }
    #expect(seen.count == 4_000)
  }
}
