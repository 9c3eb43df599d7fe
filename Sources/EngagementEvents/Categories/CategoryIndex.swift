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

extension CategoryIndex {
  /// A name in an event that the registry does not have.
  package struct UnregisteredName: Sendable, Hashable {
    fileprivate let category: Category
    /// The action that the category is registered without; nil where the category itself is not registered.
    fileprivate let action: ActionID?
  }

  /// The names in an event that are not registered, and the fields they stand in; almost always none.
  package func unregistered(in event: EngagementEvent) -> [(name: UnregisteredName, field: String)] {
    let category = event.category
    // No category is none that could be registered.
    guard category != .none else { return [] }
    guard let entry = entries[category] else {
      return [(UnregisteredName(category: category, action: nil), "category")]
    }
    var names: [(name: UnregisteredName, field: String)] = []
    func check(_ action: ActionID, _ field: @autoclosure () -> String) {
      // What looks like one of the system's two is told of as such, with a registry or without.
      guard action.isCustom, !entry.actions.contains(action), action.systemTwin == nil else { return }
      names.append((UnregisteredName(category: category, action: action), field()))
    }
    switch event.detail {
    case .delivered(let delivery):
      for (place, action) in delivery.actions.enumerated() { check(action, "actions[\(place)]") }
    case .expanded: break
    case .action(let taken): check(taken.actionID, "actionId")
    }
    return names
  }

  /// - Parameter isQuoted: whether the message names the name as well, which is for its owner's eyes only.
  package func warning(
    of name: UnregisteredName, in field: String, isQuoted: Bool = false
  ) -> EventWarning {
    let twin =
      if let action = name.action {
        entries[name.category]?.twins[action.text.skeleton]
      } else { twins[name.category.text.skeleton] }
    let text = name.action?.text ?? name.category.text
    return EventWarning(
      unregistered: name.action == nil ? .category : .action, field: field, twin: twin,
      subject: isQuoted ? "\(field) \(EventFault.quote(text))" : field)
  }
}

/// Looks through the events of one request for categories and actions that are not registered.
///
/// Each name is told of once, at the first event that bears it: an app that was not registered anew would otherwise get a
/// warning with every event.
package struct RegistryWatch {
  private let index: CategoryIndex
  private var told: Set<CategoryIndex.UnregisteredName> = []

  package init(_ index: CategoryIndex) { self.index = index }

  /// What is odd about an event; almost always nothing.
  package mutating func warnings(about event: EngagementEvent) -> [EventWarning] {
    index.unregistered(in: event).filter { told.insert($0.name).inserted }.map {
      index.warning(of: $0.name, in: $0.field)
    }
  }
}

extension EventWarning {
  fileprivate enum Unregistered { case category, action }

  /// - Parameters:
  ///   - twin: the registered identifier that it could be mistaken for; nil for none.
  ///   - subject: what the message says this of.
  fileprivate init(unregistered what: Unregistered, field: String, twin: String?, subject: String) {
    switch (what, twin) {
    case (.category, nil):
      self.init(
        field: field, code: .unknownCategory,
        message: "\(subject) is not registered for the app; import its categories anew, or mend the payload")
    case (.action, nil):
      self.init(
        field: field, code: .unknownAction,
        message: "\(subject) is no action that is registered for its category; import the categories anew")
    case (.category, let twin?):
      self.init(
        field: field, code: .nearTwinCategory,
        message:
          "\(subject) is not registered for the app; \(EventFault.quote(twin)), which differs only in case, "
          + "blanks or what cannot be seen, is")
    case (.action, let twin?):
      self.init(
        field: field, code: .nearTwinAction,
        message:
          "\(subject) is no action that is registered for its category; \(EventFault.quote(twin)), which "
          + "differs only in case, blanks or what cannot be seen, is")
    }
  }
}
