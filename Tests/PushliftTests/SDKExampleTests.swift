#if canImport(EngagementSDKAdapters)
  import EngagementEvents
  import EngagementSDK
  import EngagementSDKAdapters
  import Foundation
  import Synchronization
  import TestSupport
  import Testing
  import UserNotifications
  import UserNotificationsUI

  /// From the push to the report: an app with both extensions, a server of media, and the real server.
  @Suite(.store) struct SDKExampleTests {
    /// One clock for all processes of the phone: what happens, happened two days ago; what is sent, is sent now.
    private final class PhoneClock: EngagementClock {
      private let time = Mutex(SystemClock().now.microseconds - 2 * 86_400_000_000)
      var now: Timestamp { Timestamp(microseconds: time.withLock { $0 }) }
      func advance(to instant: Timestamp) { time.withLock { $0 = instant.microseconds } }
      func sleep(for duration: Duration) async throws { try await Task.sleep(for: duration) }
    }

    private let sandbox: Sandbox
    private let clock = PhoneClock()
    private let media: SocketServer
    private let key: String
    private let endpoint: URL
    private let server: Child
    /// The file of categories that app and server share.
    private let categories: NotificationCategories

    init() throws {
      sandbox = try Sandbox(database: try TestDatabase.current)
      key = try sandbox.makeKey()
      let file = URL(fileURLWithPath: sandbox.folder + "/categories.json")
      try Data(CategorySample.json.utf8).write(to: file)
      categories = try NotificationCategories(contentsOf: file)
      try sandbox.succeed("category", "import", "categories.json")
      UNUserNotificationCenter.current().setNotificationCategories(categories.makeNotificationCategories())
      server = try sandbox.start(["serve", "--port", "0"])
      endpoint = try #require(URL(string: "http://127.0.0.1:\(try server.client().port)"))
      media = try SocketServer { connection in
        guard let request = connection.readRequest() else { return }
        let path = String(decoding: request, as: UTF8.self).split(separator: " ").dropFirst().first
        switch path {
        case "/small.png": Self.send(MediaSample.png(bytes: 204_800), over: connection)
        case "/large.png": Self.send(MediaSample.png(bytes: (10 << 20) + 1), over: connection)
        default: while connection.read() != nil {}  // as if for ever
        }
      }
    }

    private static func send(_ picture: [UInt8], over connection: SocketConnection) {
      let head = "HTTP/1.1 200 OK\r\nContent-Type: image/png\r\nContent-Length: \(picture.count)\r\n\r\n"
      connection.write(Array(head.utf8) + picture)
    }

    private func process(_ role: EngagementOptions.Role) throws -> Engagement {
      var options = EngagementOptions()
      options.role = role
      options.uploadsAutomatically = false
      options.categories = categories.offers
      return try Engagement(
        endpoint: endpoint, key: key, device: "phone",
        storage: .folder(URL(fileURLWithPath: sandbox.folder + "/c")),
        options: options, clock: clock)
    }

    private func request(_ id: String, _ path: String) -> UNNotificationRequest {
      let content = UNMutableNotificationContent()
      content.title = "Anna posted a picture"
      content.categoryIdentifier = "social_post"
      content.userInfo = [
        "aps": ["alert": "Anna posted a picture", "mutable-content": 1, "category": "social_post"],
        "media-url": "http://127.0.0.1:\(media.port)\(path)",
      ]
      return UNNotificationRequest(identifier: id, content: content)
    }

    /// Runs the service extension, and gives how many attachments are shown.
    private func deliver(_ request: UNNotificationRequest, deadline: Duration = .seconds(25)) async throws
      -> Int
    {
      let recorder = NotificationServiceRecorder(
        engagement: try process(.serviceExtension), deadline: deadline)
      let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
      let store = try AttachmentStore()
      recorder.didReceive(request) { continuation.yield(store.take($0).count) }
      var shown = stream.makeAsyncIterator()
      return try #require(await shown.next())
    }

    /// Opens the expanded view, likes without leaving it, and replies, which closes it and goes to the app.
    private func respond(to request: UNNotificationRequest) throws {
      let notification = UNNotification(date: Date(), request: request)
      let view = NotificationContentRecorder(engagement: try process(.contentExtension))
      view.didReceive(notification)
      let like = UNNotificationResponse(notification: notification, actionIdentifier: "like")
      view.didReceive(like, answering: .doNotDismiss) { _ in }
      let reply = UNTextInputNotificationResponse(
        notification: notification, actionIdentifier: "reply", userText: "Lovely 👋🏽")
      view.didReceive(reply, answering: .dismissAndForwardAction) { _ in }
      let app = EngagementNotificationDelegate(forwardingTo: nil, engagement: try process(.app))
      app.userNotificationCenter(.current(), didReceive: reply) {}
    }

    /// Sends all, and gives the store's events of a notification.
    private func stored(_ id: String) async throws -> [String] {
      clock.advance(to: SystemClock().now)
      try await process(.app).upload()
      return try sandbox.succeed("export", "--app", "shop", "--with-replies").split(separator: "\n").map(
        String.init
      )
      .filter { $0.contains("\"notificationId\":\"\(id)\"") }
    }

    @Test func aSocialPostGoesTheWholeWay() async throws {
      let id = "9c5f0c9e-6a51-4a5f-8f0e-0d1b6a3f2c11"
      let push = request(id.uppercased(), "/small.png")
      // The payload is one that lints clean, of a category with these buttons.
      let payload = try sandbox.shell(
        "$PUSHLIFT payload make --title Anna --category social_post --media-url https://example.com/a.png "
          + "--simulator-bundle com.example.app | $PUSHLIFT payload lint --categories categories.json -")
      #expect(
        payload.out == "-: valid, rich (image at media-url), category “social_post”, the extension runs\n")
      let registered = UNUserNotificationCenter.current().notificationCategories
      let buttons = try #require(registered.first { $0.identifier == "social_post" }?.actions)
      #expect(buttons.map { $0 is UNTextInputNotificationAction } == [true, false])
      #expect(try await deliver(push) == 1)
      try respond(to: push)
      let events = try await stored(id)
      #expect(events.count == 4)
      let delivered = try #require(events.first { $0.contains(#""type":"delivered""#) })
      for part in [
        #""source":"serviceExtension""#, #""intended": ["image"]"#, #""kind": "image", "bytes": 204800"#,
        #""width": 640"#, #""actions": ["reply", "like"]"#, #""customInterface": true"#,
        #""category":"social_post""#,
      ] { #expect(delivered.contains(part), "\(part) in \(delivered)") }
      #expect(!delivered.contains("fallback"))
      #expect(events.filter { $0.contains(#""type":"expanded""#) }.count == 1)
      let like = events.filter { $0.contains(#""actionId":"like""#) }
      #expect(like.count == 1 && like[0].contains(#""source":"contentExtension""#))
      let reply = events.filter { $0.contains(#""actionId":"reply""#) }
      #expect(reply.count == 1 && reply[0].contains(#""replyText":"Lovely 👋🏽""#))
      #expect(reply[0].contains(#""source":"contentExtension""#))
      // All of it is registered, once it was read.
      try poll(upTo: .seconds(60), "all is aggregated") {
        try sandbox.succeed("category", "lint", "--app", "shop", "--strict") == """
          shop: 1 finding among its events
          shop: note: the category “plain” is registered, and no event has named it; drop it, unless it is new [never_seen]

          """
      }
    }

    @Test func aPictureThatIsTooLargeFallsBack() async throws {
      let push = request("n-large", "/large.png")
      #expect(try await deliver(push) == 0)
      try respond(to: push)
      let events = try await stored("n-large")
      #expect(events.count == 4)
      let delivered = try #require(events.first { $0.contains(#""type":"delivered""#) })
      #expect(delivered.contains(#""fallback":"tooLarge""#) || delivered.contains(#""fallback": "tooLarge""#))
      #expect(delivered.contains(#""intended": ["image"]"#))
      #expect(!delivered.contains("attachments"))
    }

    /// Dimillian/IceCubesApp#2447, Apple Developer Forums: what hung is rich as intended and text as shown; what was killed before it could record is neither,
    /// and its action is in no denominator.
    @Test func extensionsThatFailAreReportedForWhatTheyShowed() async throws {
      #expect(try await deliver(request("n-1", "/small.png")) == 1)
      #expect(try await deliver(request("n-hung", "/for-ever.png"), deadline: .milliseconds(50)) == 0)
      let killed = UNNotification(date: Date(), request: request("n-killed", "/small.png"))
      try process(.app).record(UNNotificationResponse(notification: killed, actionIdentifier: "like"))
      _ = try await stored("n-1")
      func row(_ means: String) throws -> [String: String] {
        let csv = try CSVTable(try sandbox.succeed("rates", "--format", "csv", "--rich-means", means))
        return csv.rows.first { $0["category"] == "social_post" } ?? [:]
      }
      try poll(upTo: .seconds(60), "all is aggregated") {
        let row = try row("intended")
        return row["rich_delivered"] == "2" && row["orphans"] == "1"
      }
      let intended = try row("intended")
      #expect(intended["text_delivered"] == "0")
      #expect(intended["rich_events"] == "0")
      #expect(intended["fallback_share"].flatMap(Double.init) == 0.5)
      let shown = try row("shown")
      #expect(shown["rich_delivered"] == "1")
      #expect(shown["text_delivered"] == "1")
    }
  }
#endif
