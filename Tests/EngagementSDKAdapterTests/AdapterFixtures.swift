import EngagementEvents
import EngagementSDK
import Foundation
import Synchronization
import UserNotifications

/// The SDK in a folder of its own, and what it sends.
final class Phone: Sendable {
  /// Takes everything.
  private final class Server: Transport {
    let events = Mutex<[[String: any Sendable]]>([])

    func send(_ request: UploadRequest) async throws -> UploadResponse {
      // Small enough to be sent as it is: nothing is compressed that gets no smaller.
      var body = request.body
      if request.headers["Content-Encoding"] == "gzip" { body = Data(try gunzip([UInt8](body))) }
      let json = try JSONSerialization.jsonObject(with: body) as? [String: Any]
      let sent = (json?["events"] as? [[String: Any]] ?? []).map { $0.mapValues { "\($0)" as any Sendable } }
      events.withLock { $0 += sent }
      return UploadResponse(
        status: 200, body: Data(#"{"accepted":\#(sent.count),"duplicates":0,"rejected":[]}"#.utf8))
    }
  }

  private let folder: URL
  private let server = Server()

  init() {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent(
      "pushlift-phone-\(EventID.makeRandom())")
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  /// One process of the app.
  func process(
    _ role: EngagementOptions.Role, _ change: (inout EngagementOptions) -> Void = { _ in }
  ) throws -> Engagement {
    var options = EngagementOptions()
    options.role = role
    options.uploadsAutomatically = false
    change(&options)
    return try Engagement(
      endpoint: URL(string: "https://push.example.com")!, key: "k", device: "d-1", storage: .folder(folder),
      options: options, transport: server)
  }

  /// Media that lies where the SDK put it.
  func mediaFiles() throws -> [URL] {
    try FileManager.default.contentsOfDirectory(
      at: folder.appendingPathComponent("media"), includingPropertiesForKeys: nil)
  }

  /// What was recorded so far, as field and text.
  func events() async throws -> [[String: String]] {
    try await process(.app).upload()
    return server.events.withLock { $0 }.map { $0.compactMapValues { $0 as? String } }
  }
}

extension UNNotificationRequest {
  static func sample(_ id: String = "n-1", media: String? = nil) -> UNNotificationRequest {
    let content = UNMutableNotificationContent()
    content.title = "Anna"
    content.body = "posted a picture"
    content.categoryIdentifier = "social_post"
    content.threadIdentifier = "anna"
    content.interruptionLevel = .timeSensitive
    content.relevanceScore = 0.25
    if let media { content.userInfo = ["media-url": media] }
    return UNNotificationRequest(identifier: id, content: content)
  }
}

extension UNNotification {
  static func sample(_ id: String = "n-1") -> UNNotification {
    UNNotification(date: Date(timeIntervalSince1970: 1_764_547_200), request: .sample(id))
  }
}
