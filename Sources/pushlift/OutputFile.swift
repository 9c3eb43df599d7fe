internal import EventStore
internal import Foundation

/// A file that appears whole or not at all, written in pieces; `-` is standard output.
final class OutputFile {
  private let path: String
  private let temporary: String
  private let handle: FileHandle
  private var buffer: [UInt8] = []

  init(path: String) throws {
    self.path = path
    guard path != "-" else {
      temporary = path
      handle = .standardOutput
      return
    }
    temporary = path + ".part"
    guard FileManager.default.createFile(atPath: temporary, contents: nil),
      let handle = FileHandle(forWritingAtPath: temporary)
    else { throw Self.unwritable(temporary) }
    self.handle = handle
  }

  /// Lends the bytes that are written next.
  func append(_ write: (inout [UInt8]) -> Void) throws {
    write(&buffer)
    if buffer.count > 1 << 16 { try flush() }
  }

  /// Without it the file does not appear.
  func finish() throws {
    try flush()
    guard path != "-" else { return }
    try handle.close()
    guard rename(temporary, path) == 0 else { throw Self.unwritable(path) }
  }

  private func flush() throws {
    do {
      try handle.write(contentsOf: buffer)
    } catch {
      throw StoreError(.invalidValue, "\(path) cannot be written to its end: \(error)")
    }
    buffer.removeAll(keepingCapacity: true)
  }

  private static func unwritable(_ path: String) -> StoreError {
    StoreError(.invalidValue, "\(path) cannot be written.", remedy: "Choose another --output.")
  }
}
