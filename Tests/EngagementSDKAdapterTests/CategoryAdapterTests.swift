import EngagementSDK
import EngagementSDKAdapters
import Foundation
import TestSupport
import Testing
import UserNotifications

/// The file of categories as the notification centre gets it.
struct CategoryAdapterTests {
  private let categories: NotificationCategories

  init() throws { categories = try NotificationCategories(Data(CategorySample.json.utf8)) }

  @Test func theNotificationCentreGetsWhatTheFileSays() throws {
    let all = categories.makeNotificationCategories(preferring: ["de-AT", "en"])
    #expect(all.count == 2)
    let post = try #require(all.first { $0.identifier == "social_post" })
    #expect(post.options == [.customDismissAction, .allowInCarPlay])
    #expect(post.hiddenPreviewsBodyPlaceholder == "%u Beiträge")
    #expect(post.actions.map(\.identifier) == ["reply", "like"])
    #expect(post.actions.map(\.title) == ["Antworten", "Gefällt mir"])
    let reply = try #require(post.actions[0] as? UNTextInputNotificationAction)
    #expect(reply.options == [.authenticationRequired, .destructive])
    #expect(reply.textInputButtonTitle == "Senden")
    #expect(reply.textInputPlaceholder == "…")
    #expect(!(post.actions[1] is UNTextInputNotificationAction))
    #expect(post.actions[1].icon?.name == "hand.thumbsup")
    let plain = try #require(all.first { $0.identifier == "plain" })
    #expect(plain.options == [])
    #expect(plain.actions[0].options == [.foreground])
    #expect(plain.actions[0].icon?.name == "door")
    // Nobody reads what there is: the default locale.
    let french = categories.makeNotificationCategories(preferring: ["fr"])
    #expect(french.first { $0.identifier == "social_post" }?.actions.map(\.title) == ["Reply", "Like"])
  }

  @Test func deliveriesTellWhatTheFileOffers() {
    #expect(
      categories.offers == [
        CategoryOffer(identifier: "social_post", actions: ["reply", "like"], hasContentExtension: true),
        CategoryOffer(identifier: "plain", actions: ["open"]),
      ])
    #expect(categories.identifiers == ["social_post", "plain"])
  }

  @Test(arguments: ["", "{}", "[{}]", #"[{"identifier": "a"}, {"identifier": "a"}]"#])
  func aFileThatIsNoneIsRefusedWithAHint(_ json: String) {
    let error = #expect(throws: EngagementError.self) { try NotificationCategories(Data(json.utf8)) }
    #expect(error?.code == .invalidConfiguration)
    #expect(error?.message.contains("pushlift category lint") == true)
  }

  @Test func aMissingFileIsToldOf() {
    #expect(throws: EngagementError.self) { try NotificationCategories(named: "nowhere", in: .main) }
    #expect(throws: EngagementError.self) {
      try NotificationCategories(contentsOf: URL(fileURLWithPath: "/nowhere.json"))
    }
  }

  @Test func theDocumentedFileIsOne() throws {
    let article = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../Sources/EngagementSDK/EngagementSDK.docc/Categories.md")
    let text = try String(contentsOf: article, encoding: .utf8)
    let listing = try #require(text.firstMatch(of: /```json\n([\s\S]*?)```/)?.1)
    #expect(try NotificationCategories(Data(listing.utf8)).identifiers == ["social_post"])
  }
}
