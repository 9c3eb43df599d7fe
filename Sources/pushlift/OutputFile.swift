internal import Foundation

/// A file to write, which appears whole or not at all; `-` is standard output.
///
/// What stands at the path and is no plain file (a device, a pipe, a link) is written into and never replaced.
final class OutputFile {
  /// Whether a plain file is made.
  let isPlain: Bool
  private let path: String
  private let handle: FileHandle
  /// The name that the file has until it is whole; nil where it is written in place.
  private let temporary: String?
  private var buffer: [UInt8] = []

  init(_ path: String) throws {
    self.path = path
    var status = stat()
    let exists = path != "-" && lstat(path, &status) == 0
    isPlain = path != "-" && (!exists || status.st_mode & S_IFMT == S_IFREG)
    temporary = isPlain ? path + ".part" : nil
    if path == "-" {
      handle = .standardOutput
      return
    }
    let name = temporary ?? path
    let created = open(name, O_WRONLY | O_TRUNC | (isPlain ? O_CREAT : 0), 0o644)
    guard created >= 0 else { throw OutputFileError(name) }
    handle = FileHandle(fileDescriptor: created, closeOnDealloc: true)
  }

  /// Lends the bytes that are written next, for what is made in small pieces.
  func append(_ write: (inout [UInt8]) throws -> Void) throws {
    try write(&buffer)
    if buffer.count > 1 << 16 { try flush() }
  }

  func write(_ bytes: [UInt8]) throws { try append { $0 += bytes } }

  /// Writes what is left, and gives the file its name.
  func finish() throws {
    try flush()
    guard let temporary else { return }
    try handle.close()
    guard rename(temporary, path) == 0 else { throw OutputFileError(path) }
  }

  private func flush() throws {
    try handle.write(contentsOf: buffer)
    buffer.removeAll(keepingCapacity: true)
  }

  /// Writes a whole file.
  static func write(_ bytes: [UInt8], to path: String) throws {
    let file = try OutputFile(path)
    try file.write(bytes)
    try file.finish()
  }
}

/// Why a file cannot be written.
struct OutputFileError: Error, CustomStringConvertible {
  let description: String

  /// From `errno`.
  init(_ path: String) { description = "\(path) cannot be written: \(String(cString: strerror(errno)))." }
}
