import Statistics
import Testing

@Suite struct ExactTestTests {
  private func table(_ x1: Int, _ n1: Int, _ x2: Int, _ n2: Int) throws -> TwoProportions {
    TwoProportions(
      rich: try Proportion(successes: x1, trials: n1), text: try Proportion(successes: x2, trials: n2))
  }

  /// Fisher's p by adding up binomial coefficients, which are exact for tables this small.
  private func fisherByEnumeration(_ x1: Int, _ n1: Int, _ x2: Int, _ n2: Int) -> Double {
    func choose(_ n: Int, _ k: Int) -> Double {
      (0..<k).reduce(1) { ($0 * Double(n - $1) / Double($1 + 1)).rounded() }
    }
    let m = x1 + x2
    let observed = choose(n1, x1) * choose(n2, x2)
    return (max(0, m - n2)...min(n1, m)).reduce(0) { sum, k in
      let weight = choose(n1, k) * choose(n2, m - k)
      return weight <= observed ? sum + weight : sum
    } / choose(n1 + n2, m)
  }

  @Test func fishersTestAgreesWithEnumerationForEverySmallTable() throws {
    for n1 in 1...9 {
      for n2 in 1...7 {
        for x1 in 0...n1 {
          for x2 in 0...n2 {
            let p = try #require(try table(x1, n1, x2, n2).fisherExactTest()?.p)
            let expected = fisherByEnumeration(x1, n1, x2, n2)
            #expect(agree(p, expected, within: 1e-12), "\(x1)/\(n1) against \(x2)/\(n2)")
          }
        }
      }
    }
  }

  @Test func fishersTestIsTheSameForMirroredTables() throws {
    var random = SplitMix64(seed: 21)
    for _ in 0..<200 {
      let original = try random.table()
      let p = try #require(try original.fisherExactTest()?.p)
      for mirror in [original.swapped, original.complement] {
        let mirrored = try #require(try mirror.fisherExactTest()?.p)
        #expect(abs(p - mirrored) <= 1e-7 * p, "\(original)")
      }
    }
  }

  @Test func atABillionTrialsFishersTestApproachesTheChiSquareTest() throws {
    let large = try table(500_000_000, 1_000_000_000, 499_950_000, 1_000_000_000)
    let exact = try #require(try large.fisherExactTest())
    let score = try #require(large.nMinusOneChiSquareTest())
    // The two arms being equal, half the observed probability comes off both tails.
    #expect(agree(2 * exact.midP - exact.p, score.p, within: 1e-8))
    // By log-factorials to 40 digits and a sum over the tail.
    #expect(agree(exact.midP, 0.025_348_783_114_695_8, within: 1e-10))
  }

  @Test func boschloosTestIsNeverWeakerThanFishersOneSidedTest() throws {
    for (x1, x2) in [(7, 2), (9, 4), (3, 3), (0, 5), (10, 0)] {
      let test = try table(x1, 12, x2, 15).boschlooExactTest(.greater)
      #expect(test.p <= test.statistic * (1 + 1e-12), "\(x1), \(x2)")
    }
  }

  @Test func anUnconditionalTestOfOneTrialEachIsWorkedOutByHand() throws {
    // Only 1/1 against 0/1 is as extreme: its probability p (1 − p) is largest, ¼, at ½; both ways, ½.
    let single = try table(1, 1, 0, 1)
    #expect(agree(try single.barnardExactTest(.greater).p, 0.25, within: 1e-12))
    #expect(agree(try single.barnardExactTest().p, 0.5, within: 1e-12))
    #expect(agree(try single.boschlooExactTest(.greater).p, 0.25, within: 1e-12))
    #expect(agree(try single.barnardExactTest(.greater, pooled: false).p, 0.25, within: 1e-12))
  }

  @Test func barnardsTestCountsTablesThatTieWithTheObservedOne() throws {
    let observed = try table(7, 15, 12, 15)
    let p = try observed.barnardExactTest().p
    for mirror in [observed.swapped, observed.complement] {
      #expect(agree(try mirror.barnardExactTest().p, p, within: 1e-9))
    }
    // Exact arithmetic over all 256 tables, 130 of them extreme.
    #expect(agree(p, 0.0682183093, within: 1e-8))
  }

  @Test func exactTestsRefuseWhatTheyCannotCount() throws {
    let effective = TwoProportions(
      rich: try Proportion(successes: 2.5, trials: 10.0), text: try Proportion(successes: 2, trials: 10))
    #expect(throws: StatisticsError.self) { try effective.fisherExactTest() }
    let large = try table(10, 2000, 10, 2000)
    let error = #expect(throws: StatisticsError.self) { try large.barnardExactTest() }
    #expect(error?.code == .tableTooLarge)
  }

  @Test func anEmptyArmGivesNoFisherTest() throws {
    #expect(try table(0, 0, 3, 10).fisherExactTest() == nil)
  }
}
