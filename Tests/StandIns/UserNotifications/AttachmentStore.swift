// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

/// Where the system keeps attachments.
///
/// By Apple's page on `UNNotificationAttachment`, those of a remote notification are validated when the service extension has finished,
/// and only then moved here. A file that is gone by then is not shown.
public final class AttachmentStore: Sendable {
  private let folder: URL

  public init() throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent(
      "attachment-store-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  // The system would keep them for as long as their notifications.
  deinit { try? FileManager.default.removeItem(at: folder) }

  /// What the system does with the content that a service extension has handed to its content handler.
  ///
  /// - Returns: where the files are that are shown.
  public func take(_ content: UNNotificationContent) -> [URL] {
    content.attachments.compactMap { attachment in
      let kept = folder.appendingPathComponent(attachment.url.lastPathComponent)
      let isTaken = (try? FileManager.default.moveItem(at: attachment.url, to: kept)) != nil
      return isTaken ? kept : nil
    }
  }
}
