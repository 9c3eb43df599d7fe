internal import EngagementEvents
package import EventStore
internal import Postgres

/// An examination of what is made from the log, and of what the events themselves give away.
package struct ProjectionDiagnosis {
  /// Days back that are looked at.
  private static let days: Int32 = 30

  private let store: EventStore

  package init(_ store: EventStore) { self.store = store }

  package func run() -> [Finding] {
    Finding.look(at: "lag", checkLag) + Finding.look(at: "statistics", checkStatistics)
      + Finding.look(at: "deadletters", checkDeadLetters) + Finding.look(at: "deliveries", checkDeliveries)
      + Finding.look(at: "categories", checkCategories) + Finding.look(at: "orphans", checkOrphans)
      + Finding.look(at: "times", checkTimes)
  }

  private func checkLag() throws -> [Finding] {
    let connection = try store.connect(.asking)
    let position = try EngagementProjection.checkpoint(on: connection).position
    // How long the first event that was not read has been there, in minutes.
    let waiting = try connection.query(
      """
      select extract(epoch from now() - received_at)::bigint / 60, (select last_value from event_position) - \(position)
      from event where position > \(position) order by position limit 1
      """
    ).map { row in (minutes: try row.value(0, as: Int.self), positions: try row.value(1, as: Int.self)) }
    guard let waiting = waiting.first else { return [Finding(.ok, "lag", "Every event was aggregated.")] }
    let message =
      "About \(waiting.positions) events are not aggregated, the first for \(waiting.minutes) minutes."
    return [
      waiting.minutes < 10
        ? Finding(.ok, "lag", message)
        : Finding(
          .warning, "lag", message,
          remedy:
            "Run pushlift aggregate, or serve without --no-aggregation; see its log for aggregation failed.")
    ]
  }

  /// Tables whose statistics or dead rows make the planner or the disk suffer.
  private func checkStatistics() throws -> [Finding] {
    let neglected = try store.connect(.asking).query(
      """
      select relname::text, n_live_tup, n_dead_tup, coalesce(last_analyze, last_autoanalyze) is null
      from pg_stat_user_tables
      where schemaname = 'pushlift'
        and ((n_live_tup > 50000 and coalesce(last_analyze, last_autoanalyze) is null)
          or (n_dead_tup > 50000 and n_dead_tup > n_live_tup / 2))
      order by 1
      """
    ).map { row in
      let isUnknown = try row.value(3, as: Bool.self)
      return Finding(
        .warning, "statistics",
        isUnknown
          ? "\(try row.value(0, as: String.self)) was never analysed; it has \(try row.value(1, as: Int.self)) rows."
          : "\(try row.value(0, as: String.self)) has \(try row.value(2, as: Int.self)) dead rows.",
        remedy: isUnknown
          ? "analyze it, or pushlift maintain for what is made from the log."
          : "vacuum it; see whether a session has been idle in a transaction for long.")
    }
    return neglected.isEmpty
      ? [Finding(.ok, "statistics", "All tables are analysed and vacuumed.")] : neglected
  }

  private func checkDeadLetters() throws -> [Finding] {
    let connection = try store.connect(.asking)
    let rows = try connection.query(
      """
      select name, sum(letters)::bigint, (array_agg(code order by letters desc, code))[1]
      from (
        select app_id, code, count(*) as letters from dead_letter
        where received_at > now() - interval '7 days' and replayed_at is null
        group by app_id, code
      ) recent join app using (app_id)
      group by name order by name collate "C"
      """
    ).map { row in
      Finding(
        .warning, "deadletters",
        "\(try row.value(0, as: String.self)): \(try row.value(1, as: Int.self)) events were rejected within seven days, most for \(try row.value(2, as: String.self)).",
        remedy:
          "pushlift deadletters list --app \(try row.value(0, as: String.self)) shows them, show ID one with its reason."
      )
    }
    return rows.isEmpty ? [Finding(.ok, "deadletters", "None came within seven days.")] : rows
  }

}

/// What the figures of the last weeks say of how they are gathered.
extension ProjectionDiagnosis {
  /// Text-only pushes are seen only where their payload lets the service extension run.
  private func checkDeliveries() throws -> [Finding] {
    let apps = try counts(
      """
      select name, sum(delivered) filter (where intended or shown),
        sum(delivered) filter (where not intended and not shown)
      from daily_rate join app using (app_id) where day > current_date - \(Self.days)
      """)
    let findings = apps.filter { $0.first >= 100 && $0.second * 100 < $0.first }.map { app in
      Finding(
        .warning, "deliveries",
        "\(app.name): \(app.first) rich and \(app.second) text-only notifications in \(Self.days) days: nothing to compare with.",
        remedy:
          "A text-only push is seen only if its payload has mutable-content: 1; pushlift payload lint tells.")
    }
    return findings.isEmpty
      ? [Finding(.ok, "deliveries", "No app has rich deliveries and hardly any of text alone.")] : findings
  }

  /// Categories that read alike: one was meant, and each has part of the figures.
  private func checkCategories() throws -> [Finding] {
    let seen = try store.connect(.asking).query(
      """
      select distinct name, category from daily_rate join app using (app_id) where day > current_date - \(Self.days)
      order by 1, 2
      """
    ).map { row in (app: try row.value(0, as: String.self), category: try row.value(1, as: String.self)) }
    let alike = Dictionary(grouping: seen) { [$0.app, $0.category.skeleton] }
      .values.filter { $0.count > 1 }.sorted { ($0[0].app, $0[0].category) < ($1[0].app, $1[0].category) }
    let findings = alike.map { twins in
      Finding(
        .warning, "categories",
        "\(twins[0].app): \(twins.map { "“\($0.category)”" }.joined(separator: ", ")) read alike and are counted apart.",
        remedy:
          "See which of them payloads should have; pushlift category import lets the server warn of the others."
      )
    }
    return findings.isEmpty ? [Finding(.ok, "categories", "No two of an app read alike.")] : findings
  }

  /// Interactions without a delivery: the extension did not run, or did not report.
  private func checkOrphans() throws -> [Finding] {
    let apps = try counts(
      """
      select name, count(*) filter (where delivered_at is null), count(*)
      from unit_outcome join app using (app_id)
      where (delivered_at is null and first_seen_at > now() - \(Self.days) * interval '1 day')
        or delivered_at > now() - \(Self.days) * interval '1 day'
      """)
    let findings = apps.filter { $0.first >= 20 && $0.first * 20 > $0.second }.map { app in
      Finding(
        .warning, "orphans",
        "\(app.name): \(app.first) of \(app.second) notifications of \(Self.days) days have interactions and no delivery.",
        remedy:
          "Their rates are of the others alone. See that the service extension records every delivery, text-only ones too."
      )
    }
    return findings.isEmpty
      ? [Finding(.ok, "orphans", "At most a twentieth of any app's notifications lack their delivery.")]
      : findings
  }

  /// Events whose time cannot be believed.
  private func checkTimes() throws -> [Finding] {
    let apps = try counts(
      """
      select name, sum(events), sum(events)
      from daily_implausible join app using (app_id) where day > current_date - 7
      """)
    let findings = apps.filter { $0.first > 0 }.map { app in
      Finding(
        .warning, "times", "\(app.name): \(app.first) events within seven days have a time that cannot be.",
        remedy:
          "They are kept and never counted; quality files and pushlift rates --details tell of which category."
      )
    }
    return findings.isEmpty
      ? [Finding(.ok, "times", "All events within seven days have times that can be.")] : findings
  }

  private struct AppCounts {
    let name: String
    let first: Int
    let second: Int
  }

  /// - Parameter statement: a name and two sums, of which none means 0; grouped by the name.
  private func counts(_ statement: SQL) throws -> [AppCounts] {
    let grouped: SQL = """
      select name, coalesce(first, 0)::bigint, coalesce(second, 0)::bigint
      from (\(statement) group by name) as counted (name, first, second) order by name collate "C"
      """
    return try store.connect(.asking).query(grouped).map { row in
      AppCounts(name: try row.value(0), first: try row.value(1), second: try row.value(2))
    }
  }
}
