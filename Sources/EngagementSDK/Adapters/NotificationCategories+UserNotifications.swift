#if PUSHLIFT_STANDIN || (canImport(UserNotifications) && canImport(Darwin))
  #if PUSHLIFT_STANDIN
    public import EngagementSDK
  #endif
  internal import EngagementEvents
  public import Foundation
  public import UserNotifications

  extension NotificationCategories {
    /// The categories as the notification centre takes them; register them each time the app starts.
    ///
    /// - Parameter locales: whose titles to show, best first.
    public func makeNotificationCategories(
      preferring locales: [String] = Locale.preferredLanguages
    ) -> Set<UNNotificationCategory> {
      func words(_ text: LocalizedText?) -> String? {
        text?.text(preferring: locales, default: registry.defaultLocale)
      }
      return Set(registry.categories.map { $0.makeNotificationCategory(words) })
    }
  }

  extension RegisteredCategory {
    fileprivate func makeNotificationCategory(
      _ words: (LocalizedText?) -> String?
    ) -> UNNotificationCategory {
      UNNotificationCategory(
        identifier: category.text, actions: actions.map { $0.makeNotificationAction(words) },
        intentIdentifiers: intentIdentifiers,
        hiddenPreviewsBodyPlaceholder: words(hiddenPreviewsBodyPlaceholder),
        categorySummaryFormat: words(categorySummaryFormat),
        options: options.reduce(into: []) { $0.formUnion($1.notificationOption) })
    }
  }

  extension RegisteredAction {
    fileprivate func makeNotificationAction(_ words: (LocalizedText?) -> String?) -> UNNotificationAction {
      let options: UNNotificationActionOptions = options.reduce(into: []) {
        $0.formUnion($1.notificationOption)
      }
      let icon =
        systemImageName.map { UNNotificationActionIcon(systemImageName: $0) }
        ?? templateImageName.map { UNNotificationActionIcon(templateImageName: $0) }
      let title = words(title) ?? ""
      guard let textInput else {
        return UNNotificationAction(identifier: id.text, title: title, options: options, icon: icon)
      }
      return UNTextInputNotificationAction(
        identifier: id.text, title: title, options: options, icon: icon,
        textInputButtonTitle: words(textInput.buttonTitle) ?? "",
        textInputPlaceholder: words(textInput.placeholder) ?? "")
    }
  }

  extension RegisteredCategory.Option {
    fileprivate var notificationOption: UNNotificationCategoryOptions {
      switch self {
      case .customDismissAction: .customDismissAction
      case .allowInCarPlay:
        // A Mac knows none.
        #if os(macOS)
          []
        #else
          .allowInCarPlay
        #endif
      case .hiddenPreviewsShowTitle: .hiddenPreviewsShowTitle
      case .hiddenPreviewsShowSubtitle: .hiddenPreviewsShowSubtitle
      }
    }
  }

  extension RegisteredAction.Option {
    fileprivate var notificationOption: UNNotificationActionOptions {
      switch self {
      case .authenticationRequired: .authenticationRequired
      case .destructive: .destructive
      case .foreground: .foreground
      }
    }
  }
#endif
