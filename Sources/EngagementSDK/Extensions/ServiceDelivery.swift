internal import EngagementEvents
internal import Foundation
internal import Synchronization

/// One notification's way through a service extension: recorded, made rich or not, shown.
///
/// The delivery is on disk before anything else is tried. Where media is asked for it is first written as one that showed text, since
/// that is what iOS shows if the extension is killed, and held back for a minute, in which the true one takes its place.
/// It ends once, with whichever comes first: the media, a failure, the deadline, or the system's last call.
package final class ServiceDelivery: Sendable {
  /// How a notification is shown.
  package enum Showing: Equatable, Sendable {
    /// With what was attached.
    case rich
    /// As it came.
    case original
  }

  private struct State {
    var isSettled = false
    var work: [Task<Void, Never>] = []
  }

  /// What is needed from outside.
  package struct Surroundings: Sendable {
    /// Nil where nothing has been configured; the notification is shown all the same.
    package var engagement: Engagement?
    package var loader: any MediaLoader = URLSessionMediaLoader()
    package var limits = MediaLimits()
    /// From the start to the fallback; the system allows 30 seconds.
    package var deadline: Duration = .seconds(25)
    package var clock: any EngagementClock = SystemClock()

    package init(engagement: Engagement?) { self.engagement = engagement }
  }

  private let notification: IncomingNotification
  private let surroundings: Surroundings
  private let attach: @Sendable (MediaFile) throws -> Void
  private let show: @Sendable (Showing) -> Void
  private let delivered: RecordedDelivery
  /// Whether there is more to tell than was known at first.
  private let hasMoreToTell: Bool
  private let state = Mutex(State())

  /// No extension lives for as long after it began.
  private static let hold = Duration.seconds(60)

  /// Records the delivery, lets the app prepare it, and begins.
  ///
  /// - Parameters:
  ///   - prepare: changes the content, for as long as that takes, and gives the notification as it is then; nil for no change.
  ///   - attach: puts a file, which it may move away, on the content to be shown; throws where the system does not take it.
  ///   - show: hands the content over; called once, on any thread.
  package init(
    _ notification: IncomingNotification, _ surroundings: Surroundings,
    preparing prepare: (() -> IncomingNotification)? = nil,
    attach: @escaping @Sendable (MediaFile) throws -> Void, show: @escaping @Sendable (Showing) -> Void
  ) {
    let isHeld = notification.media != nil || prepare != nil
    // First, since the extension may be killed while the app prepares.
    delivered = RecordedDelivery(notification, surroundings.engagement, hold: isHeld ? Self.hold : nil)
    self.notification = prepare?() ?? notification
    hasMoreToTell = isHeld
    self.surroundings = surroundings
    self.attach = attach
    self.show = show
    guard let media = self.notification.media else {
      settle(.nothingIntended)
      return
    }
    guard let url = media.url else {
      settle(.fault(MediaFault(.invalid)))
      return
    }
    begin(url, media)
  }

  /// The system's last call: shows the notification as it came, unless it has been shown.
  package func timeWillExpire() { settle(.fault(MediaFault(.timedOut))) }

  private func begin(_ url: URL, _ media: MediaRequest) {
    let surroundings = surroundings
    let download = Task {
      let outcome = await Self.load(url, media, surroundings)
      settle(outcome)
    }
    let timer = Task {
      guard (try? await surroundings.clock.sleep(for: surroundings.deadline)) != nil else { return }
      settle(.fault(MediaFault(.timedOut)))
    }
    let isOver = state.withLock { state in
      state.work = [download, timer]
      return state.isSettled
    }
    if isOver { for task in [download, timer] { task.cancel() } }
  }

  /// What became of the media.
  private enum Outcome {
    case nothingIntended
    case file(MediaFile)
    case fault(MediaFault)
  }

  private static func load(
    _ url: URL, _ media: MediaRequest, _ surroundings: Surroundings
  ) async -> Outcome {
    let folder = surroundings.engagement?.folder.media ?? FileManager.default.temporaryDirectory
    let limits = surroundings.limits
    do {
      let loaded = try await surroundings.loader.load(url, into: folder) { contentType in
        limits.bytes(of: contentType.flatMap { MediaFormat(contentType: $0) } ?? media.format)
      }
      do { return .file(try MediaFile(loaded, hint: media.format, limits: limits)) } catch {
        try? FileManager.default.removeItem(at: loaded.file)
        return .fault(error)
      }
    } catch MediaLoadError.tooLarge {
      return .fault(MediaFault(.tooLarge))
    } catch {
      return .fault(MediaFault(.downloadFailed))
    }
  }

  /// Takes the first outcome and no other.
  private func settle(_ outcome: Outcome) {
    let isFirst = state.withLock { state in
      defer { state.isSettled = true }
      return !state.isSettled
    }
    guard isFirst else {
      if case .file(let file) = outcome { try? FileManager.default.removeItem(at: file.url) }
      return
    }
    let (attachment, fault) = attached(outcome)
    if hasMoreToTell {
      let found = attachment?.kind ?? fault?.kind
      let intended = notification.media.map { $0.isKindGuessed ? found ?? $0.kind : $0.kind }
      delivered.conclude(
        notification, attachments: attachment.map { [$0] } ?? [], intended: intended,
        fallback: fault?.reason)
    }
    show(attachment == nil ? .original : .rich)
    for task in state.withLock({ $0.work }) { task.cancel() }
  }

  private func attached(_ outcome: Outcome) -> (Attachment?, MediaFault?) {
    switch outcome {
    case .nothingIntended: return (nil, nil)
    case .fault(let fault): return (nil, fault)
    case .file(let file):
      // The system moves the file away, or has no use for it.
      defer { try? FileManager.default.removeItem(at: file.url) }
      do {
        try attach(file)
        return (file.attachment, nil)
      } catch {
        return (nil, MediaFault(.invalid, kind: file.attachment.kind))
      }
    }
  }
}
