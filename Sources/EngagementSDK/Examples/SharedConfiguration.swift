import EngagementSDK
import Foundation

/// A member of all three targets, so that they agree.
enum Telemetry {
  /// categories.json, a member of all three targets as well.
  static let categories = try? NotificationCategories(named: "categories")

  static func start(_ role: EngagementOptions.Role) {
    var options = EngagementOptions()
    options.role = role
    options.categories = categories?.offers ?? []
    do {
      try Engagement.configure(
        endpoint: URL(string: "https://push.example.com")!, key: "pushlift_…",
        storage: .appGroup("group.com.example.shop"), options: options)
    } catch {
      print("Notifications are not measured: \(error)")
    }
  }
}
