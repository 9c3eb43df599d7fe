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

  /// What whoever runs Postgres can do about a server's error, which goes on; nil where there is nothing to say.
  package var operatorsRemedy: String? {
    remedy(full: "pushlift goes on by itself.", lost: "pushlift comes back with it.")
  }

  /// The same for a command, which has ended with this error.
  package var commandsRemedy: String? {
    remedy(full: "then run the command again.", lost: "then run the command again.")
  }

  private func remedy(full: String, lost: String) -> String? {
    guard let cause else { return remedy }
    switch cause.sqlState {
    case "53100": return "Free space on Postgres's disk; \(full)"
    case "53200": return "Give Postgres more memory, or fewer connections."
    case "53300": return "Raise Postgres's max_connections, or end other sessions."
    case "25006": return Self.readOnlyRemedy
    // What a standby says to a transaction that asks to write.
    case "0A000" where cause.message.contains("recovery"): return Self.readOnlyRemedy
    case "28000", "28P01": return "Check the user and the password of --database."
    case "42501":
      return remedy ?? "Grant pushlift's role back the right that it has lost; Postgres's log names it."
    case "3D000": return "Check the database's name in --database."
    case let state? where state.hasPrefix("58"): return "Look at Postgres's log and its disk."
    default: return remedy ?? (cause.isConnectionLost ? "See that Postgres runs; \(lost)" : nil)
    }
  }

  private static let readOnlyRemedy = """
    This Postgres takes nothing new: where it is a standby, let --database name the primary; where \
    default_transaction_read_only is on, turn it off.
    """
}
