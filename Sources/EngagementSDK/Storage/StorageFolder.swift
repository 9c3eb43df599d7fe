internal import Foundation

/// The folder that the processes of one app share, and what lies in it.
struct StorageFolder: Sendable {
  private let root: URL

  /// Records, a file or more a process.
  var journals: URL { root.appendingPathComponent("journals", isDirectory: true) }
  /// What has been recorded already, by a name made of what it is.
  var claims: URL { root.appendingPathComponent("claims", isDirectory: true) }
  /// Media on its way into a notification.
  var media: URL { root.appendingPathComponent("media", isDirectory: true) }
  /// The id that the SDK made for this installation.
  var installationID: URL { root.appendingPathComponent("installation-id", isDirectory: false) }
  /// Since when the server does not take the key; missing where it does.
  var keyRefusal: URL { root.appendingPathComponent("key-refused-since", isDirectory: false) }

  /// Makes what is missing.
  init(_ root: URL) throws(EngagementError) {
    self.root = root
    do {
      for folder in [root, journals, claims, media] {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Self.protect(folder)
      }
    } catch {
      throw EngagementError(.storage, "\(root.path) cannot be used: \(error)")
    }
  }

  /// New files in a folder take over its protection.
  ///
  /// None at all: a service extension runs before the first unlock after a restart, when files of the class
  /// `completeUntilFirstUserAuthentication`, the usual one, cannot be opened. And no backup: restored to another device,
  /// the id would make two devices one, and events would be sent by both.
  private static func protect(_ folder: URL) throws {
    #if canImport(Darwin)
      #if !os(macOS)
        try FileManager.default.setAttributes(
          [.protectionKey: FileProtectionType.none], ofItemAtPath: folder.path)
      #endif
      var folder = folder
      var values = URLResourceValues()
      values.isExcludedFromBackup = true
      try folder.setResourceValues(values)
    #endif
  }
}

extension URL {
  /// The same file with another name.
  func renamed(_ name: String) -> URL { deletingLastPathComponent().appendingPathComponent(name) }
}
