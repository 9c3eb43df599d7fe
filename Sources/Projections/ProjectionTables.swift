internal import Postgres

/// The names of one set of projected tables: those that reports read, or others of the same shape beside them.
struct ProjectionTables: Sendable, Hashable {
  /// What the names of a set end in.
  let suffix: String

  /// Those that reports read.
  static let serving = ProjectionTables(suffix: "")
  /// Those that a rebuild fills, to take the place of the serving ones.
  static let rebuilt = ProjectionTables(suffix: "_rebuilt")
  /// Temporary ones of a transaction.
  static let replayed = ProjectionTables(suffix: "_replayed")

  /// A projected table, and the columns that tell its rows apart.
  struct Table: Sendable, Hashable {
    let name: String
    let key: [String]
  }

  /// All tables of a set, in the order in which they are locked.
  static let all = [
    Table(name: "unit_outcome", key: ["unit_id"]),
    Table(name: "unit_interaction", key: ["unit_id", "at", "type", "action_id", "replied"]),
    Table(
      name: "daily_rate",
      key: ["app_id", "day", "category", "intended", "shown", "custom_interface", "bucket"]),
    Table(
      name: "framed_rate",
      key: ["app_id", "frame_id", "day", "category", "intended", "shown", "custom_interface", "bucket"]),
    Table(
      name: "daily_action",
      key: [
        "app_id", "frame_id", "day", "category", "intended", "shown", "custom_interface", "bucket",
        "action_id",
      ]),
    Table(name: "daily_implausible", key: ["app_id", "day", "category"]),
    Table(name: "log_tally", key: ["week"]),
  ]

  /// The name under which the set's checkpoint is kept.
  var checkpoint: String { "engagement" + suffix }

  var unitOutcome: SQL { self["unit_outcome"] }
  var unitInteraction: SQL { self["unit_interaction"] }
  var dailyRate: SQL { self["daily_rate"] }
  var framedRate: SQL { self["framed_rate"] }
  var dailyAction: SQL { self["daily_action"] }
  var dailyImplausible: SQL { self["daily_implausible"] }
  var logTally: SQL { self["log_tally"] }

  /// The set's table of this name.
  subscript(name: String) -> SQL { "\(identifier: name + suffix)" }

  /// All tables of the set, separated by commas.
  var list: SQL { SQL(unsafeRaw: Self.all.map { SQL.quoted($0.name + suffix) }.joined(separator: ", ")) }

  /// Keeps the serving tables from being swapped for others until the transaction ends.
  ///
  /// To be sent along with the BEGIN: names are looked up as they are now but rows as the transaction's snapshot has them,
  /// so that a snapshot from before a swap would see the new tables unfinished.
  static let share: String = "lock table \(serving.list.text) in access share mode"
}
