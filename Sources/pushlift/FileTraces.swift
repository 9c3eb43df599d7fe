internal import EngagementEvents
internal import EventStore
internal import Foundation
internal import Postgres

/// Looks for a device in files: exports, reports, logs.
enum FileTraces {
  private static let pieceSize = 1 << 20

  /// The files that have the device's id or its key in them, of these paths and all folders below.
  ///
  /// An id stands for itself only: `d-1` is not found in `d-12`.
  static func find(_ device: DeviceID, _ key: UUID128, in paths: [String]) throws -> [String] {
    let words = [Array(device.text.utf8), Array(key.description.utf8)]
    var found: [String] = []
    for path in paths {
      var isFolder: ObjCBool = false
      guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
        throw UnreadableFile(path: path)
      }
      let names = isFolder.boolValue ? try FileManager.default.subpathsOfDirectory(atPath: path).sorted() : []
      for file in isFolder.boolValue ? names.map({ "\(path)/\($0)" }) : [path] where isPlain(file) {
        if try has(words, file) { found.append(file) }
      }
    }
    return found
  }

  private static func isPlain(_ path: String) -> Bool {
    var isFolder: ObjCBool = false
    return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && !isFolder.boolValue
  }

  private static func has(_ words: [[UInt8]], _ path: String) throws -> Bool {
    guard let file = FileHandle(forReadingAtPath: path) else { throw UnreadableFile(path: path) }
    defer { try? file.close() }
    let overlap = (words.map(\.count).max() ?? 0) + 1
    // As if a line ended before the file and behind it. At the edge of a piece the one that overlaps it tells.
    var piece = [UInt8(ascii: "\n")]
    while true {
      let read = try file.read(upToCount: pieceSize) ?? Data()
      piece += read.isEmpty ? [UInt8(ascii: "\n")] : Array(read)
      if words.contains(where: { piece.containsWord($0, atEdges: false) }) { return true }
      if read.isEmpty { return false }
      piece = Array(piece.suffix(overlap))
    }
  }
}

private struct UnreadableFile: Error, CustomStringConvertible {
  let path: String
  var description: String { "\(path) cannot be read." }
}
