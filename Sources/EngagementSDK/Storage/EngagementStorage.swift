public import Foundation

/// Where events wait until they are sent.
///
/// An app and its extensions have to name the same App Group: only then does the app send what the extensions recorded,
/// and only then is a response that both of them see recorded once.
public struct EngagementStorage: Sendable, Hashable {
  private enum Place: Hashable {
    case appGroup(String)
    case folder(URL)
    case applicationSupport
  }

  private let place: Place

  /// The container that the app shares with its extensions, such as `group.com.example.shop`.
  public static func appGroup(_ identifier: String) -> EngagementStorage {
    EngagementStorage(place: .appGroup(identifier))
  }

  /// A folder, made where it is missing.
  public static func folder(_ url: URL) -> EngagementStorage { EngagementStorage(place: .folder(url)) }

  /// The process's own support folder: for an app without extensions.
  public static let applicationSupport = EngagementStorage(place: .applicationSupport)

  /// Finds and prepares the folder.
  func open() throws(EngagementError) -> StorageFolder {
    switch place {
    case .folder(let url): try StorageFolder(url)
    case .applicationSupport: try StorageFolder(try Self.supportFolder())
    case .appGroup(let identifier): try StorageFolder(try Self.container(of: identifier))
    }
  }

  private static func supportFolder() throws(EngagementError) -> URL {
    do {
      return try FileManager.default.url(
        for: .applicationSupportDirectory, in: .userDomainMask, appropriateFor: nil, create: true
      ).appendingPathComponent("EngagementSDK", isDirectory: true)
    } catch {
      throw EngagementError(.storage, "there is no application support folder: \(error)")
    }
  }

  private static func container(of identifier: String) throws(EngagementError) -> URL {
    #if canImport(Darwin)
      if let url = FileManager.default.containerURL(forSecurityApplicationGroupIdentifier: identifier) {
        return url.appendingPathComponent("EngagementSDK", isDirectory: true)
      }
    #endif
    throw EngagementError(
      .noContainer,
      "there is no container for the App Group \(identifier); add it under Signing & Capabilities to the app and to "
        + "both extensions")
  }
}
