internal import Postgres

extension StoreError {
  /// What Postgres said, for a log: only where it speaks of itself (its disk, its memory, its connections, its start and
  /// stop), since its other messages may quote values. Nil where it did not, or not of itself.
  package var saying: String? {
    guard let cause else { return nil }
    if cause.isConnectionLost { return cause.message }
    let isOfItself = ["08", "53", "57", "58"].contains { cause.sqlState?.hasPrefix($0) == true }
    return isOfItself ? cause.message : nil
  }

  /// What whoever runs Postgres can do; nil where there is nothing to say.
  package var operatorsRemedy: String? {
    guard let cause else { return remedy }
    switch cause.sqlState {
    case "53100": return "Free space on Postgres's disk; pushlift goes on by itself."
    case "53200": return "Give Postgres more memory, or fewer connections."
    case "53300": return "Raise Postgres's max_connections, or end other sessions."
    case "25006": return "This Postgres is a standby: let --database name the primary."
    case "28000", "28P01": return "Check the user and the password of --database."
    case "42501":
      return remedy ?? "Grant pushlift's role back the right that it has lost; Postgres's log names it."
    case "3D000": return "Check the database's name in --database."
    case let state? where state.hasPrefix("58"): return "Look at Postgres's log and its disk."
    default:
      return remedy
        ?? (cause.isConnectionLost ? "See that Postgres runs; pushlift comes back with it." : nil)
    }
  }
}
