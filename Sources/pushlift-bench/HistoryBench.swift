internal import Arguments
internal import EventStore
internal import Foundation
internal import Postgres

/// `pushlift-bench history`.
enum HistoryBench {
  private static let small = Option<Int>(
    "from", .integer(in: 1_000...1_000_000_000), default: 1_000_000,
    help: "Rows present at the first measurement.")
  private static let large = Option<Int>(
    "to", .integer(in: 1_000...1_000_000_000), default: 20_000_000, help: "Rows present at the second one.")

  static let command = Command(
    "history", abstract: "Whether appending slows as history grows.",
    discussion:
      "Fills the log week by week, and measures the same appends with little and with much history present.",
    options: [small, large]
  ) { arguments in
    try BenchStore.withFresh { bench in
      let connection = try Connection(bench.database.with(setting: "search_path", "pushlift"))
      var before: Double?
      for target in [arguments[small], arguments[large]] {
        try fill(to: target, bench, connection)
        try connection.execute("checkpoint")
        let rates = try (0..<5).map { _ in
          try BareLimit(store: bench.store, app: bench.app, rowsPerBatch: 1_000, seconds: 4).run()
        }
        let rate = rates.sorted()[2]
        let ratio = before.map { ", \(Int(100 * rate / $0)) % of the first" } ?? ""
        say("\(target) rows present: \(Int(rate)) rows/s\(ratio)")
        before = before ?? rate
      }
    }
  }

  /// Copies of rows over the weeks back, with ids of their own, as history has them.
  private static func fill(to target: Int, _ bench: BenchStore, _ connection: borrowing Connection) throws {
    _ = try BareLimit(store: bench.store, app: bench.app, rowsPerBatch: 1_000, seconds: 1).run()
    while true {
      let present = try connection.value(of: "select count(*) from event", as: Int.self)
      guard present < target else { return }
      let count = min(target - present, 500_000)
      try connection.execute(
        """
        insert into event (event_id, unit_id, day, app_id, device_key, fingerprint, occurred_at, sent_at, received_at,
          corrected_at, sequence, reply_length, type, time_quality, source, intended, attached, fallback,
          custom_interface, notification_id, category, action_id, experiment, arm, occurred_at_raw, detail)
        select gen_random_uuid(), gen_random_uuid(), day - back, app_id, device_key, fingerprint,
          occurred_at - back * interval '1 day', sent_at, received_at - back * interval '1 day',
          corrected_at - back * interval '1 day', sequence, reply_length, type, time_quality, source, intended, attached,
          fallback, custom_interface, notification_id, category, action_id, experiment, arm, occurred_at_raw, detail
        from (select *, (row_number() over () % 300)::integer as back from event limit \(count)) history
        """)
    }
  }
}
