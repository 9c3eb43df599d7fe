internal import Postgres

/// A batch in the order in which it is written, and how its rows are judged once it is.
struct AppendPlan {
  /// The rows to insert, ascending by key, each key once.
  let sorted: [EventRow]
  /// For each row of the caller's batch, where its key stands in `sorted`.
  private let slots: [Int]
  /// For each of `sorted`, which row of the caller's batch it is: the first with its key.
  private let places: [Int]
  private let rows: [EventRow]

  /// Rows a statement: more make it no faster, fewer make it slower.
  private static let rowsPerStatement = 1_000

  /// What each statement inserts.
  var statementRows: [ArraySlice<EventRow>] {
    stride(from: 0, to: sorted.count, by: Self.rowsPerStatement).map {
      sorted[$0..<min($0 + Self.rowsPerStatement, sorted.count)]
    }
  }

  /// What the store says of a key after the insert.
  enum Verdict {
    /// The row of `sorted` is the one that was written.
    case inserted
    /// An event was there already, with this fingerprint.
    case existing(UUID128)
    case refused(reason: String)
  }

  init(_ rows: [EventRow]) {
    self.rows = rows
    let order = Self.order(rows)
    var sorted: [EventRow] = []
    var places: [Int] = []
    var slots = [Int](repeating: 0, count: rows.count)
    sorted.reserveCapacity(rows.count)
    places.reserveCapacity(rows.count)
    for place in order {
      if sorted.last?.key != rows[place].key {
        sorted.append(rows[place])
        places.append(place)
      }
      slots[place] = sorted.count - 1
    }
    self.sorted = sorted
    self.places = places
    self.slots = slots
  }

  /// The places of the rows, ascending by key. Ties go by place, so that the first of several with one key is kept.
  private static func order(_ rows: [EventRow]) -> [Int] {
    var entries = rows.enumerated().map { (key: $1.key, place: $0) }
    entries.sort { left, right in
      left.key < right.key || (left.place < right.place && left.key == right.key)
    }
    return entries.map(\.place)
  }

  /// The outcome of each row of the caller's batch, given a verdict for each of `sorted`.
  func outcomes(_ verdicts: [Verdict]) -> [AppendOutcome] {
    rows.indices.map { place in
      let slot = slots[place]
      switch verdicts[slot] {
      case .refused(let reason): return .refused(reason: reason)
      case .inserted:
        if places[slot] == place { return .stored }
        return rows[place].isSame(as: sorted[slot].fingerprint) ? .duplicate : .conflict
      case .existing(let fingerprint): return rows[place].isSame(as: fingerprint) ? .duplicate : .conflict
      }
    }
  }
}

extension EventRow {
  /// Whether what is stored under the same key says the same, as far as this one tells.
  fileprivate func isSame(as stored: UUID128) -> Bool { lacksReplyText || fingerprint == stored }
}
