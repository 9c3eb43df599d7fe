internal import Arguments
internal import Foundation

/// The file of settings: the one that `PUSHLIFT_CONFIG` names, or else `/etc/pushlift.conf` where there is one.
enum Settings {
  private static let usualPath = "/etc/pushlift.conf"

  /// - Returns: nil where there is none.
  /// - Throws: `UsageError` where it cannot be read or understood.
  static func file(_ environment: [String: String], for root: Command) throws(UsageError)
    -> SettingsFile?
  {
    let named = environment["PUSHLIFT_CONFIG"].flatMap { $0.isEmpty ? nil : $0 }
    let path = named ?? usualPath
    guard named != nil || FileManager.default.fileExists(atPath: path) else { return nil }
    guard let file = fopen(path, "r") else { throw unreadable(path, errno, isNamed: named != nil, root) }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    while case let byte = getc(file), byte != EOF { bytes.append(UInt8(truncatingIfNeeded: byte)) }
    guard ferror(file) == 0 else { throw unreadable(path, errno, isNamed: named != nil, root) }
    return try SettingsFile(path: path, text: String(decoding: bytes, as: UTF8.self), for: root)
  }

  private static func unreadable(_ path: String, _ code: Int32, isNamed: Bool, _ root: Command) -> UsageError
  {
    UsageError(
      "\(path) cannot be read (\(String(cString: strerror(code))))\(isNamed ? "; PUSHLIFT_CONFIG names it" : "").",
      commandPath: [root.name])
  }
}
