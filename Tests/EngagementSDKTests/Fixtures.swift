import EngagementEvents
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import EngagementSDK

/// A folder that goes when it is let go of.
final class TemporaryFolder: Sendable {
  let url: URL

  init() throws {
    // In memory where there is room: thousands of records are synced one by one.
    url = URL(fileURLWithPath: TestCluster.parent)
      .appendingPathComponent("pushlift-sdk-\(EventID.makeRandom())")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  var storage: StorageFolder { get throws { try StorageFolder(url) } }

  func files(in folder: String, withExtension name: String? = nil) throws -> [URL] {
    try FileManager.default.contentsOfDirectory(
      at: url.appendingPathComponent(folder), includingPropertiesForKeys: nil
    ).filter { name == nil || $0.pathExtension == name }
  }
}

/// A clock that stands still, except that whoever sleeps wakes up at once and much later.
final class ManualClock: EngagementClock {
  private struct State {
    var now = Timestamp(microseconds: 1_764_547_200_000_001)
    var naps: [Duration] = []
    var isSlow = false
    var isNobodyAsleep = true
  }

  private let state = Mutex(State())

  var now: Timestamp {
    get { state.withLock { $0.now } }
    set { state.withLock { $0.now = newValue } }
  }

  /// For how long sleepers slept.
  var naps: [Duration] { state.withLock { $0.naps } }

  /// Whether nobody has begun to sleep slowly.
  var isNobodyAsleep: Bool { state.withLock { $0.isNobodyAsleep } }

  /// Whether those who sleep do so until they are woken up.
  var isSlow: Bool {
    get { state.withLock { $0.isSlow } }
    set { state.withLock { $0.isSlow = newValue } }
  }

  func sleep(for duration: Duration) async throws {
    try Task.checkCancellation()
    if isSlow {
      state.withLock { $0.isNobodyAsleep = false }
      try await Task.sleep(for: .seconds(3_600))
    }
    state.withLock {
      $0.naps.append(duration)
      $0.now = $0.now.advanced(by: duration)
    }
  }
}

/// Answers as the test says, and remembers what it was asked.
final class ScriptedTransport: Transport {
  private let requests = Mutex<[UploadRequest]>([])
  private let answer: @Sendable (_ number: Int, _ request: SentBatch) throws -> UploadResponse

  /// - Parameter answer: to the request of a number, from 0.
  init(_ answer: @escaping @Sendable (_ number: Int, _ request: SentBatch) throws -> UploadResponse) {
    self.answer = answer
  }

  var sent: [SentBatch] { get throws { try requests.withLock { $0 }.map(SentBatch.init) } }

  func send(_ request: UploadRequest) async throws -> UploadResponse {
    let number = requests.withLock { requests in
      requests.append(request)
      return requests.count - 1
    }
    return try answer(number, SentBatch(request))
  }
}

/// A request as the server reads it.
struct SentBatch {
  let url: URL
  let headers: [String: String]
  let sentAt: String
  let events: [[String: String]]
  var ids: [String] { events.compactMap { $0["id"] } }

  init(_ request: UploadRequest) throws {
    url = request.url
    headers = request.headers
    let isCompressed = headers["Content-Encoding"] == "gzip"
    let body = isCompressed ? Data(try gunzip([UInt8](request.body))) : request.body
    let json = try #require(JSONSerialization.jsonObject(with: body) as? [String: Any])
    sentAt = try #require(json["sentAt"] as? String)
    events = try #require(json["events"] as? [[String: Any]]).map { $0.compactMapValues { $0 as? String } }
  }
}

extension UploadResponse {
  /// The server's answer where all is well.
  static func stored(_ batch: SentBatch) -> UploadResponse {
    UploadResponse(
      status: 200, body: Data(#"{"accepted":\#(batch.events.count),"duplicates":0,"rejected":[]}"#.utf8))
  }
}

/// Collects reports.
final class ReportLog: EngagementDelegate {
  private let reports = Mutex<[EngagementReport]>([])

  var all: [EngagementReport] { reports.withLock { $0 } }

  func engagement(_ engagement: Engagement, didReport report: EngagementReport) {
    reports.withLock { $0.append(report) }
  }
}

/// An SDK with nothing real about it but its files.
struct Trial {
  let folder: TemporaryFolder
  let clock = ManualClock()
  let log = ReportLog()
  let transport: ScriptedTransport
  let engagement: Engagement

  init(
    answer: @escaping @Sendable (Int, SentBatch) throws -> UploadResponse = { .stored($1) },
    options change: (inout EngagementOptions) -> Void = { _ in }
  ) throws {
    folder = try TemporaryFolder()
    transport = ScriptedTransport(answer)
    var options = EngagementOptions()
    options.uploadsAutomatically = false
    options.locale = nil
    change(&options)
    engagement = try Engagement(
      endpoint: URL(string: "https://push.example.com")!, key: "pushlift_key", device: "d-1",
      storage: .folder(folder.url), options: options, delegate: log, transport: transport, clock: clock,
      jitter: { 0.5 })
  }

  /// Records so many openings, a second apart.
  func record(_ count: Int, from first: Int = 0) throws {
    for number in first..<(first + count) {
      try engagement.recordAction("open", on: NotificationReference(id: "n-\(number)", category: "news"))
      clock.now = clock.now.advanced(by: .seconds(1))
    }
  }

  /// How many events wait.
  var waiting: Int { get throws { try EventQueue(folder.storage).pending().count } }
}

extension QueuedEvent {
  /// An event that is told apart by its number.
  static func sample(_ number: UInt64, text: String = "{}", at microseconds: Int64 = 0) -> QueuedEvent {
    QueuedEvent(
      id: EventID(high: 7, low: number), recordedAt: Timestamp(microseconds: microseconds),
      json: Array(text.utf8))
  }
}
