import EngagementEvents
import Foundation
import Simulation
import Testing

@Suite struct TruthTests {
  /// Rates without device effects, so that the binomial standard error is the right one.
  @Test(arguments: [1, 2, 3] as [UInt64])
  func realisedRatesAreThoseOfThePlan(seed: UInt64) throws {
    var plan = SimulationPlan.demo
    plan.notifications = 40_000
    plan.deviceCorrelation = 0
    let truth = try Simulation(plan: plan, seed: seed).makeTruth()
    for category in truth.categories {
      for (counts, rate) in [
        (category.text, category.plan.textRate), (category.rich, category.plan.richRate),
      ] {
        let n = Double(counts.matureDelivered)
        let error = (rate * (1 - rate) / n).squareRoot()
        #expect(n > 100)
        #expect(abs(Double(counts.matureInteracted) / n - rate) < 4 * error, "\(category.plan.category)")
      }
      let all = Double(category.text.delivered + category.rich.delivered)
      let share = category.plan.richShare
      #expect(
        abs(Double(category.rich.delivered) / all - share) < 4 * (share * (1 - share) / all).squareRoot())
      let fallbacks = 0.06 * Double(category.rich.delivered)
      #expect(abs(Double(category.rich.fallbacks) - fallbacks) < 4 * fallbacks.squareRoot())
    }
  }

  /// Half of the rich ones fall back to text and to its rate; the arm as intended keeps the rate of the plan.
  @Test func fallbacksDoNotMoveTheArmAsIntended() throws {
    var plan = SimulationPlan.demo
    plan.categories = [try SimulatedCategory(Category("only"), share: 1, textRate: 0.2, uplift: 0.4)]
    plan.deviceCorrelation = 0
    plan.fallbackShare = 0.5
    let counts = try Simulation(plan: plan, seed: 10).makeTruth().categories[0].rich
    let n = Double(counts.matureDelivered)
    #expect(abs(Double(counts.matureInteracted) / n - 0.28) < 4 * (0.28 * 0.72 / n).squareRoot())
  }

  /// With device effects the mean rate stays, and pairs of a device's notifications agree by the plan's correlation:
  /// E[xᵢxⱼ] = p² + ρp(1−p).
  @Test func interactionsOnADeviceAreCorrelatedAsPlanned() throws {
    var plan = SimulationPlan.demo
    let category = try SimulatedCategory(Category("only"), share: 1, textRate: 0.2, uplift: 0)
    plan.categories = [category]
    plan.notifications = 60_000
    plan.devices = 12_000
    plan.deviceCorrelation = 0.1
    plan.afterWindowShare = 0
    plan.disorder = .none
    var units: [DeviceID: Int] = [:]
    var interacted: [DeviceID: Set<NotificationID>] = [:]
    for event in try Simulation(plan: plan, seed: 11) {
      if event.type == .delivered {
        units[event.deviceID, default: 0] += 1
      } else {
        interacted[event.deviceID, default: []].insert(event.notificationID)
      }
    }
    // Each device weighs the same, as the few busiest would otherwise decide alone.
    var rates: [Double] = []
    var agreements: [Double] = []
    for (device, n) in units where n >= 2 {
      let x = Double(interacted[device]?.count ?? 0)
      rates.append(x / Double(n))
      agreements.append(x * (x - 1) / Double(n * (n - 1)))
    }
    let rate = rates.reduce(0, +) / Double(rates.count)
    let agreement = agreements.reduce(0, +) / Double(agreements.count)
    let correlation = (agreement - rate * rate) / (rate * (1 - rate))
    #expect(abs(rate - 0.2) < 0.01)
    #expect(abs(correlation - 0.1) < 0.02)
  }

  /// The counts promised are those that anybody gets who counts the stream by the metrics' definitions.
  @Test(arguments: [Disorder.none, .usual])
  func theTruthIsWhatCountingTheStreamGives(disorder: Disorder) throws {
    var plan = SimulationPlan.demo
    plan.disorder = disorder
    plan.disorder.lostDeliveryShare *= 10
    let simulation = try Simulation(plan: plan, seed: 12)
    var counter = StreamCounter()
    for event in simulation { counter.add(event) }
    let truth = simulation.makeTruth()
    for category in truth.categories {
      for (isRich, counts) in [(false, category.text), (true, category.rich)] {
        let counted = counter.counts(of: category.plan.category, isRich: isRich, end: plan.end)
        let promised = [
          "delivered": counts.delivered, "fallbacks": counts.fallbacks, "interacted": counts.interacted,
          "expanded": counts.expanded, "opened": counts.opened, "acted": counts.acted,
          "replied": counts.replied, "dismissed": counts.dismissed,
          "matureDelivered": counts.matureDelivered, "matureInteracted": counts.matureInteracted,
        ]
        #expect(counted == promised, "\(category.plan.category)")
      }
    }
    let orphans = truth.categories.map { $0.text.orphans + $0.rich.orphans }.reduce(0, +)
    #expect(counter.orphans == orphans)
    #expect((orphans > 0) == (disorder != .none))
  }

  @Test func theTruthIsValidJSON() throws {
    var plan = SimulationPlan.demo
    plan.categories[1].category = try Category("new\"s\\\n\u{1}é")
    plan.experiment = SimulatedExperiment(name: "pictures \"now\"")
    let truth = try Simulation(plan: plan, seed: .max).makeTruth()
    let json = try #require(
      JSONSerialization.jsonObject(with: Data(truth.json.utf8)) as? [String: Any])
    #expect(json["seed"] as? String == "18446744073709551615")
    #expect(json["end"] as? String == "2026-11-30T00:00:00Z")
    #expect(json["experiment"] as? String == "pictures \"now\"")
    let categories = try #require(json["categories"] as? [[String: Any]])
    #expect(categories.map { $0["category"] as? String }[1] == "new\"s\\\n\u{1}é")
    let rich = try #require(categories[0]["rich"] as? [String: Any])
    #expect(rich["interacted"] as? Int == truth.categories[0].rich.interacted)
    let news = try #require(categories[1]["text"] as? [String: Any])
    #expect(news["expanded"] is NSNull && news["dismissed"] is NSNull)
  }

  @Test func anEmptySimulationHasNoEvents() throws {
    var plan = SimulationPlan.demo
    plan.notifications = 0
    let simulation = try Simulation(plan: plan, seed: 1)
    #expect(simulation.makeEvents().isEmpty)
    #expect(simulation.makeTruth().categories.allSatisfy { $0.text.delivered + $0.rich.delivered == 0 })
  }
}
