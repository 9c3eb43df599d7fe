internal import EngagementEvents
internal import Foundation

/// Sees to it that what happened once is recorded once, whichever processes report it, and however often.
///
/// A claim is a file named by what happened. It is made together with its content, the event of whoever came first, in one
/// step, and emptied when that event is in a journal. Whoever finds it empty has nothing to do; whoever finds the
/// event in it finds a process killed, or still busy, between the two steps, and writes the same event into a journal
/// itself: the same id and the same bytes are one event to everybody.
struct EventClaims: Sendable {
  private let folder: URL
  private let queue: EventQueue

  init(_ folder: StorageFolder, queue: EventQueue) {
    self.folder = folder.claims
    self.queue = queue
  }

  /// Records an event unless its like has been recorded.
  ///
  /// - Returns: whether it is this event that counts.
  @discardableResult
  func record(_ event: QueuedEvent, as occurrence: Occurrence) throws(EngagementError) -> Bool {
    let path = folder.appendingPathComponent(occurrence.name).path
    if try !claim(path, with: event.record), let claimed = FileManager.default.contents(atPath: path) {
      if claimed.isEmpty { return false }
      // A torn one is what the power's loss leaves; it was never journaled.
      if let first = QueuedEvent.read([UInt8](claimed)).events.first?.event {
        try queue.append(first)
        truncate(path, 0)
        return first.id == event.id
      }
    }
    try queue.append(event)
    truncate(path, 0)
    return true
  }

  /// Makes the file with its content, and says whether it was this call that made it.
  private func claim(_ path: String, with record: [UInt8]) throws(EngagementError) -> Bool {
    // Most often nobody competes, and what has been recorded need not be written to be found so.
    if access(path, F_OK) == 0 { return false }
    let draft = folder.appendingPathComponent(".\(EventID.makeRandom().text)").path
    guard FileManager.default.createFile(atPath: draft, contents: Data(record)) else {
      throw .file("create", draft)
    }
    defer { unlink(draft) }
    if link(draft, path) == 0 { return true }
    guard errno == EEXIST else { throw .file("create", path) }
    return false
  }

  /// Records the events of processes that were killed between claim and journal. Nobody reports a delivery twice, so that
  /// without this it would stay here.
  ///
  /// Whoever is still busy has a moment for that; if both record the event, it is the same one.
  func recoverAbandoned(at now: Timestamp) {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    for name in names where !name.hasPrefix(".") {
      let path = folder.appendingPathComponent(name).path
      var status = stat()
      guard stat(path, &status) == 0, status.st_size > 0,
        Timestamp(status).advanced(by: .seconds(Self.patience)) < now,
        let claimed = FileManager.default.contents(atPath: path),
        let event = QueuedEvent.read([UInt8](claimed)).events.first?.event
      else { continue }
      // Where there is no room now there may be at the next start.
      guard (try? queue.append(event)) != nil else { continue }
      truncate(path, 0)
    }
  }

  /// Seconds that a claim may take to be in a journal.
  private static let patience: Int64 = 10

  /// Removes claims older than any notification can still be, and drafts that a kill left.
  func removeExpired(at now: Timestamp, age: Duration) {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    for name in names {
      let path = folder.appendingPathComponent(name).path
      var status = stat()
      guard stat(path, &status) == 0 else { continue }
      let modified = Timestamp(status)
      let limit = name.hasPrefix(".") ? .seconds(3600) : age
      if modified.advanced(by: limit) < now { unlink(path) }
    }
  }
}

/// What can happen but once: a delivery, an expansion, a certain response to a certain notification.
struct Occurrence {
  /// 32 hexadecimal digits.
  let name: String

  /// - Parameter parts: what tells it apart, in order.
  init(_ parts: [String]) {
    // FNV-1a in 128 bits: the same in every process, which `Hasher` is not; nobody gains by a collision.
    var hash: UInt128 = 0x6C62_272E_07BB_0142_62B8_2175_6295_C58D
    let prime: UInt128 = 0x0000_0000_0100_0000_0000_0000_0000_013B
    for part in parts {
      for byte in part.utf8 { hash = (hash ^ UInt128(byte)) &* prime }
      // No byte of UTF-8.
      hash = (hash ^ 0xFF) &* prime
    }
    let digits = String(hash, radix: 16)
    name = String(repeating: "0", count: 32 - digits.count) + digits
  }
}

extension Timestamp {
  /// When a file was last written to.
  fileprivate init(_ status: stat) {
    #if canImport(Darwin)
      self.init(microseconds: Int64(status.st_mtimespec.tv_sec) * 1_000_000)
    #else
      self.init(microseconds: Int64(status.st_mtim.tv_sec) * 1_000_000)
    #endif
  }
}
