internal import CPostgres

/// The one owner of a PGresult.
struct QueryResult: ~Copyable {
  let handle: OpaquePointer

  init(_ handle: OpaquePointer) { self.handle = handle }

  deinit { PQclear(handle) }

  var status: ExecStatusType { PQresultStatus(handle) }

  /// How many rows the statement returned or changed, 0 for statements that do neither.
  var affectedRows: Int { PQcmdTuples(handle).flatMap { Int(String(cString: $0)) } ?? 0 }

  /// What the server says it did, such as `INSERT 0 3` or `ROLLBACK`.
  var commandTag: String { PQcmdStatus(handle).map { String(cString: $0) } ?? "" }

  /// A field of the server's error message.
  func field(_ code: Character) -> String? {
    PQresultErrorField(handle, Int32(code.asciiValue ?? 0)).map { String(cString: $0) }
  }

  /// The error that this result stands for.
  func error(isLost: Bool, statement: String?) -> PostgresError {
    let state = field("C")
    let whole = PQresultErrorMessage(handle).map { String(cString: $0) } ?? ""
    let message = field("M") ?? whole.split(separator: "\n").joined(separator: " ")
    // The server closes the connection after such an error; that may not have arrived yet.
    let isLast = field("V") == "FATAL" || field("V") == "PANIC"
    let kind: PostgresError.Kind =
      isLost || isLast ? .connectionLost : state.map { .server(sqlState: $0) } ?? .usage
    var error = PostgresError(kind, message.isEmpty ? "no message" : message, statement: statement)
    error.sqlState = state
    error.detail = field("D")
    error.hint = field("H")
    error.constraint = field("n")
    error.table = field("t")
    error.column = field("c")
    return error
  }
}
