internal import EngagementEvents
internal import Foundation
internal import Synchronization

/// The events that wait on disk, shared by all processes of an app without a lock between them.
///
/// Each process appends to files of its own, named at random. Whoever wants to send first *seals* a file by renaming it,
/// and only then reads it. A writer looks, after each record is on disk, whether its file has been renamed, and if so
/// writes the record once more into a new one. So a file that is read completely and removed cannot take along a
/// record that was not read. A record may lie in two files, or be sent by two processes; its id makes it one.
final class EventQueue: Sendable {
  private let folder: StorageFolder
  private let journal = Mutex<AppendOnlyFile?>(nil)
  private let limits: Limits

  /// When a process begins its next file, so that little is read twice.
  struct Limits: Sendable {
    var journalBytes = 128 * 1024
  }

  init(_ folder: StorageFolder, limits: Limits = Limits()) {
    self.folder = folder
    self.limits = limits
  }

  private static let open = "journal"
  private static let sealed = "sealed"

  /// Writes an event, and returns when it is on disk.
  func append(_ event: QueuedEvent) throws(EngagementError) { try append(event.record) }

  private func append(_ records: [UInt8]) throws(EngagementError) {
    let outcome = journal.withLock { journal in
      Result { () throws(EngagementError) in
        repeat {
          let file: AppendOnlyFile
          if let current = journal { file = current } else { file = try makeJournal() }
          // Forgotten until all went well: what follows a torn record would not be read.
          journal = nil
          try file.append(records)
          guard file.isInPlace else { continue }
          journal = file.byteCount < limits.journalBytes ? file : nil
          return
        } while true
      }
    }
    try outcome.get()
  }

  private func makeJournal() throws(EngagementError) -> AppendOnlyFile {
    let name = "\(EventID.makeRandom().text).\(Self.open)"
    let file = try AppendOnlyFile(creating: folder.journals.appendingPathComponent(name).path)
    try AppendOnlyFile.sync(folder: folder.journals.path)
    return file
  }

  /// Seals all files, and tells what is in them.
  func pending() throws(EngagementError) -> PendingEvents {
    // What this process records from now on goes into a new file at once.
    journal.withLock { $0 = nil }
    var pending = PendingEvents()
    for name in try fileNames().sorted() {
      let file = folder.journals.appendingPathComponent(name)
      if file.pathExtension == Self.open {
        let sealed = file.deletingPathExtension().appendingPathExtension(Self.sealed)
        // Where another process was faster, the file is there under its new name, or sent and gone.
        _ = rename(file.path, sealed.path)
        add(sealed, to: &pending)
      } else if file.pathExtension == Self.sealed {
        add(file, to: &pending)
      }
    }
    return pending
  }

  private func add(_ file: URL, to pending: inout PendingEvents) {
    guard let data = try? Data(contentsOf: file) else { return }
    pending.add(file: file.lastPathComponent, bytes: [UInt8](data))
  }

  private func fileNames() throws(EngagementError) -> [String] {
    do { return try FileManager.default.contentsOfDirectory(atPath: folder.journals.path) } catch {
      throw EngagementError(.storage, "cannot list \(folder.journals.path): \(error)")
    }
  }

  /// The JSON of events; those whose file another process has sent and removed meanwhile are left out.
  func load(_ entries: some Sequence<PendingEvents.Entry>) -> [(id: EventID, json: [UInt8])] {
    var files: [String: [UInt8]] = [:]
    return entries.compactMap { entry in
      if files[entry.file] == nil {
        let data = try? Data(contentsOf: folder.journals.appendingPathComponent(entry.file))
        files[entry.file] = data.map { [UInt8]($0) } ?? []
      }
      guard let bytes = files[entry.file], entry.json.upperBound <= bytes.count else { return nil }
      return (entry.id, Array(bytes[entry.json]))
    }
  }

  /// Gives up events for good, though others that lie in the same files are not done with.
  ///
  /// - Parameter pending: of no use afterwards.
  func discard(_ ids: Set<EventID>, of pending: inout PendingEvents) throws(EngagementError) {
    remove(pending.resolve(ids))
    for name in pending.files(with: ids) {
      let bytes = try? Data(contentsOf: folder.journals.appendingPathComponent(name))
      // First written again, then removed: a kill between the two leaves them twice, which is no more than once.
      let others = QueuedEvent.read(bytes.map { [UInt8]($0) } ?? []).events.filter {
        !ids.contains($0.event.id)
      }
      if !others.isEmpty { try append(others.flatMap(\.event.record)) }
      remove([name])
    }
  }

  /// Removes files, all of whose events are done with.
  func remove(_ files: [String]) {
    for name in files { unlink(folder.journals.appendingPathComponent(name).path) }
  }
}
