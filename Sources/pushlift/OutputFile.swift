internal import Foundation

/// A file to write, which appears whole or not at all; `-` is standard output.
///
/// What stands at the path and is no plain file (a device, a pipe, a link) is written into and never replaced.
final class OutputFile {
  /// Whether a plain file is made.
  let isPlain: Bool
  private let path: String
  /// Nil for standard output, and once the file is closed.
  private var descriptor: Int32?
  /// The name that the file has until it is whole; nil where it is written in place, and once it has its own.
  private var temporary: String?
  private var buffer: [UInt8] = []

  /// - Parameter isPrivate: nobody but the owner may read a file that is made.
  init(_ path: String, isPrivate: Bool = false) throws {
    self.path = path
    var status = stat()
    let exists = path != "-" && lstat(path, &status) == 0
    isPlain = path != "-" && (!exists || status.st_mode & S_IFMT == S_IFREG)
    if path == "-" { return }
    let name = isPlain ? path + ".part" : path
    let created = open(
      name, O_WRONLY | O_TRUNC | O_CLOEXEC | (isPlain ? O_CREAT : 0),
      isPrivate ? 0o600 : 0o644)
    guard created >= 0 else { throw OutputFileError(name) }
    descriptor = created
    if isPlain { temporary = name }
  }

  /// Leaves nothing half-written behind.
  deinit {
    if let descriptor { close(descriptor) }
    if let temporary { unlink(temporary) }
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
    guard let descriptor else { return }
    self.descriptor = nil
    // Some file systems tell of a full disk only here.
    guard close(descriptor) == 0 else { throw OutputFileError(path) }
    guard let temporary else { return }
    guard rename(temporary, path) == 0 else { throw OutputFileError(path) }
    self.temporary = nil
  }

  private func flush() throws {
    if let descriptor {
      do throws(SystemError) {
        try writeAll(buffer, to: descriptor)
      } catch {
        throw OutputFileError(path, error)
      }
    } else {
      try Terminal.write(buffer)
    }
    buffer.removeAll(keepingCapacity: true)
  }

  /// Writes a whole file.
  static func write(_ bytes: [UInt8], to path: String) throws {
    let file = try OutputFile(path)
    try file.write(bytes)
    try file.finish()
  }

  /// Makes a folder, and those on the way to it, where they are missing.
  static func makeFolder(_ path: String) throws {
    var status = stat()
    if stat(path, &status) == 0 {
      guard status.st_mode & S_IFMT == S_IFDIR else {
        throw OutputFileError("The folder \(path)", SystemError(code: ENOTDIR))
      }
      return
    }
    let parent = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? ""
    if !parent.isEmpty { try makeFolder(parent) }
    // Another process may have made it meanwhile, and `a/` is made as `a`.
    guard mkdir(path, 0o777) == 0 || errno == EEXIST else { throw OutputFileError("The folder \(path)") }
  }
}

/// What the operating system refused, as an `errno`.
struct SystemError: Error {
  let code: Int32
}

/// Writes all bytes, however many calls it takes.
func writeAll(_ bytes: [UInt8], to descriptor: Int32) throws(SystemError) {
  var rest = bytes[...]
  while !rest.isEmpty {
    let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
    if count < 0, errno == EINTR { continue }
    guard count >= 0 else { throw SystemError(code: errno) }
    rest = rest.dropFirst(count)
  }
}

/// Why a file cannot be written.
struct OutputFileError: Error, CustomStringConvertible {
  let description: String

  /// - Parameter error: usually `errno`.
  init(_ path: String, _ error: SystemError = SystemError(code: errno)) {
    description = "\(path) cannot be written: \(String(cString: strerror(error.code)))."
  }
}
