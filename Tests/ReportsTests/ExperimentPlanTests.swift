import Reports
import Statistics
import Testing

@Suite struct ExperimentPlanTests {
  /// `power.prop.test(p1 = 0.08, p2 = 0.108, power = 0.8)` of R gives n = 1704.33.
  @Test func theSizeIsThatOfR() throws {
    let plan = try ExperimentPlan(.init(base: 0.08), uplift: 0.35)
    #expect(plan.richUnits == 1_705 && plan.textUnits == 1_705)
    #expect(!plan.isBelowSupport)
  }

  @Test func theUpliftOfASizeNeedsThatSize() throws {
    var terms = ExperimentPlan.Terms(base: 0.08)
    terms.allocation = 0.25
    terms.designEffect = 1.7
    terms.power = 0.9
    let found = try ExperimentPlan(terms, units: 20_000)
    #expect(found.richUnits == 4_000 && found.textUnits == 16_000)
    let uplift = try #require(found.uplift)
    let back = try ExperimentPlan(terms, uplift: uplift)
    #expect(abs(back.units - 20_000) <= 2)
  }

  @Test func repeatsAndNightlyLooksMultiply() throws {
    var terms = ExperimentPlan.Terms(base: 0.08)
    let once = try ExperimentPlan(terms, uplift: 0.1).units
    terms.designEffect = 1.5
    terms.isNightly = true
    #expect(abs(try ExperimentPlan(terms, uplift: 0.1).units / once - 3.6) < 0.001)
  }

  /// 50 % against 100 % would be told by a dozen, of which no report gives a verdict.
  @Test func noPlanIsBelowWhatAVerdictNeeds() throws {
    let plan = try ExperimentPlan(.init(base: 0.5), uplift: 1)
    #expect(plan.richUnits == 100 && plan.textUnits == 100 && plan.isBelowSupport)
    var terms = ExperimentPlan.Terms(base: 0.001)
    terms.allocation = 0.5
    let rare = try ExperimentPlan(terms, uplift: 50)
    #expect(rare.richUnits >= 100)
    #expect(rare.richUnits * (0.001 * 2 + 0.051) / 3 >= 5)
  }

  @Test func tooFewFindNothing() throws {
    let plan = try ExperimentPlan(.init(base: 0.5), units: 8)
    #expect(plan.uplift == nil)
    #expect(plan.table().contains("not even a rich rate of 100 % would be found"))
  }

  @Test func devicesAreCountedUp() throws {
    let table = try ExperimentPlan(.init(base: 0.08), uplift: 0.35).table(perDevice: 4)
    #expect(table.contains("rich               1,705      427"))
    #expect(table.contains("both               3,410      853"))
  }
}
