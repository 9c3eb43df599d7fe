internal import EngagementEvents

/// The keys of a file of categories, as Apple names what they stand for.
enum CategoryKeys {
  static let top: Set = ["defaultLocale", "replyText", "categories"]
  static let category: Set = [
    "identifier", "title", "actions", "options", "intentIdentifiers", "hiddenPreviewsBodyPlaceholder",
    "categorySummaryFormat", "contentExtension", "replyText",
  ]
  static let action: Set = [
    "identifier", "title", "options", "systemImageName", "templateImageName", "textInput",
  ]
  static let textInput: Set = ["buttonTitle", "placeholder"]

  static let categoryOptions = RegisteredCategory.Option.allCases.map(\.rawValue)
  static let actionOptions = RegisteredAction.Option.allCases.map(\.rawValue)
  static let replyText = RegisteredCategory.ReplyTextKeeping.allCases.map(\.rawValue)

  /// Banners show the first two; there is never room for more than ten ("actions" and the overview of Apple's
  /// `UNNotificationCategory`).
  static let bannerActions = 2
  static let mostActions = 10
}
