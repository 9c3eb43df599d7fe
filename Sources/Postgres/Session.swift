/// What a connection remembers between calls.
final class Session {
  /// A prepared statement: its text, and the types of its parameters.
  struct Prepared: Hashable {
    let text: String
    let types: [UInt32]
  }

  private var preparedNames: [Prepared: String] = [:]
  private var preparedCount = 0
  private(set) var savepointDepth = 0

  /// Set while a COPY or a streamed query runs, when no other statement can.
  var isStreaming = false

  func name(of statement: Prepared) -> String? { preparedNames[statement] }

  /// A name that no statement of this session has had.
  func makeName() -> String {
    preparedCount += 1
    return "pushlift_\(preparedCount)"
  }

  func remember(_ statement: Prepared, as name: String) { preparedNames[statement] = name }

  func forget(_ statement: Prepared) { preparedNames[statement] = nil }

  func enterSavepoint() { savepointDepth += 1 }

  func leaveSavepoint() { savepointDepth -= 1 }
}
