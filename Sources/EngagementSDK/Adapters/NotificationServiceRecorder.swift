#if PUSHLIFT_STANDIN || (canImport(UserNotifications) && canImport(Darwin))
  #if PUSHLIFT_STANDIN
    public import EngagementSDK
  #endif
  internal import Foundation
  internal import Synchronization
  public import UserNotifications

  /// What a `UNNotificationServiceExtension` forwards its two calls to.
  ///
  /// It records the delivery first, then downloads the media that the payload names, attaches it, or shows the notification as it came
  /// and records why. The handler is called exactly once, in time, whatever happens.
  public final class NotificationServiceRecorder: Sendable {
    private let surroundings: ServiceDelivery.Surroundings
    private let deliveries = Mutex<[ServiceDelivery]>([])

    /// Makes a recorder.
    ///
    /// - Parameters:
    ///   - engagement: nil for the shared one, as it is when the recorder is made.
    ///   - limits: what is attached at most.
    ///   - deadline: from the call to the fallback; the system allows 30 seconds.
    ///   - loader: the way to the media.
    public init(
      engagement: Engagement? = nil, limits: MediaLimits = MediaLimits(), deadline: Duration = .seconds(25),
      loader: any MediaLoader = URLSessionMediaLoader()
    ) {
      var surroundings = ServiceDelivery.Surroundings(engagement: engagement ?? .shared)
      surroundings.limits = limits
      surroundings.deadline = deadline
      surroundings.loader = loader
      self.surroundings = surroundings
    }

    /// To be called by the extension's method of the same name, with what it was given.
    ///
    /// - Parameter prepare: changes the content before it is shown, for what only the device knows, such as a key to the text. The
    ///   delivery is on disk before it is called; category, media and whatever else is told are those of the content that
    ///   it leaves. What is attached is the recorder's. It has the same time as all the rest: where it does not return before
    ///   the deadline, the notification is shown as it came. Nil for no change.
    public func didReceive(
      _ request: UNNotificationRequest,
      withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void,
      preparing prepare: ((UNMutableNotificationContent) -> Void)? = nil
    ) {
      let content = request.content.mutableCopy() as? UNMutableNotificationContent
      let shown = ContentOnce(original: request.content, rich: content, handler: contentHandler)
      let keys = surroundings.engagement?.options.payload ?? PayloadKeys()
      let id = request.identifier
      var change: (() -> IncomingNotification)?
      if let prepare, let content {
        change = {
          prepare(content)
          return IncomingNotification(content, requestID: id, keys: keys)
        }
      }
      let delivery = ServiceDelivery(
        IncomingNotification(request.content, requestID: id, keys: keys), surroundings,
        attach: { try shown.attach($0) }, show: { shown.show($0) })
      // Before anything can hang: the system's last call has to find it.
      deliveries.withLock { $0.append(delivery) }
      delivery.begin(preparing: change)
    }

    /// To be called by the extension's method of the same name.
    public func serviceExtensionTimeWillExpire() {
      for delivery in deliveries.withLock({ $0 }) { delivery.timeWillExpire() }
    }
  }

  /// The content on its way to the handler.
  ///
  /// Neither content nor handler is Sendable. Both are touched by whoever settles the delivery and by nobody else, which
  /// `ServiceDelivery` sees to: what the app may still be changing is not shown.
  private final class ContentOnce: @unchecked Sendable {
    private let original: UNNotificationContent
    private let rich: UNMutableNotificationContent?
    private let handler: (UNNotificationContent) -> Void

    init(
      original: UNNotificationContent, rich: UNMutableNotificationContent?,
      handler: @escaping (UNNotificationContent) -> Void
    ) {
      self.original = original
      self.rich = rich
      self.handler = handler
    }

    func attach(_ file: MediaFile) throws {
      guard let rich else { throw CocoaError(.featureUnsupported) }
      rich.attachments = [try UNNotificationAttachment(identifier: "", url: file.url, options: nil)]
    }

    func show(_ showing: ServiceDelivery.Showing) {
      switch showing {
      case .rich, .original: handler(rich ?? original)
      case .unprepared: handler(original)
      }
    }
  }
#endif
