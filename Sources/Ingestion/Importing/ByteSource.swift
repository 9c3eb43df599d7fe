internal import Foundation

/// The bytes of a file or of standard input, piece by piece.
package final class ByteSource {
  /// As messages call it.
  package let name: String
  /// As letters have it, the same wherever the file lies when it is imported again: the last part of its path, or `-`.
  package let fileName: String
  private let read: () throws -> [UInt8]
  /// What was looked at before its time.
  private var ahead: [UInt8]?

  private static let pieceSize = 1 << 16

  /// - Parameter path: `-` for standard input.
  /// - Throws: `ImportError.unreadable`.
  package init(path: String) throws(ImportError) {
    let handle: FileHandle
    if path == "-" {
      name = "standard input"
      fileName = path
      handle = .standardInput
    } else {
      name = path
      fileName = path.split(separator: "/").last.map(String.init) ?? path
      var isFolder: ObjCBool = false
      guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), !isFolder.boolValue else {
        throw ImportError(
          .unreadable, isFolder.boolValue ? "\(path) is a folder." : "There is no file \(path).")
      }
      guard let opened = FileHandle(forReadingAtPath: path) else {
        throw ImportError(.unreadable, "\(path) cannot be read. Run as a user who may read it.")
      }
      handle = opened
    }
    read = { Array(try handle.read(upToCount: Self.pieceSize) ?? Data()) }
  }

  /// Bytes that are in memory.
  package convenience init(name: String, _ bytes: [UInt8], pieceSize: Int = 1 << 16) {
    var rest = bytes[...]
    self.init(name: name) {
      defer { rest = rest.dropFirst(pieceSize) }
      return Array(rest.prefix(pieceSize))
    }
  }

  /// - Parameters:
  ///   - fileName: nil where it is the name.
  ///   - read: gives the next piece, and an empty one at the end.
  package init(name: String, fileName: String? = nil, read: @escaping () throws -> [UInt8]) {
    self.name = name
    self.fileName = fileName ?? name
    self.read = read
  }

  /// The next piece; nil at the end.
  func next() throws(ImportError) -> [UInt8]? {
    if let piece = ahead {
      ahead = nil
      return piece.isEmpty ? nil : piece
    }
    do {
      let piece = try read()
      return piece.isEmpty ? nil : piece
    } catch {
      throw ImportError(.unreadable, "\(name) cannot be read to its end: \(error)")
    }
  }

  /// The format that the name tells, for a command to be pasted.
  private var format: String {
    let bare = fileName.lowercased().hasSuffix(".gz") ? String(fileName.dropLast(3)) : fileName
    return (EventImport.Format(path: bare) ?? .csv).rawValue
  }

  /// Looks at the beginning without taking it, except for a byte-order mark of UTF-8, which is skipped.
  ///
  /// - Throws: `ImportError.format` for UTF-16, UTF-32 and compressed files.
  func beginning() throws(ImportError) -> [UInt8] {
    var start: [UInt8] = []
    // A pipe may give less than a byte-order mark at once.
    while start.count < 4, let piece = try next() { start += piece }
    if start.starts(with: [0x1F, 0x8B]) {
      throw ImportError(
        .format,
        "\(name) is compressed. Import it as: zcat FILE | pushlift import - --format \(format) --app NAME")
    }
    if let encoding = WideEncoding(beginning: start) {
      throw ImportError(
        .format,
        "\(name) is \(encoding.rawValue). Import it as: iconv -f \(encoding.rawValue) -t UTF-8 FILE | "
          + "pushlift import - --format \(format) --app NAME")
    }
    if start.starts(with: [0xEF, 0xBB, 0xBF]) { start.removeFirst(3) }
    ahead = start
    return start
  }
}
