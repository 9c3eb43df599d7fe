internal import EngagementEvents
internal import EventStore
internal import Foundation
internal import Postgres
internal import Synchronization

/// What Postgres itself can take: the same rows through the same statement, with neither HTTP nor JSON in the time.
struct BareLimit: Sendable {
  let store: EventStore
  let app: AppID
  let rowsPerBatch: Int
  var connections = 2
  var seconds = 8.0

  /// - Returns: rows a second.
  func run() throws -> Double {
    let rows = Mutex(0)
    let busy = Mutex(0.0)
    let group = DispatchGroup()
    for number in 0..<connections {
      let writer = EventWriterHandle(try store.connect(.writing))
      group.enter()
      Thread {
        let (count, time) = drive(writer, seed: UInt64(number))
        rows.withLock { $0 += count }
        busy.withLock { $0 += time }
        group.leave()
      }.start()
    }
    group.wait()
    return Double(rows.withLock { $0 }) / (busy.withLock { $0 } / Double(connections))
  }

  /// Only the appending is timed; the rows are made in between.
  private func drive(_ writer: EventWriterHandle, seed: UInt64) -> (Int, Double) {
    var generator = SystemRandomNumberGenerator()
    var count = 0
    var time = 0.0
    while time < seconds {
      let batches = (0..<20).map { _ in makeBatch(&generator) }
      let start = ContinuousClock.now
      for batch in batches {
        guard (try? writer.append(batch)) != nil else { return (count, max(time, 1)) }
        count += batch.rows.count
      }
      time += (ContinuousClock.now - start) / .seconds(1)
    }
    return (count, time)
  }

  private func makeBatch(_ generator: inout SystemRandomNumberGenerator) -> AppendBatch {
    let now = Timestamp.now
    let rows = (0..<rowsPerBatch).map { index in
      EventRow(
        Self.event(index, now, &generator), app: app, receivedAt: now, sentAt: nil, secret: store.secret)
    }
    return AppendBatch(rows: rows, indices: Array(rows.indices), deadLetters: [], source: "bench")
  }

  private static func event(
    _ index: Int, _ now: Timestamp, _ generator: inout SystemRandomNumberGenerator
  ) -> EngagementEvent {
    do {
      let detail: EngagementEvent.Detail
      switch index % 3 {
      case 0:
        detail = .delivered(
          try Delivery(
            attachments: [try Attachment(kind: .image, bytes: 204_800)], intended: [.image],
            actions: [try ActionID("reply"), try ActionID("like")]))
      case 1: detail = .expanded
      default: detail = .action(ActionTaken(actionID: try ActionID("like")))
      }
      return try EngagementEvent(
        id: EventID.makeRandom(), notificationID: try NotificationID(EventID.makeRandom().text),
        deviceID: try DeviceID("dev-\(generator.next() % 100_000)"), category: try Category("social_post"),
        occurredAt: try EventTime(now), detail: detail)
    } catch {
      preconditionFailure("the bench makes only valid events: \(error)")
    }
  }
}

/// A writer that a closure can hold.
private final class EventWriterHandle: @unchecked Sendable {
  // Handed to one thread, which alone uses it from then on.
  private let writer: EventWriter

  init(_ connection: consuming Connection) { writer = EventWriter(connection) }

  func append(_ batch: AppendBatch) throws -> [AppendOutcome] { try writer.append(batch) }
}
