internal import EngagementEvents
internal import EventStore
internal import Foundation
internal import Postgres

/// What a search for a device in files has found: in exports, reports, logs, backups.
struct FileTraces {
  /// Files that have the device's id or a key of it in them.
  private(set) var found: [String] = []
  /// Files of packed data, which may have it without showing it.
  private(set) var packed: [String] = []
  /// What cannot be read, and why.
  private(set) var unread: [(path: String, reason: String)] = []
  /// Sockets, pipes and devices in folders, which hold nothing themselves.
  private(set) var special: [String] = []

  /// By themselves only: `d-1` is not found in `d-12`.
  private let words: [[UInt8]]
  /// Anywhere, as Postgres's own files have them.
  private let byteStrings: [[UInt8]]

  private static let pieceSize = 1 << 20

  /// How packed files begin: gzip, zstd, xz, bzip2, lz4, zip, and what `pg_dump` makes.
  private static let packedBeginnings: [[UInt8]] = [
    [0x1F, 0x8B], [0x28, 0xB5, 0x2F, 0xFD], [0xFD] + Array("7zXZ\0".utf8), Array("BZh".utf8),
    [0x04, 0x22, 0x4D, 0x18], Array("PK\u{3}\u{4}".utf8), Array("PGDMP".utf8),
  ]

  /// Looks through these paths and all folders below. A path that is given may be a pipe.
  init(of device: DeviceID, keys: [UUID128], in paths: [String]) {
    words = [Array(device.text.utf8)] + keys.map { Array($0.description.utf8) }
    byteStrings = keys.map { key in
      var bytes: [UInt8] = []
      key.encode(into: &bytes)
      return bytes
    }
    for path in paths { look(at: path, isGiven: true) }
  }

  private mutating func look(at path: String, isGiven: Bool = false) {
    var status = stat()
    guard (isGiven ? stat(path, &status) : lstat(path, &status)) == 0 else { return note(path, errno) }
    switch status.st_mode & S_IFMT {
    case S_IFDIR:
      guard let names = try? FileManager.default.contentsOfDirectory(atPath: path) else {
        return note(path, EACCES)
      }
      for name in names.sorted() { look(at: "\(path)/\(name)") }
    case S_IFREG: read(path)
    // A link to a file is the file; one to a folder would be a second way to it, or one without an end.
    case S_IFLNK where stat(path, &status) != 0: special.append(path)
    case S_IFLNK where status.st_mode & S_IFMT == S_IFREG: read(path)
    default: if isGiven { read(path) } else { special.append(path) }
    }
  }

  private mutating func note(_ path: String, _ code: Int32) {
    unread.append((path, String(cString: strerror(code))))
  }

  private mutating func read(_ path: String) {
    let descriptor = open(path, O_RDONLY)
    guard descriptor >= 0 else { return note(path, errno) }
    let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    do {
      var isPacked = false
      if try has(file, isPacked: &isPacked) {
        found.append(path)
      } else if isPacked {
        packed.append(path)
      }
    } catch {
      note(path, EIO)
    }
  }

  private func has(_ file: FileHandle, isPacked: inout Bool) throws -> Bool {
    let overlap = ((words + byteStrings).map(\.count).max() ?? 0) + 1
    // As if a line ended before the file and behind it. At the edge of a piece the one that overlaps it tells.
    var piece = [UInt8(ascii: "\n")]
    var isFirst = true
    while true {
      let read = try file.read(upToCount: Self.pieceSize) ?? Data()
      if isFirst { isPacked = Self.packedBeginnings.contains { read.starts(with: $0) } }
      isFirst = false
      piece += read.isEmpty ? [UInt8(ascii: "\n")] : Array(read)
      if words.contains(where: { piece.containsWord($0, atEdges: false) }) { return true }
      if byteStrings.contains(where: { piece.containsBytes($0) }) { return true }
      if read.isEmpty { return false }
      piece = Array(piece.suffix(overlap))
    }
  }
}
