import EngagementEvents
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import EngagementSDK

/// A notification's way through a service extension, whatever happens on it.
struct ServiceDeliveryTests {
  /// Gives a file, a failure, or nothing for ever.
  private struct Loader: MediaLoader {
    var bytes: [UInt8]? = MediaSample.png(bytes: 1_000)
    var contentType: String?
    var error: (any Error)?

    func load(
      _ url: URL, into folder: URL, limit: @escaping @Sendable (String?) -> Int64
    ) async throws -> LoadedMedia {
      if let error { throw error }
      guard let bytes else {
        try await Task.sleep(for: .seconds(3_600))
        throw CancellationError()
      }
      let file = folder.appendingPathComponent("\(EventID.makeRandom())")
      try Data(bytes).write(to: file)
      return LoadedMedia(file: file, contentType: contentType)
    }
  }

  private let trial: Trial

  init() throws {
    trial = try Trial(options: {
      $0.categories = [
        CategoryOffer(identifier: "social_post", actions: ["like", "reply"], hasContentExtension: true)
      ]
      $0.appVersion = "1.2"
    })
  }

  private func notification(_ address: String? = "https://e.com/a.png") -> IncomingNotification {
    IncomingNotification(
      requestID: "N-1", category: "social_post",
      userInfo: address.map { ["media-url": $0] } ?? [:], keys: PayloadKeys(), threadID: "t",
      interruptionLevel: .active, relevanceScore: 0.5)
  }

  /// Lets a delivery come to its end, and gives what was recorded.
  private func deliver(
    _ notification: IncomingNotification, _ loader: Loader = Loader(), deadline: Duration = .seconds(30),
    attach: @escaping @Sendable (MediaFile) throws -> Void = { _ in }
  ) async throws -> (showing: ServiceDelivery.Showing, event: [String: Any]) {
    let (stream, continuation) = AsyncStream.makeStream(of: ServiceDelivery.Showing.self)
    var surroundings = ServiceDelivery.Surroundings(engagement: trial.engagement)
    surroundings.loader = loader
    surroundings.deadline = deadline
    let folder = trial.folder
    let delivery = ServiceDelivery(notification, surroundings, attach: attach) { showing in
      // What was attached is there for the system to take, and nothing else is left.
      #expect((try? folder.files(in: "media"))?.count == (showing == .rich ? 1 : 0))
      continuation.yield(showing)
    }
    delivery.begin()
    var showings = stream.makeAsyncIterator()
    let showing = try #require(await showings.next())
    // The system calls late, or what was called off ends: nothing is shown twice.
    delivery.timeWillExpire()
    continuation.finish()
    #expect(await showings.next() == nil)
    let left = try trial.folder.files(in: "media")
    #expect(left.count == (showing == .rich ? 1 : 0))
    for file in left { try FileManager.default.removeItem(at: file) }
    return (showing, try #require(try events().first))
  }

  /// What waits to be sent now.
  private func events() throws -> [[String: Any]] {
    let queue = EventQueue(try trial.folder.storage)
    return try queue.load(queue.pending().sendable(at: trial.clock.now)).map {
      try #require(JSONSerialization.jsonObject(with: Data($0.json)) as? [String: Any])
    }
  }

  @Test func aPictureIsAttachedAndTold() async throws {
    let (showing, event) = try await deliver(notification()) { file in
      #expect(FileManager.default.fileExists(atPath: file.url.path))
      #expect(file.url.pathExtension == "png")
    }
    #expect(showing == .rich)
    #expect(event["type"] as? String == "delivered")
    #expect(event["notificationId"] as? String == "N-1")
    #expect(event["category"] as? String == "social_post")
    #expect(event["source"] as? String == "serviceExtension")
    #expect(event["intended"] as? [String] == ["image"])
    let attachment = try #require((event["attachments"] as? [[String: Any]])?.first)
    #expect(attachment["kind"] as? String == "image")
    #expect(attachment["bytes"] as? Int == 1_000)
    #expect(attachment["width"] as? Int == 640)
    #expect(event["fallback"] == nil)
    #expect(event["customInterface"] as? Bool == true)
    #expect(event["actions"] as? [String] == ["like", "reply"])
    #expect(event["interruptionLevel"] as? String == "active")
    #expect(event["relevanceScore"] as? Double == 0.5)
    #expect(event["threadId"] as? String == "t")
    #expect(event["appVersion"] as? String == "1.2")
    #expect(try events().count == 1)
  }

  @Test func aTextOnlyNotificationIsShownAtOnce() async throws {
    let (showing, event) = try await deliver(notification(nil))
    #expect(showing == .original)
    #expect((event["intended"] as? [String])?.isEmpty == true)
    #expect(event["fallback"] == nil)
  }

  @Test func whatCannotBeAttachedFallsBackWithItsReason() async throws {
    struct Refused: Error {}
    let page = Array("<html>".utf8)
    let cases: [(Loader, String)] = [
      (Loader(bytes: MediaSample.png(bytes: (10 << 20) + 1)), "tooLarge"),
      (Loader(error: MediaLoadError.tooLarge), "tooLarge"),
      (Loader(error: MediaLoadError.status(404)), "downloadFailed"),
      (Loader(error: URLError(.notConnectedToInternet)), "downloadFailed"),
      (Loader(bytes: page, contentType: "text/html"), "invalid"),
      (Loader(bytes: [0x1A, 0x45, 0xDF, 0xA3], contentType: "video/webm"), "unsupportedType"),
    ]
    for (number, (loader, reason)) in cases.enumerated() {
      let trial = try ServiceDeliveryTests()
      let (showing, event) = try await trial.deliver(notification(), loader)
      #expect(showing == .original)
      #expect(event["fallback"] as? String == reason, "case \(number)")
      #expect(event["intended"] as? [String] == ["image"])
      #expect(event["attachments"] == nil)
      #expect(try trial.events().count == 1)
    }
    let (showing, event) = try await deliver(notification()) { _ in throw Refused() }
    #expect(showing == .original)
    #expect(event["fallback"] as? String == "invalid")
  }

  /// What the system did not take goes some day; what it may still be about to take stays, however old the loader says it is.
  @Test func leftoversGoWithALaterDelivery() async throws {
    let old: [FileAttributeKey: Any] = [.modificationDate: Date(timeIntervalSinceNow: -7_200)]
    let leftover = trial.folder.url.appendingPathComponent("media/leftover.png")
    try Data(MediaSample.png()).write(to: leftover)
    try FileManager.default.setAttributes(old, ofItemAtPath: leftover.path)
    let loaded = trial.folder.url.appendingPathComponent("media/cached")
    try Data(MediaSample.png()).write(to: loaded)
    try FileManager.default.setAttributes(old, ofItemAtPath: loaded.path)
    let file = try MediaFile(
      LoadedMedia(file: loaded, contentType: nil), hint: nil, limits: MediaLimits())
    let (stream, continuation) = AsyncStream.makeStream(of: ServiceDelivery.Showing.self)
    ServiceDelivery(notification(nil), ServiceDelivery.Surroundings(engagement: trial.engagement)) { _ in
    } show: {
      continuation.yield($0)
    }.begin()
    var showings = stream.makeAsyncIterator()
    #expect(await showings.next() == .original)
    poll(upTo: .seconds(20), "the leftover is gone") {
      !FileManager.default.fileExists(atPath: leftover.path)
    }
    #expect(try trial.folder.files(in: "media").map(\.lastPathComponent) == [file.url.lastPathComponent])
  }

  @Test func anUnknownTypeFallsBack() async throws {
    let webp = Array("RIFF....WEBPVP8 ".utf8)
    let (_, event) = try await deliver(
      notification("https://e.com/f/1"), Loader(bytes: webp, contentType: "image/webp"))
    #expect(event["fallback"] as? String == "unsupportedType")
    #expect(event["intended"] as? [String] == ["image"])
  }

  @Test(arguments: ["nonsense", "file:///etc/passwd"]) func aBrokenAddressFallsBack(address: String)
    async throws
  {
    let (showing, event) = try await deliver(notification(address))
    #expect(showing == .original)
    #expect(event["fallback"] as? String == "invalid")
    #expect(event["intended"] as? [String] == ["image"])
  }

  /// What was guessed before the download is known after it.
  @Test func theKindIsWhatWasDownloaded() async throws {
    let (_, event) = try await deliver(
      notification("https://e.com/f/1"), Loader(bytes: MediaSample.mp4(seconds: 2), contentType: "video/mp4"))
    #expect(event["intended"] as? [String] == ["video"])
    #expect(((event["attachments"] as? [[String: Any]])?.first)?["seconds"] as? Double == 2)
  }

  /// Dimillian/IceCubesApp#2447: a hanging download is given up in time, and the notification shown as it came.
  @Test func aHangingDownloadEndsAtTheDeadline() async throws {
    let (showing, event) = try await deliver(notification(), Loader(bytes: nil), deadline: .milliseconds(20))
    #expect(showing == .original)
    #expect(event["fallback"] as? String == "timedOut")
  }

  @Test func theSystemsLastCallEndsIt() async throws {
    let (stream, continuation) = AsyncStream.makeStream(of: ServiceDelivery.Showing.self)
    var surroundings = ServiceDelivery.Surroundings(engagement: trial.engagement)
    surroundings.loader = Loader(bytes: nil)
    let delivery = ServiceDelivery(notification(), surroundings, attach: { _ in }) { continuation.yield($0) }
    delivery.begin()
    // On disk before anything else, and held back.
    #expect(try EventQueue(trial.folder.storage).pending().count == 1)
    #expect(try events().isEmpty)
    delivery.timeWillExpire()
    delivery.timeWillExpire()
    continuation.finish()
    #expect(await stream.reduce(into: []) { $0.append($1) } == [.original])
    #expect(try events().first?["fallback"] as? String == "timedOut")
  }

  /// Apple Developer Forums, OneSignal/OneSignal-Flutter-SDK#1062: the extension is killed without any call. What it knew is on disk, and is sent a minute later.
  @Test func aKilledExtensionsDeliveryIsSentLater() async throws {
    var surroundings = ServiceDelivery.Surroundings(engagement: trial.engagement)
    surroundings.loader = Loader(bytes: nil)
    let delivery = ServiceDelivery(notification(), surroundings, attach: { _ in }, show: { _ in })
    delivery.begin()
    try await trial.engagement.upload()
    #expect(try trial.transport.sent.isEmpty)
    trial.clock.now = trial.clock.now.advanced(by: .seconds(60))
    try await trial.engagement.upload()
    let event = try #require(try trial.transport.sent.first?.events.first)
    #expect(event["type"] == "delivered")
    #expect(event["fallback"] == "timedOut")
    #expect(event["occurredAt"] == "2025-12-01T00:00:00.000001Z")
    delivery.timeWillExpire()
  }

  /// The same push comes twice, in different case, as iOS 18.0 had it: both are shown, one is recorded.
  @Test func aPushThatComesTwiceIsRecordedOnce() async throws {
    let uuid = "3F2504E0-4F89-41D3-9A0C-0305E82C3301"
    for id in [uuid, uuid.lowercased()] {
      var twin = notification()
      twin.reference.id = id
      let (showing, _) = try await deliver(twin)
      #expect(showing == .rich)
    }
    #expect(try events().count == 1)
  }

  @Test func aDiskThatRefusesKeepsNobodyFromShowing() async throws {
    try FileManager.default.removeItem(at: trial.folder.url.appendingPathComponent("claims"))
    let (stream, continuation) = AsyncStream.makeStream(of: ServiceDelivery.Showing.self)
    var surroundings = ServiceDelivery.Surroundings(engagement: trial.engagement)
    surroundings.loader = Loader()
    ServiceDelivery(notification(), surroundings, attach: { _ in }) {
      continuation.yield($0)
      continuation.finish()
    }.begin()
    #expect(await stream.reduce(into: []) { $0.append($1) } == [.rich])
    guard case .notRecorded(let error) = trial.log.all.first else {
      Issue.record("not told")
      return
    }
    #expect(error.code == .storage)
  }

  @Test func withoutConfigurationItIsShownAllTheSame() async throws {
    let (stream, continuation) = AsyncStream.makeStream(of: ServiceDelivery.Showing.self)
    var surroundings = ServiceDelivery.Surroundings(engagement: nil)
    surroundings.loader = Loader()
    let files = Mutex<[URL]>([])
    ServiceDelivery(
      notification(), surroundings, attach: { file in files.withLock { $0.append(file.url) } },
      show: {
        continuation.yield($0)
        continuation.finish()
      }
    ).begin()
    #expect(await stream.reduce(into: []) { $0.append($1) } == [.rich])
    let file = try #require(files.withLock { $0 }.first)
    try FileManager.default.removeItem(at: file)
  }

  /// What only serves comparison never costs a delivery.
  @Test func oddConfoundersAreLeftOut() async throws {
    var odd = notification(nil)
    odd.threadID = String(repeating: "t", count: 300)
    odd.relevanceScore = .nan
    let (_, event) = try await deliver(odd)
    #expect(event["threadId"] == nil)
    #expect(event["relevanceScore"] == nil)
    #expect(event["type"] as? String == "delivered")
  }
}
