/// What went wrong between pushlift and Postgres.
///
/// `description` is safe to log: it holds neither parameter values nor the server's DETAIL and CONTEXT lines, which quote rows.
package struct PostgresError: Error, Sendable {
  /// The code to tell errors apart by.
  package enum Kind: Sendable, Hashable {
    /// No connection could be made.
    case cannotConnect
    /// The connection broke; if that was during COMMIT, the outcome is unknown.
    case connectionLost
    /// The server refused a statement, with this five-letter SQLSTATE.
    case server(sqlState: String)
    /// COMMIT was answered by a rollback, since a statement inside had failed and its error was swallowed.
    case rolledBack
    /// A result did not have the type or the shape that was asked for.
    case decoding
    /// The caller broke a rule of this module; nothing was sent.
    case usage
    /// No connection of the pool came free in time.
    case poolExhausted
  }

  package let kind: Kind
  /// What happened and how to mend it, in one sentence. A server's message may quote a value; `description` does not.
  package let message: String
  /// The SQLSTATE; also kept where the server gave one while it closed the connection (57P01).
  package var sqlState: String?
  /// The server's DETAIL line. It can hold data: never log it.
  package var detail: String?
  package var hint: String?
  /// The constraint, table and column that the server names; nil where it names none.
  package var constraint: String?
  package var table: String?
  package var column: String?
  /// The text of the statement, with `$1` where values were bound.
  package var statement: String?

  package init(_ kind: Kind, _ message: String, statement: String? = nil) {
    self.kind = kind
    self.message = message
    self.statement = statement
    if case .server(let state) = kind { sqlState = state }
  }

  /// Whether the connection can no longer be used, or never could.
  package var isConnectionLost: Bool { kind == .connectionLost || kind == .cannotConnect }

  /// Whether the same work may succeed if it is done again, on a new connection where `isConnectionLost`.
  ///
  /// True for serialization failures, deadlocks, lost connections, a server that starts or stops, and exhausted resources.
  package var isRetryable: Bool {
    if isConnectionLost || kind == .poolExhausted { return true }
    guard let sqlState else { return false }
    return switch sqlState {
    case "40001", "40P01", "57P01", "57P02", "57P03": true
    default: sqlState.hasPrefix("08") || sqlState.hasPrefix("53")
    }
  }
}

extension PostgresError: CustomStringConvertible {
  package var description: String {
    var text = "\(label): \(messageWithoutData)"
    if let constraint { text += " (constraint \(constraint))" }
    if let hint { text += " Hint: \(hint)" }
    if let statement { text += " Statement: \(Self.abridged(statement))" }
    return text
  }

  private var label: String {
    let state = sqlState.map { " (\($0))" } ?? ""
    return switch kind {
    case .cannotConnect: "cannot connect to Postgres" + state
    case .connectionLost: "connection to Postgres lost" + state
    case .server: "Postgres error" + state
    case .rolledBack: "transaction rolled back"
    case .decoding: "unexpected result from Postgres"
    case .usage: "misuse of Postgres"
    case .poolExhausted: "no database connection free"
    }
  }

  /// Messages of class 22 (data exceptions) quote the offending value after a colon; that part is left out.
  private var messageWithoutData: String {
    guard let sqlState, sqlState.hasPrefix("22"), let quote = message.firstIndex(of: "\"") else {
      return message
    }
    return message[..<quote] + "…"
  }

  private static func abridged(_ statement: String) -> String {
    let line = statement.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    return line.count <= 300 ? line : line.prefix(300) + "…"
  }
}
