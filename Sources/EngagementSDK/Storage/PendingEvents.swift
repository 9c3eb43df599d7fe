internal import EngagementEvents

/// What lies in sealed journals, without the events' bytes: few enough for the little memory that an extension has.
struct PendingEvents {
  /// Where an event lies.
  struct Entry: Hashable, Sendable {
    let id: EventID
    let recordedAt: Timestamp
    let heldUntil: Timestamp?
    let file: String
    let json: Range<Int>

    /// Whether nothing better has to be waited for.
    ///
    /// A clock that was set back must not hold it for longer than was meant, so a record of the future is sent.
    func isSendable(at now: Timestamp) -> Bool {
      guard let heldUntil else { return true }
      return now >= heldUntil || now < recordedAt
    }
  }

  private var entries: [EventID: Entry] = [:]
  private var ids: [String: Set<EventID>] = [:]
  private var unresolved: [String: Set<EventID>] = [:]
  /// Files with a damaged middle, from which records are lost.
  private(set) var damagedFiles: [String] = []

  /// Takes up the records of a file.
  mutating func add(file: String, bytes: [UInt8]) {
    let (events, isIntact) = QueuedEvent.read(bytes)
    if !isIntact { damagedFiles.append(file) }
    ids[file] = Set(events.map(\.event.id))
    unresolved[file] = ids[file]
    for (event, json) in events {
      let entry = Entry(
        id: event.id, recordedAt: event.recordedAt, heldUntil: event.heldUntil, file: file, json: json)
      // One that stands wins over one that is held.
      if let known = entries[event.id], known.heldUntil == nil || entry.heldUntil != nil { continue }
      entries[event.id] = entry
    }
  }

  var count: Int { entries.count }

  /// All of them, the oldest first.
  var inOrder: [Entry] {
    entries.values.sorted { ($0.recordedAt, $0.id) < ($1.recordedAt, $1.id) }
  }

  /// Those that may be sent, the oldest first.
  func sendable(at now: Timestamp) -> [Entry] { inOrder.filter { $0.isSendable(at: now) } }

  /// Files that hold some of these events, and others that are not done with.
  func files(with some: Set<EventID>) -> [String] {
    unresolved.keys.filter { ids[$0]?.isDisjoint(with: some) == false }
  }

  /// Forgets events that are done with.
  ///
  /// - Returns: the files in which nothing else lies.
  mutating func resolve(_ ids: some Sequence<EventID>) -> [String] {
    let ids = Set(ids)
    for id in ids { entries[id] = nil }
    for file in unresolved.keys { unresolved[file]?.subtract(ids) }
    let done = unresolved.filter { $0.value.isEmpty }.map(\.key)
    for file in done { unresolved[file] = nil }
    return done
  }
}
