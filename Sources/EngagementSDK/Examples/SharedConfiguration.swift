import EngagementSDK
import Foundation

/// A member of all three targets, so that they agree.
enum Telemetry {
  /// categories.json, a member of all three targets as well.
  static let categories: NotificationCategories? = {
    do { return try NotificationCategories(named: "categories") } catch {
      print("Categories are not known: \(error)")
      return nil
    }
  }()
  /// Kept here, since the SDK holds it weakly.
  private static let log = TelemetryLog()

  static func start(_ role: EngagementOptions.Role) {
    var options = EngagementOptions()
    options.role = role
    options.categories = categories?.offers ?? []
    do {
      try Engagement.configure(
        endpoint: URL(string: "https://push.example.com")!, key: "pushlift_…",
        storage: .appGroup("group.com.example.shop"), options: options, delegate: log)
    } catch {
      print("Notifications are not measured: \(error)")
    }
  }
}

/// Hears what became of the events.
final class TelemetryLog: EngagementDelegate {
  func engagement(_ engagement: Engagement, didReport report: EngagementReport) {
    switch report {
    case .refused(let events, let status, _, let message):
      print("\(events) events refused with \(status): \(message ?? "no reason given")")
    case .notRecorded(let error): print("Not recorded: \(error)")
    case .payloadIgnored(let error): print("In a payload: \(error)")
    case .keyRefused(let status, let code, _): print("The key is refused with \(status): \(code)")
    case .rejected(let events): print("Rejected: \(events)")
    case .dropped(let events, let reason): print("\(events) dropped: \(reason)")
    default: break
    }
  }
}
