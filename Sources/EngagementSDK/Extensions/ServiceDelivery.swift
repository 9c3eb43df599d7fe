internal import EngagementEvents
internal import Foundation
internal import Synchronization

/// One notification's way through a service extension: recorded, prepared, made rich or not, shown.
///
/// The delivery is on disk before anything else is tried. Where there is more to tell it is first written as one that showed
/// text, since that is what iOS shows if the extension is killed, and held back for a minute, in which the true one takes its place.
/// It ends once, with whichever comes first: the media, a failure, the deadline, or the system's last call.
package final class ServiceDelivery: Sendable {
  /// How a notification is shown.
  package enum Showing: Equatable, Sendable {
    /// With what was attached.
    case rich
    /// As the app prepared it, without media.
    case original
    /// As it came: the app may still be at work on the content.
    case unprepared
  }

  private struct State {
    var isSettled = false
    /// As it came, and from the preparation on as the app left it.
    var notification: IncomingNotification
    var isPrepared = false
    /// Nil until it has been recorded.
    var delivered: RecordedDelivery?
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

  private let surroundings: Surroundings
  private let attach: @Sendable (MediaFile) throws -> Void
  private let show: @Sendable (Showing) -> Void
  private let state: Mutex<State>

  /// No extension lives for as long after it began.
  private static let hold = Duration.seconds(60)

  /// Nothing happens before ``begin(preparing:)``, except that the system's last call is heard.
  ///
  /// - Parameters:
  ///   - attach: puts a file on the content to be shown; throws where the system does not take it. The file is the system's to
  ///     move once the content is shown.
  ///   - show: hands the content over; called once, on any thread.
  package init(
    _ notification: IncomingNotification, _ surroundings: Surroundings,
    attach: @escaping @Sendable (MediaFile) throws -> Void, show: @escaping @Sendable (Showing) -> Void
  ) {
    state = Mutex(State(notification: notification))
    self.surroundings = surroundings
    self.attach = attach
    self.show = show
  }

  /// Records the delivery, lets the app prepare it, and downloads.
  ///
  /// - Parameter prepare: changes the content, for as long as that takes, and gives the notification as it is then; nil for no
  ///   change.
  package func begin(preparing prepare: (() -> IncomingNotification)? = nil) {
    let surroundings = surroundings
    // First, since neither a disk nor the app can be trusted to be in time.
    let timer = Task {
      guard (try? await surroundings.clock.sleep(for: surroundings.deadline)) != nil else { return }
      settle(.fault(MediaFault(.timedOut)))
    }
    keepUntilShown(timer)
    record(isFinal: prepare == nil)
    let prepared = prepare?()
    let ready = state.withLock { state -> IncomingNotification? in
      // What was shown while the app was still at work is told as it came.
      guard !state.isSettled else { return nil }
      if let prepared { state.notification = prepared }
      state.isPrepared = true
      return state.notification
    }
    guard let notification = ready else { return }
    surroundings.engagement?.report(ignored: notification.faults)
    guard let media = notification.media else { return settle(.nothingIntended) }
    guard let url = media.url else { return settle(.fault(MediaFault(.invalid))) }
    keepUntilShown(Task { settle(await Self.load(url, media, surroundings)) })
  }

  /// The system's last call: shows the notification as it came, unless it has been shown.
  package func timeWillExpire() { settle(.fault(MediaFault(.timedOut))) }

  /// - Parameter isFinal: whether a notification without media is known to be shown as it came.
  private func record(isFinal: Bool) {
    let notification = state.withLock { $0.notification }
    let isHeld = notification.media != nil || !isFinal
    let delivered = RecordedDelivery(
      notification, surroundings.engagement, hold: isHeld ? Self.hold : nil)
    state.withLock { $0.delivered = delivered }
  }

  private func keepUntilShown(_ task: Task<Void, Never>) {
    let isOver = state.withLock { state in
      state.work.append(task)
      return state.isSettled
    }
    if isOver { task.cancel() }
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
    let first = state.withLock { state -> State? in
      guard !state.isSettled else { return nil }
      state.isSettled = true
      return state
    }
    guard let first else {
      if case .file(let file) = outcome { try? FileManager.default.removeItem(at: file.url) }
      return
    }
    let (attachment, fault) = attached(outcome)
    conclude(first, attachment, fault)
    // The system looks at the file, and moves it away, only when the extension has handed the content over: from here on it is
    // the system's.
    show(attachment != nil ? .rich : first.isPrepared ? .original : .unprepared)
    for task in state.withLock({ $0.work }) { task.cancel() }
    // What it had no use for in former ones. Nobody waits any more.
    if let engagement = surroundings.engagement { MediaFile.removeLeftovers(in: engagement.folder.media) }
  }

  /// Tells how the notification was shown, unless that is on disk already.
  private func conclude(_ first: State, _ attachment: Attachment?, _ fault: MediaFault?) {
    let found = attachment?.kind ?? fault?.kind
    let intended = first.notification.media.map { $0.isKindGuessed ? found ?? $0.kind : $0.kind }
    first.delivered?.conclude(
      first.notification, attachments: attachment.map { [$0] } ?? [], intended: intended,
      // What was not asked for is not missed.
      fallback: intended == nil ? nil : fault?.reason)
  }

  private func attached(_ outcome: Outcome) -> (Attachment?, MediaFault?) {
    switch outcome {
    case .nothingIntended: return (nil, nil)
    case .fault(let fault): return (nil, fault)
    case .file(let file):
      do {
        try attach(file)
        return (file.attachment, nil)
      } catch {
        try? FileManager.default.removeItem(at: file.url)
        return (nil, MediaFault(.invalid, kind: file.attachment.kind))
      }
    }
  }
}
