import EngagementEvents
import Simulation
import Testing

@Suite struct PlanTests {
  private func code(_ change: (inout SimulationPlan) -> Void) -> SimulationError.Code? {
    var plan = SimulationPlan.demo
    change(&plan)
    do throws(SimulationError) {
      _ = try Simulation(plan: plan, seed: 1)
      return nil
    } catch {
      return error.code
    }
  }

  @Test func theDemoIsValid() {
    #expect(code { _ in } == nil)
  }

  @Test func whatCannotBeIsRefused() {
    #expect(code { $0.notifications = -1 } == .invalidCount)
    #expect(code { $0.devices = 0 } == .invalidCount)
    #expect(code { $0.days = 0 } == .invalidTime)
    #expect(code { $0.end = Timestamp(microseconds: 0) } == .invalidTime)
    #expect(code { $0.deviceCorrelation = 0.6 } == .invalidShare)
    #expect(code { $0.deviceCorrelation = .nan } == .invalidShare)
    #expect(code { $0.fallbackShare = 1 } == .invalidShare)
    #expect(code { $0.disorder.doubledShare = 1.1 } == .invalidShare)
    #expect(code { $0.disorder.shuffleSeconds = -1 } == .invalidTime)
    #expect(code { $0.categories = [] } == .invalidCategories)
    #expect(code { $0.categories.append($0.categories[0]) } == .invalidCategories)
    #expect(code { $0.categories[0].media = [] } == .invalidCategories)
    #expect(code { $0.categories[0].textRate = 0.8 } == .invalidRate)
    #expect(code { $0.categories[0].uplift = -1.2 } == .invalidRate)
    #expect(code { $0.experiment = SimulatedExperiment(name: "") } == .invalidName)
  }

  @Test func aFallbackTakesNothingFromTheArmAsIntended() {
    let category = SimulatedCategory.demo[0]
    let shown = category.shownRate(fallbackShare: 0.2)
    #expect(abs(0.8 * shown + 0.2 * category.textRate - category.richRate) < 1e-15)
  }
}
