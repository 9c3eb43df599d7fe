import EngagementEvents
import EventStore
import Simulation
import TestSupport

extension EventStore {
  /// Appends simulated events that have all come in at noon, and makes the app for them if it is new.
  func fill(notifications: Int, seed: UInt64 = 1) throws -> App {
    let app = try app()
    let plan = SimulationPlan(notifications: notifications, end: EventSample.noon)
    let rows = try Simulation(plan: plan, seed: seed).map { event in
      EventRow(event, app: app.id, receivedAt: EventSample.noon, sentAt: nil, secret: .test)
    }
    let writer = EventWriter(try connect(.writing))
    for start in stride(from: 0, to: rows.count, by: 1_000) {
      _ = try writer.append(.of(Array(rows[start..<min(start + 1_000, rows.count)])))
    }
    return app
  }
}
