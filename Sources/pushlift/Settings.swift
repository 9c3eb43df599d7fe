internal import Arguments
internal import Foundation

/// The file of settings: the one that `PUSHLIFT_CONFIG` names, or else `/etc/pushlift.conf` where there is one.
enum Settings {
  private static let usualPath = "/etc/pushlift.conf"

  /// - Returns: nil where there is none.
  /// - Throws: `UsageError` where it cannot be read or understood.
  static func file(_ environment: [String: String], for root: Command) throws -> SettingsFile? {
    let named = environment["PUSHLIFT_CONFIG"].flatMap { $0.isEmpty ? nil : $0 }
    let path = named ?? usualPath
    guard named != nil || FileManager.default.fileExists(atPath: path) else { return nil }
    guard let data = FileManager.default.contents(atPath: path) else {
      throw UsageError(
        "\(path) cannot be read\(named == nil ? "" : "; PUSHLIFT_CONFIG names it").", commandPath: [root.name]
      )
    }
    return try SettingsFile(path: path, text: String(decoding: data, as: UTF8.self), for: root)
  }
}
