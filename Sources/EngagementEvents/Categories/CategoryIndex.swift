/// A registry as it is looked up in for each event: a dictionary by category, and no more work where all is well.
package struct CategoryIndex: Sendable {
  fileprivate struct Entry: Sendable {
    let actions: Set<ActionID>
    /// Skeletons of the actions, and the identifiers that have them.
    let twins: [String: String]
  }

  package let registry: CategoryRegistry
  fileprivate let entries: [Category: Entry]
  /// Skeletons of the categories, and the identifiers that have them.
  fileprivate let twins: [String: String]

  package init(_ registry: CategoryRegistry) {
    self.registry = registry
    entries = Dictionary(
      registry.categories.map { category in
        let ids = category.actions.map(\.id)
        return (
          category.category,
          Entry(actions: Set(ids), twins: Self.twins(of: ids.map(\.text)))
        )
      }
    ) { first, _ in first }
    twins = Self.twins(of: registry.categories.map(\.category.text))
  }

  private static func twins(of identifiers: [String]) -> [String: String] {
    Dictionary(identifiers.map { ($0.skeleton, $0) }) { first, _ in first }
  }
}

/// Looks through the events of one request for categories and actions that are not registered.
///
/// Each name is told of once, at the first event that bears it: an app that was not registered anew would otherwise get a
/// warning with every event.
package struct RegistryWatch {
  private let index: CategoryIndex
  private var toldCategories: Set<Category> = []
  private var toldActions: [Category: Set<ActionID>] = [:]

  package init(_ index: CategoryIndex) { self.index = index }

  /// What is odd about an event; almost always nothing.
  package mutating func warnings(about event: EngagementEvent) -> [EventWarning] {
    // No category is none that could be registered.
    guard event.category != .none else { return [] }
    guard let entry = index.entries[event.category] else {
      guard toldCategories.insert(event.category).inserted else { return [] }
      let twin = index.twins[event.category.text.skeleton]
      return [EventWarning(unregistered: .category, field: "category", twin: twin)]
    }
    var warnings: [EventWarning] = []
    func check(_ action: ActionID, _ field: @autoclosure () -> String) {
      guard action.isCustom, !entry.actions.contains(action),
        toldActions[event.category, default: []].insert(action).inserted
      else { return }
      let twin = entry.twins[action.text.skeleton]
      warnings.append(EventWarning(unregistered: .action, field: field(), twin: twin))
    }
    switch event.detail {
    case .delivered(let delivery):
      for (place, action) in delivery.actions.enumerated() { check(action, "actions[\(place)]") }
    case .expanded: break
    case .action(let taken): check(taken.actionID, "actionId")
    }
    return warnings
  }
}

extension EventWarning {
  fileprivate enum Unregistered { case category, action }

  /// - Parameter twin: the registered identifier that it could be mistaken for; nil for none.
  fileprivate init(unregistered what: Unregistered, field: String, twin: String?) {
    switch (what, twin) {
    case (.category, nil):
      self.init(
        field: field, code: .unknownCategory,
        message: "\(field) is not registered for the app; import its categories anew, or mend the payload")
    case (.action, nil):
      self.init(
        field: field, code: .unknownAction,
        message: "\(field) is no action that is registered for its category; import the categories anew")
    case (.category, let twin?):
      self.init(
        field: field, code: .nearTwinCategory,
        message:
          "\(field) is not registered for the app; \(EventFault.quote(twin)), which differs only in case, "
          + "blanks or what cannot be seen, is")
    case (.action, let twin?):
      self.init(
        field: field, code: .nearTwinAction,
        message:
          "\(field) is no action that is registered for its category; \(EventFault.quote(twin)), which "
          + "differs only in case, blanks or what cannot be seen, is")
    }
  }
}
