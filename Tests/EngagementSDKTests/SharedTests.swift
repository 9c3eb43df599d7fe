import Foundation
import Synchronization
import Testing

@testable import EngagementSDK

/// The process's one instance, and what takes its place.
struct SharedTests {
  /// Never answers, and counts.
  private final class SilentTransport: Transport {
    let begun = Mutex(0)
    let ended = Mutex(0)
    let invalidated = Mutex(0)

    func send(_ request: UploadRequest) async throws -> UploadResponse {
      begun.withLock { $0 += 1 }
      defer { ended.withLock { $0 += 1 } }
      try await Task.sleep(for: .seconds(3_600))
      throw CancellationError()
    }

    // A session that is let go of while something is sent over it ends the process.
    func invalidate() {
      invalidated.withLock { $0 += ended.withLock { $0 } == begun.withLock { $0 } ? 1 : 100 }
    }
  }

  private let folder: TemporaryFolder
  private let transport = SilentTransport()

  init() throws { folder = try TemporaryFolder() }

  private func configure(
    key: String = "k", delegate: (any EngagementDelegate)? = nil, automatically: Bool = false
  ) throws -> Engagement {
    var options = EngagementOptions()
    options.uploadsAutomatically = automatically
    options.uploadDelay = .zero
    return try Engagement.configure(
      endpoint: URL(string: "https://push.example.com")!, key: key, device: nil, storage: .folder(folder.url),
      options: options, delegate: delegate, makeTransport: { transport })
  }

  @Test func whoConfiguresAgainGetsTheSame() throws {
    let first = try configure()
    let log = ReportLog()
    let second = try configure(delegate: log)
    #expect(first === second)
    #expect(second.delegate === log)
    #expect(Engagement.shared === first)
    #expect(try configure(key: "other") !== first)
    #expect(Engagement.shared !== first)
  }

  @Test(.timeLimit(.minutes(1))) func oneThatIsReplacedSendsNothingMore() async throws {
    let first = try configure(automatically: true)
    try first.recordAction("open", on: NotificationReference(id: "n-1", category: "news"))
    while transport.begun.withLock({ $0 }) == 0 { await Task.yield() }
    let waiting = Task { try await first.upload() }
    for _ in 0..<100 { await Task.yield() }
    let second = try configure(key: "other")
    await #expect(throws: CancellationError.self) { try await waiting.value }
    while transport.invalidated.withLock({ $0 }) == 0 { await Task.yield() }
    #expect(transport.invalidated.withLock { $0 } == 1)
    // It records, for the other to send.
    try first.recordAction("open", on: NotificationReference(id: "n-2", category: "news"))
    await #expect(throws: CancellationError.self) { try await first.upload() }
    #expect(transport.begun.withLock { $0 } == 1)
    #expect(try second.queue.pending().count == 2)
    // One that is idle is let go of at once.
    _ = try configure(key: "third")
    #expect(transport.invalidated.withLock { $0 } == 2)
  }
}
