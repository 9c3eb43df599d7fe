// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// Apple documents these.

@_exported public import Foundation

// The part of Apple's UserNotifications that the SDK's adapters and examples use, with Apple's names, so that both are
// type-checked and run where that framework is not. Tests make the objects; on a device the system does.

public let UNNotificationDefaultActionIdentifier = "com.apple.UNNotificationDefaultActionIdentifier"
public let UNNotificationDismissActionIdentifier = "com.apple.UNNotificationDismissActionIdentifier"

public enum UNNotificationInterruptionLevel: UInt, Sendable {
  case passive, active, timeSensitive, critical
}

/// A notification's content.
open class UNNotificationContent: NSObject {
  fileprivate var stored = Stored()

  fileprivate struct Stored {
    var title = ""
    var body = ""
    var categoryIdentifier = ""
    var threadIdentifier = ""
    var userInfo: [AnyHashable: Any] = [:]
    var attachments: [UNNotificationAttachment] = []
    var interruptionLevel = UNNotificationInterruptionLevel.active
    var relevanceScore = 0.0
  }

  public override init() {}

  public var title: String { stored.title }
  public var body: String { stored.body }
  public var categoryIdentifier: String { stored.categoryIdentifier }
  public var threadIdentifier: String { stored.threadIdentifier }
  public var userInfo: [AnyHashable: Any] { stored.userInfo }
  public var attachments: [UNNotificationAttachment] { stored.attachments }
  public var interruptionLevel: UNNotificationInterruptionLevel { stored.interruptionLevel }
  public var relevanceScore: Double { stored.relevanceScore }

  open override func mutableCopy() -> Any {
    let copy = UNMutableNotificationContent()
    copy.stored = stored
    return copy
  }
}

/// Content that can be changed.
open class UNMutableNotificationContent: UNNotificationContent {
  public override var title: String {
    get { stored.title }
    set { stored.title = newValue }
  }
  public override var body: String {
    get { stored.body }
    set { stored.body = newValue }
  }
  public override var categoryIdentifier: String {
    get { stored.categoryIdentifier }
    set { stored.categoryIdentifier = newValue }
  }
  public override var threadIdentifier: String {
    get { stored.threadIdentifier }
    set { stored.threadIdentifier = newValue }
  }
  public override var userInfo: [AnyHashable: Any] {
    get { stored.userInfo }
    set { stored.userInfo = newValue }
  }
  public override var attachments: [UNNotificationAttachment] {
    get { stored.attachments }
    set { stored.attachments = newValue }
  }
  public override var interruptionLevel: UNNotificationInterruptionLevel {
    get { stored.interruptionLevel }
    set { stored.interruptionLevel = newValue }
  }
  public override var relevanceScore: Double {
    get { stored.relevanceScore }
    set { stored.relevanceScore = newValue }
  }
}

/// Media of a notification. Like the system's, it only looks whether the file can be read and its name ends like media; the file is
/// taken when an extension has handed the content over, by ``AttachmentStore``.
open class UNNotificationAttachment: NSObject {
  public let identifier: String
  public let url: URL

  public init(identifier: String, url: URL, options: [AnyHashable: Any]? = nil) throws {
    let known = ["jpg", "png", "gif", "aiff", "wav", "mp3", "m4a", "mpg", "mp4", "avi"]
    guard known.contains(url.pathExtension), FileManager.default.isReadableFile(atPath: url.path) else {
      throw CocoaError(.fileReadCorruptFile)
    }
    self.identifier = identifier
    self.url = url
  }
}
