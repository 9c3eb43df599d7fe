internal import Postgres

/// The columns of a table that add up, as pieces of SQL.
struct AdditiveColumns: Sendable {
  let names: [String]

  private func joined(_ separator: String = ", ", _ piece: (String) -> String) -> SQL {
    SQL(unsafeRaw: names.map(piece).joined(separator: separator))
  }

  var list: SQL { joined { $0 } }

  /// The same where a row counts, and 0 where it does not.
  func values(where condition: SQL) -> SQL {
    var columns = names.map {
      "case when \(condition) then \(identifier: $0) else 0 end as \(identifier: $0)" as SQL
    }
    let first = columns.removeFirst()
    return columns.reduce(first) { "\($0), \($1)" }
  }

  /// Their sums under their own names.
  var sums: SQL { joined { "sum(\($0))::bigint as \($0)" } }

  var isAnyNotZero: SQL { joined(" or ") { "\($0) <> 0" } }

  /// What adds rows to those that are there, in an `on conflict do update`.
  func additions(to table: String) -> SQL { joined { "\($0) = \(table).\($0) + excluded.\($0)" } }
}
