import EngagementSDK
import Foundation

/// A member of all three targets, so that they agree.
enum Telemetry {
  static func start(_ role: EngagementOptions.Role) {
    var options = EngagementOptions()
    options.role = role
    options.categories = [
      CategoryOffer(identifier: "social_post", actions: ["like", "reply"], hasContentExtension: true)
    ]
    do {
      try Engagement.configure(
        endpoint: URL(string: "https://push.example.com")!, key: "pushlift_…",
        storage: .appGroup("group.com.example.shop"), options: options)
    } catch {
      print("Notifications are not measured: \(error)")
    }
  }
}
