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

  /// Whether a prepared statement failed for its age: a schema change made its result another type, or it was dropped.
  ///
  /// Asked of the bare pointer: the optimiser of Swift 6.3.1 breaks off where an owned result is left on some paths only.
  static func isOfStalePlan(_ handle: OpaquePointer?) -> Bool {
    guard PQresultStatus(handle) == PGRES_FATAL_ERROR,
      let state = PQresultErrorField(handle, Int32(Character("C").asciiValue ?? 0))
    else { return false }
    return strcmp(state, "0A000") == 0 || strcmp(state, "26000") == 0
  }

  /// The error that this result stands for.
  func error(isLost: Bool, statement: String?) -> PostgresError {
    let state = field("C")
    let whole = PQresultErrorMessage(handle).map { String(cString: $0) } ?? ""
    let message = field("M") ?? whole.split(separator: "\n").joined(separator: " ")
    let kind: PostgresError.Kind = isLost ? .connectionLost : state.map { .server(sqlState: $0) } ?? .usage
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
