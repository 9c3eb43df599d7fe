/// What is kept of the replies to an app's notifications, by category.
package struct ReplyKeeping: Sendable, Hashable {
  private let general: RegisteredCategory.ReplyTextKeeping
  private let byCategory: [Category: RegisteredCategory.ReplyTextKeeping]

  /// As the product promises unless it is told otherwise.
  package static let everything = ReplyKeeping(general: .full, byCategory: [:])
  /// That there was a reply, and no more.
  package static let nothing = ReplyKeeping(general: .none, byCategory: [:])

  private init(
    general: RegisteredCategory.ReplyTextKeeping, byCategory: [Category: RegisteredCategory.ReplyTextKeeping]
  ) {
    self.general = general
    self.byCategory = byCategory
  }

  package init(_ registry: CategoryRegistry) {
    general = registry.replyText
    byCategory = Dictionary(
      registry.categories.compactMap { category in category.replyText.map { (category.category, $0) } }
    ) { first, _ in first }
  }

  package subscript(category: Category) -> RegisteredCategory.ReplyTextKeeping {
    byCategory[category] ?? general
  }
}
