internal import Foundation

/// A new file that only its maker appends to.
///
/// No lock is held on it: iOS ends a process that it suspends while it holds a lock on a file in an App Group's container.
final class AppendOnlyFile {
  let path: String
  private let descriptor: Int32
  private(set) var byteCount = 0

  /// - Throws: also where there is a file of this name.
  init(creating path: String) throws(EngagementError) {
    self.path = path
    descriptor = Foundation.open(path, O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw .file("create", path) }
  }

  deinit { close(descriptor) }

  /// Whether it is still where it was made.
  var isInPlace: Bool { access(path, F_OK) == 0 }

  /// Writes, and returns when the bytes outlive the process and its machine.
  ///
  /// - Throws: and then part of the bytes may be in the file, which therefore must not be used again.
  func append(_ bytes: [UInt8]) throws(EngagementError) {
    var written = 0
    while written < bytes.count {
      let count = bytes[written...].withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw .file("write to", path) }
      written += count
    }
    guard fsync(descriptor) == 0 else { throw .file("sync", path) }
    byteCount += bytes.count
  }

  /// Makes names in a folder outlive the machine.
  static func sync(folder: String) throws(EngagementError) {
    let descriptor = Foundation.open(folder, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .file("open", folder) }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 else { throw .file("sync", folder) }
  }
}

extension EngagementError {
  /// What the system says of a file just now.
  static func file(_ verb: String, _ path: String) -> EngagementError {
    let reason = String(cString: strerror(errno))
    return EngagementError(.storage, "cannot \(verb) \(path): \(reason)")
  }
}
