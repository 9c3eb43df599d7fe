internal import EngagementEvents

/// What a Postgres server says of itself.
struct ServerFacts {
  /// As text, `15.14`.
  let version: String
  /// As a number, 150014.
  let number: Int32
  let syncs: Bool
  let writesFullPages: Bool
  let vacuums: Bool
  /// What the database takes.
  let bytes: Int
  /// Transactions since the oldest row that is not frozen.
  let transactionAge: Int32
  let connections: Int
  let maximumConnections: Int
  let clock: Timestamp

  var findings: [Finding] {
    var findings: [Finding] = []
    if number < 150_000 {
      findings.append(
        Finding(
          .warning, "postgres", "PostgreSQL \(version) is older than any this was tested with.",
          remedy: "Use 15 or later."))
    } else {
      findings.append(
        Finding(.ok, "postgres", "PostgreSQL \(version); the database takes \(bytes >> 20) MiB."))
    }
    findings.append(durability)
    if !vacuums {
      findings.append(
        Finding(
          .warning, "vacuum", "autovacuum is off: tables grow, and the planner knows less and less of them.",
          remedy: "Set autovacuum = on in postgresql.conf."))
    }
    if transactionAge > 1_000_000_000 {
      findings.append(
        Finding(
          .fault, "vacuum",
          "The oldest transaction is \(transactionAge) back; at two thousand million Postgres stops.",
          remedy: "vacuumdb --freeze on this database."))
    }
    if connections * 10 > maximumConnections * 8 {
      findings.append(
        Finding(
          .warning, "connections", "\(connections) of \(maximumConnections) are in use.",
          remedy: "Raise max_connections, or see who holds them in pg_stat_activity."))
    }
    return findings
  }

  /// `synchronous_commit` is not looked at: each session of ours turns it on.
  private var durability: Finding {
    switch (syncs, writesFullPages) {
    case (true, true):
      Finding(
        .ok, "durability", "fsync and full_page_writes are on; pushlift's sessions commit synchronously.")
    case (false, _):
      Finding(
        .fault, "durability",
        "fsync is off: a crash can lose events that were answered, or the whole database.",
        remedy: "Set fsync = on in postgresql.conf.")
    case (true, false):
      Finding(
        .fault, "durability", "full_page_writes is off: a crash can leave pages half written.",
        remedy: "Set full_page_writes = on in postgresql.conf.")
    }
  }

  /// How far the server's clock is from this machine's, which tells the time of events that arrive here.
  func clockFinding(between before: Timestamp, and after: Timestamp) -> Finding {
    let early = before.microseconds - clock.microseconds
    let late = clock.microseconds - after.microseconds
    let seconds = max(early, late, 0) / 1_000_000
    guard seconds >= 5 else {
      return Finding(.ok, "clock", "This machine's and the database's are at one.")
    }
    return Finding(
      seconds >= 60 ? .fault : .warning, "clock",
      "The database's is \(seconds) s \(early > 0 ? "behind" : "ahead of") this machine's.",
      remedy: "Let both be set by the network (NTP): windows close by the time of arrival.")
  }
}
