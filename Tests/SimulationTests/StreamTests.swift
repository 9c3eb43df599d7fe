import EngagementEvents
import Simulation
import Testing

@Suite struct StreamTests {
  private func plan(_ notifications: Int = 5_000, disorder: Disorder = .usual) -> SimulationPlan {
    var plan = SimulationPlan.demo
    plan.notifications = notifications
    plan.disorder = disorder
    return plan
  }

  private func bytes(_ plan: SimulationPlan, seed: UInt64) throws -> [UInt8] {
    var bytes: [UInt8] = []
    for event in try Simulation(plan: plan, seed: seed) { event.appendJSON(to: &bytes) }
    return bytes
  }

  @Test func theSameSeedGivesTheSameBytesAndAnotherOneOthers() throws {
    let first = try bytes(plan(1_000), seed: 1)
    #expect(try bytes(plan(1_000), seed: 1) == first)
    #expect(try bytes(plan(1_000), seed: 2) != first)
  }

  /// A change of the numbers would silently change every demo and every recorded benchmark.
  @Test func theFirstEventIsTheOneOfTheFirstRelease() throws {
    let first = try #require(Array(Simulation(plan: plan(100, disorder: .none), seed: 1)).first)
    #expect(
      String(decoding: first.jsonBytes, as: UTF8.self) == """
        {"id":"34b7e030-0fa7-48be-81c6-d1bd1b9fc0d8","type":"delivered"\
        ,"notificationId":"2406c872-edd6-4782-8b0b-a23ae3e1c9f2","deviceId":"8dbe7c57-79b7-40ef-8d1c-93ea2a8518e0","category":"social_post"\
        ,"occurredAt":"2026-11-16T13:46:28.825+05:30","sequence":1,"source":"serviceExtension"\
        ,"attachments":[{"kind":"image","bytes":40000,"width":1200,"height":675}],"intended":["image"],"customInterface":true\
        ,"actions":["like","comment"],"interruptionLevel":"passive","relevanceScore":0.0\
        ,"threadId":"social_post","appVersion":"5.2.0","locale":"pt_BR"}
        """)
  }

  @Test func disorderNeitherLosesNorInventsAnEvent() throws {
    var disorder = Disorder.usual
    disorder.lostDeliveryShare = 0
    disorder.doubledShare = 0.1
    let ordered = try Simulation(plan: plan(disorder: .none), seed: 3).makeEvents()
    let disordered = try Simulation(plan: plan(disorder: disorder), seed: 3).makeEvents()
    #expect(Set(ordered).count == ordered.count)
    #expect(Set(disordered) == Set(ordered))
    #expect(disordered.map(\.id) != ordered.map(\.id))

    let copies = disordered.count - ordered.count
    let expected = 0.1 * Double(ordered.count)
    #expect(abs(Double(copies) - expected) < 5 * (expected * 0.9).squareRoot())

    disorder.doubledShare = 0
    let shuffled = try Simulation(plan: plan(disorder: disorder), seed: 3).makeEvents()
    #expect(shuffled.map(\.id).sorted() == ordered.map(\.id).sorted())
  }

  @Test func withoutDisorderEventsComeInTheOrderOfTime() throws {
    let times = try Simulation(plan: plan(disorder: .none), seed: 4).map(\.occurredAt.instant)
    #expect(times == times.sorted())
  }

  @Test func deliveriesFillTheSpanAndNothingIsAfterItsEnd() throws {
    let plan = plan()
    let events = try Simulation(plan: plan, seed: 5).makeEvents()
    let day: Int64 = 86_400_000_000
    let start = plan.end.microseconds - Int64(plan.days) * day
    #expect(
      events.allSatisfy { (start...plan.end.microseconds).contains($0.occurredAt.instant.microseconds) })
    let days = Set(events.map { ($0.occurredAt.instant.microseconds - start) / day })
    #expect(days.isSuperset(of: 0..<Int64(plan.days)))
    #expect(events.allSatisfy { $0.occurredAt.instant.microseconds % 1000 == 0 })
  }

  @Test func aDevicesCounterFollowsItsClock() throws {
    var last: [DeviceID: (sequence: Int64, time: Timestamp)] = [:]
    let events = try Simulation(plan: plan(), seed: 6).sorted { ($0.sequence ?? 0) < ($1.sequence ?? 0) }
    for event in events {
      let sequence = try #require(event.sequence)
      if let before = last[event.deviceID] {
        #expect(before.time <= event.occurredAt.instant)
        #expect(before.sequence <= sequence)
      }
      last[event.deviceID] = (sequence, event.occurredAt.instant)
    }
    #expect(last.count > 200)
  }

  @Test func theStreamHasEverythingThatIsHardToTake() throws {
    let events = try Simulation(plan: plan(20_000), seed: 7).makeEvents()
    let deliveries = events.compactMap {
      if case .delivered(let delivery) = $0.detail { delivery } else { nil }
    }
    let replies = events.compactMap {
      if case .action(let action) = $0.detail { action.replyText?.text } else { nil as String? }
    }
    #expect(Set(deliveries.compactMap(\.fallback)) == [.tooLarge, .timedOut, .downloadFailed])
    #expect(Set(deliveries.flatMap { $0.attachments.map(\.kind) }) == Set(MediaKind.allCases))
    #expect(Set(events.map(\.type)) == Set(EventType.allCases))
    #expect(deliveries.allSatisfy { $0.fallback == nil || $0.attachments.isEmpty && $0.isRichAsIntended })
    for wanted in ["", "شكرا جزيلا", "👩🏽‍🚀👨‍👩‍👧‍👦", "first line\nsecond line"] { #expect(replies.contains(wanted)) }
    #expect(Set(events.map { $0.occurredAt.raw.suffix(6) }).contains("-08:00"))

    var delivered: Set<NotificationID> = []
    var early = 0
    for event in events {
      if event.type == .delivered { delivered.insert(event.notificationID) }
      if event.type != .delivered, !delivered.contains(event.notificationID) { early += 1 }
    }
    #expect(early > 20)
  }

  @Test func someDevicesGetManyMoreThanOthers() throws {
    let events = try Simulation(plan: plan(20_000, disorder: .none), seed: 8).filter { $0.type == .delivered }
    let counts = Dictionary(grouping: events, by: \.deviceID).values.map(\.count).sorted()
    let largest = try #require(counts.last)
    #expect((200...800).contains(largest))
    #expect(counts[counts.count / 2] < 20)
    #expect(counts.count > 950)
  }

  @Test func anExperimentGivesEachDeviceOneArm() throws {
    var plan = plan()
    plan.experiment = SimulatedExperiment(name: "pictures", richShare: 0.3)
    let events = try Simulation(plan: plan, seed: 9).makeEvents()
    var arms: [DeviceID: String] = [:]
    for event in events {
      let experiment = try #require(event.experiment)
      #expect(experiment.name == "pictures")
      #expect(arms.updateValue(experiment.arm, forKey: event.deviceID) ?? experiment.arm == experiment.arm)
      if case .delivered(let delivery) = event.detail {
        #expect(delivery.isRichAsIntended == (experiment.arm == "rich"))
      }
    }
    let rich = arms.values.count { $0 == "rich" }
    #expect(abs(Double(rich) / Double(arms.count) - 0.3) < 5 * (0.21 / Double(arms.count)).squareRoot())
  }
}
