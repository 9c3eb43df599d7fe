internal import EngagementEvents
package import Foundation

/// Reads what the SDK wants to know from a payload, which anybody may have written: whatever is not as it should be
/// is passed over.
package struct PayloadReader {
  private let userInfo: [AnyHashable: Any]
  private let keys: PayloadKeys

  package init(_ userInfo: [AnyHashable: Any], keys: PayloadKeys) {
    self.userInfo = userInfo
    self.keys = keys
  }

  /// The media; nil where none is asked for.
  var media: MediaRequest? {
    for key in keys.media {
      if let address = text(key) { return MediaRequest(address, type: text(keys.mediaType)) }
    }
    return nil
  }

  var notificationID: String? { keys.notificationID.flatMap { text($0) } }

  var experiment: ExperimentAssignment? {
    guard let name = text(keys.experiment + ".name"), let arm = text(keys.experiment + ".arm") else {
      return nil
    }
    return try? ExperimentAssignment(name: name, arm: arm)
  }

  /// The notification that the payload belongs to.
  package func reference(requestID: String, category: String, date: Date? = nil) -> NotificationReference {
    NotificationReference(
      id: notificationID ?? requestID, category: category, experiment: experiment, date: date)
  }

  /// The text under keys that are joined by dots; nil where there is none, or an empty one.
  private func text(_ path: String) -> String? {
    // A key that has the dot in its name comes first.
    if let text = userInfo[path] as? String { return text.isEmpty ? nil : text }
    var value: Any? = userInfo
    for key in path.split(separator: ".") {
      value = (value as? [AnyHashable: Any])?[String(key)] ?? (value as? [String: Any])?[String(key)]
    }
    guard let text = value as? String, !text.isEmpty else { return nil }
    return text
  }
}
