import EngagementEvents
import EventStore
import Postgres
import TestSupport
import Testing

@testable import Projections

/// Whatever events tell, and whichever of them were dropped: the job, a rebuild, a check and a look back agree.
@Suite(.store)
struct RetentionPropertyTests {
  private static let experiments = ["e", "\u{e9}", "e\u{301}", "E"]

  /// The stream's events as of so many days ago, with what it leaves out.
  ///
  /// - Parameter byUnit: whether all events of a unit name the same experiment, as those of one payload do.
  private func samples(
    _ stream: inout RandomStream, daysAgo: Int, _ now: Timestamp, byUnit: Bool
  ) throws -> [EventSample] {
    let shift = Double(now.utcDay - daysAgo - stream.day) * 86_400
    var drawn: [String: ExperimentAssignment] = [:]
    // Campaigns that come again: the same units, when what they were may be gone.
    let again = stream.samples.filter { _ in daysAgo >= 60 && stream.isLucky(0.3) }.map { sample in
      var sample = sample
      sample.id = .makeRandom()
      sample.occurredAt = sample.occurredAt.advanced(bySeconds: 35 * 86_400)
      sample.receivedAt = sample.receivedAt?.advanced(bySeconds: 35 * 86_400)
      sample.sentAt = sample.sentAt?.advanced(bySeconds: 35 * 86_400)
      return sample
    }
    return try (stream.samples + again).map { sample in
      var sample = sample
      sample.occurredAt = sample.occurredAt.advanced(bySeconds: shift)
      sample.receivedAt = sample.receivedAt?.advanced(bySeconds: shift)
      sample.sentAt = sample.sentAt?.advanced(bySeconds: shift)
      sample.source = stream.choose([nil, .serviceExtension, .contentExtension, .app, .provider])
      let unit = "\(sample.notification) \(sample.device)"
      let assignment = try ExperimentAssignment(
        name: stream.choose(Self.experiments), arm: stream.choose(Self.experiments))
      drawn[unit] = drawn[unit] ?? assignment
      if byUnit {
        sample.experiment = drawn[unit]
      } else if stream.isLucky(0.5) {
        sample.experiment = assignment
      }
      guard case .delivered(let delivery) = sample.detail else { return sample }
      let levels: [InterruptionLevel?] = [nil, .passive, .active]
      sample.detail = .delivered(
        try Delivery(
          attachments: delivery.attachments, intended: delivery.intended,
          fallback: stream.choose([nil, .tooLarge, .invalid]), customInterface: delivery.customInterface,
          actions: delivery.actions, interruptionLevel: stream.choose(levels),
          appVersion: stream.choose([nil, "9", "10"])))
      return sample
    }
  }

  @Test(arguments: 0..<4)
  func whateverWasDroppedAllAgree(_ part: Int) throws {
    let store = try EventStore.prepared()
    let superuser = try store.connectAsSuperuser()
    let apps = try [store.app(), store.app("another", zone: "Asia/Kolkata")]
    let now = Timestamp(try superuser.value(of: "select now()", as: PostgresTimestamp.self))
    _ = try RateFrame.add(
      zone: "Pacific/Chatham", windowSeconds: 90_000, to: apps[0], on: store.connect(.administering))
    for seed in (part * 4)..<((part + 1) * 4) {
      var stream = try RandomStream(seed: UInt64(1_000 + seed))
      let daysAgo = stream.choose([45, 50, 60, 75])
      let events = try samples(&stream, daysAgo: daysAgo, now, byUnit: seed.isMultiple(of: 2))
      // What is dropped must not be in the way of what comes later for the same units.
      let late = events.filter { _ in stream.isLucky(0.3) }
      let soon = events.filter { event in !late.contains { $0.id == event.id } }
      for app in apps {
        var copies = soon
        for index in copies.indices { copies[index].notification += " \(seed)" }
        try store.append(copies, to: app.id)
      }
      try store.project(rangeLimit: Int64(stream.number(3...40)))
      _ = try EventRetention(keptDays: 35).run(store)
      for app in apps {
        var copies = late
        for index in copies.indices { copies[index].notification += " \(seed)" }
        try store.append(copies, to: app.id)
      }
      try store.project(rangeLimit: Int64(stream.number(3...40)))
      let expected = try ProjectedState(superuser)
      let check = try ProjectionCheck.run(on: store.connect(.asking))
      #expect(check.isSound, "seed \(seed): \(check)")
      if seed.isMultiple(of: 2) { try expectLookBack(store, apps, "seed \(seed)") }
      _ = try ProjectionRebuild().run(store)
      #expect(try ProjectedState(superuser) == expected, "seed \(seed)")
    }
    #expect(try superuser.value(of: "select count(*) > 0 from unit_outcome where is_sealed", as: Bool.self))
    #expect(
      try superuser.value(of: "select count(*) > 0 from unit_outcome where not is_sealed", as: Bool.self))
  }

  /// What is said as of now is what is said.
  private func expectLookBack(_ store: EventStore, _ apps: [App], _ comment: Comment) throws {
    let connection = try store.connect(.asking)
    let position = try EngagementProjection.checkpoint(on: connection).position
    for app in apps {
      for metric in [Metric.interaction, .expansion, .reply, .customAction("like")] {
        var query = RateQuery(app: app)
        query.metric = metric
        query.firstDay = try RetiredEvents.firstWholeDay(query.zone, on: connection)
        #expect(
          try RateReader.read(query, asOf: position, on: connection)
            == RateReader.read(query, on: connection),
          comment)
      }
    }
  }
}
