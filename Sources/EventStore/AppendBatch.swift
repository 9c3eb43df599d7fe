/// What is appended in one transaction.
package struct AppendBatch: Sendable {
  /// In any order, from any number of requests and apps.
  package var rows: [EventRow]
  /// The place of each row in its request or file; as many as `rows`.
  package var indices: [Int]
  /// Events that were refused before they came here.
  package var deadLetters: [DeadLetter]
  /// What deliveries among the rows do not tell. Where it cannot be declared, the rows are stored all the same.
  package var limits: [DeclaredLimit] = []
  /// How the events came: `http`, `import`. Marks the letters of conflicts.
  package var source: String
  /// The imported file that the rows are of, as letters name it; nil for others.
  package var file: String?
  /// Whether a row that is not stored leaves a letter; not where it came from one.
  package var leavesLetters = true
  /// What happened and how to mend it, where an id is there with other content.
  package var conflictMessage = AppendOutcome.conflictMessage

  package init(rows: [EventRow], indices: [Int], deadLetters: [DeadLetter], source: String) {
    precondition(rows.count == indices.count, "each row needs its index")
    self.rows = rows
    self.indices = indices
    self.deadLetters = deadLetters
    self.source = source
  }

  /// How much the batch weighs against the capacity of a queue.
  package var weight: Int { rows.count + deadLetters.count }

  /// The letters of rows that the store did not take as they are.
  func letters(for outcomes: [AppendOutcome]) -> [DeadLetter] {
    guard leavesLetters else { return [] }
    var letters: [DeadLetter] = []
    for (place, outcome) in outcomes.enumerated() {
      switch outcome {
      case .stored, .duplicate: continue
      case .conflict:
        letters.append(
          DeadLetter(
            rows[place], index: indices[place], source: source, file: file, field: "id",
            code: AppendOutcome.conflictCode, message: conflictMessage))
      case .refused(let reason):
        letters.append(
          DeadLetter(
            rows[place], index: indices[place], source: source, file: file, field: "",
            code: AppendOutcome.refusedCode, message: reason))
      }
    }
    return letters
  }
}

extension AppendOutcome {
  package static let conflictCode = "conflict"
  package static let refusedCode = "not_storable"
  package static let conflictMessage =
    "another event with this id, notification, device and day is stored with other content; the first one stays: "
    + "give each event an id of its own, and send a retry unchanged"
}
