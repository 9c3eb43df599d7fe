/// What one registry has that another has not.
package struct RegistryDifference: Sendable, Hashable {
  /// Identifiers of categories, in the order of the new registry.
  package var added: [String] = []
  /// Identifiers of categories with what is another now, such as `title` or `action like`.
  package var changed: [Change] = []
  /// Identifiers of categories, in the order of the old registry.
  package var removed: [String] = []
  /// Whether the default locale is another.
  package var hasOtherLocale = false
  /// Whether another part of replies is kept where categories say nothing of it.
  package var hasOtherReplyText = false

  package var isEmpty: Bool {
    added.isEmpty && changed.isEmpty && removed.isEmpty && !hasOtherLocale && !hasOtherReplyText
  }

  package struct Change: Sendable, Hashable {
    package let identifier: String
    package let parts: [String]
  }

  /// - Parameter old: nil where there was none.
  package init(from old: CategoryRegistry?, to new: CategoryRegistry) {
    for category in new.categories {
      guard let former = old?[category.category.text] else {
        added.append(category.category.text)
        continue
      }
      let parts = category.changes(from: former)
      if !parts.isEmpty { changed.append(Change(identifier: category.category.text, parts: parts)) }
    }
    removed = (old?.categories ?? []).map(\.category.text).filter { new[$0] == nil }
    hasOtherLocale = old.map { $0.defaultLocale != new.defaultLocale } ?? false
    hasOtherReplyText = (old?.replyText ?? .full) != new.replyText
  }
}

extension RegisteredCategory {
  /// What is another than in a former registry, by the names of the file's keys.
  fileprivate func changes(from former: RegisteredCategory) -> [String] {
    var parts: [String] = []
    func compare<Value: Equatable>(_ name: String, _ value: (RegisteredCategory) -> Value) {
      if value(self) != value(former) { parts.append(name) }
    }
    compare("title", \.title)
    compare("options", \.options)
    compare("contentExtension", \.hasContentExtension)
    compare("replyText", \.replyText)
    compare("intentIdentifiers", \.intentIdentifiers)
    compare("hiddenPreviewsBodyPlaceholder", \.hiddenPreviewsBodyPlaceholder)
    compare("categorySummaryFormat", \.categorySummaryFormat)
    let known = Dictionary(former.actions.map { ($0.id, $0) }) { first, _ in first }
    for action in actions where known[action.id] != action {
      parts.append((known[action.id] == nil ? "new action " : "action ") + action.id.text)
    }
    let ids = Set(actions.map(\.id))
    parts += former.actions.filter { !ids.contains($0.id) }.map { "without action \($0.id)" }
    // The same buttons in another order.
    if parts.isEmpty, actions != former.actions { parts.append("order of actions") }
    return parts
  }
}
