internal import EngagementEvents
package import Foundation

/// Reads what the SDK wants to know from a payload, which anybody may have written: whatever is not as it should be
/// is passed over, and can be told.
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

  var notificationID: String? { keys.notificationID.flatMap { identifier($0) } }

  var experiment: ExperimentAssignment? { try? assignment() }

  /// The notification that the payload belongs to.
  package func reference(requestID: String, category: String, date: Date? = nil) -> NotificationReference {
    NotificationReference(
      id: notificationID ?? requestID, category: category, experiment: experiment, date: date)
  }

  /// What of the notification's id and experiment could not be taken.
  package var faults: [EngagementError] {
    var faults: [EngagementError] = []
    if let key = keys.notificationID, let value = value(key), identifier(key) == nil {
      faults.append(.payload(key, value, Self.remedy))
    }
    do { _ = try assignment() } catch { faults.append(error) }
    return faults
  }

  /// What of the media could not be taken.
  var mediaFaults: [EngagementError] {
    // Where one key has a text, the others are not asked.
    (media == nil ? keys.media : [keys.mediaType]).compactMap { key in
      guard let value = value(key), !(value is String) else { return nil }
      return .payload(key, value, "send a string")
    }
  }

  /// - Returns: nil where the payload has none.
  private func assignment() throws(EngagementError) -> ExperimentAssignment? {
    let (nameKey, armKey) = (keys.experiment + ".name", keys.experiment + ".arm")
    if value(nameKey) == nil, value(armKey) == nil {
      guard let value = value(keys.experiment) else { return nil }
      throw .payload(keys.experiment, value, "send an object with name and arm")
    }
    guard let name = identifier(nameKey) else { throw .payload(nameKey, value(nameKey), Self.remedy) }
    guard let arm = identifier(armKey) else { throw .payload(armKey, value(armKey), Self.remedy) }
    do { return try ExperimentAssignment(name: name, arm: arm) } catch {
      throw EngagementError(.invalidPayload, error.description)
    }
  }

  private static let remedy = "send a string or an integer"

  /// A text, or an integer as it is written in decimals; nil where there is neither.
  private func identifier(_ path: String) -> String? {
    switch value(path) {
    case let text as String: text
    case let number as NSNumber: number.integerText
    default: nil
    }
  }

  private func text(_ path: String) -> String? { value(path) as? String }

  /// What the payload has under keys that are joined by dots; nil where that is nothing, null or an empty text.
  private func value(_ path: String) -> Any? {
    let parts = path.split(separator: ".", omittingEmptySubsequences: false)
    guard let value = Self.value(parts[...], in: userInfo), !(value is NSNull), (value as? String) != ""
    else {
      return nil
    }
    return value
  }

  /// A key may have dots in its own name, as `com.batch.at.u` has in the first: the longest name that is there wins.
  private static func value(_ path: ArraySlice<Substring>, in object: [AnyHashable: Any]) -> Any? {
    for end in path.indices.reversed() {
      guard let found = object[path[...end].joined(separator: ".")] else { continue }
      let rest = path[(end + 1)...]
      if rest.isEmpty { return found }
      if let inner = Self.object(found), let value = value(rest, in: inner) { return value }
    }
    return nil
  }

  private static func object(_ value: Any) -> [AnyHashable: Any]? {
    (value as? [AnyHashable: Any]) ?? (value as? [String: Any]).map { $0 }
  }
}

extension NSNumber {
  /// The number in decimals, where it is a whole one; nil for a truth value, which is a number to Foundation.
  fileprivate var integerText: String? {
    switch String(cString: objCType) {
    case "c", "B": return nil
    case "d", "f":
      // Beyond 2⁵³ it may be another number than the one that was sent.
      return abs(doubleValue) <= 0x1p53 ? Int64(exactly: doubleValue).map { String($0) } : nil
    default: return stringValue
    }
  }
}

extension EngagementError {
  /// It repeats nothing of the value.
  ///
  /// - Parameter value: nil where there is nothing under the key.
  fileprivate static func payload(_ key: String, _ value: Any?, _ remedy: String) -> EngagementError {
    let what =
      switch value {
      case nil: "missing"
      case is String: "a string"
      case let number as NSNumber where ["c", "B"].contains(String(cString: number.objCType)): "a truth value"
      case let number as NSNumber: number.integerText == nil ? "no exact integer" : "a number"
      case is [Any]: "a list"
      default: "an object"
      }
    return EngagementError(.invalidPayload, "the payload's \(key) is \(what); \(remedy)")
  }
}
