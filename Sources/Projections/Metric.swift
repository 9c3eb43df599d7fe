/// What is counted of a unit: one notification on one device.
package enum Metric: Sendable, Hashable {
  /// Any interaction: expanded, opened, or a custom action.
  case interaction
  /// Expanded.
  case expansion
  /// The default action: opened.
  case open
  /// Any custom action.
  case action
  /// One custom action, among units whose category offered it.
  case customAction(String)
  /// A custom action that carried reply text.
  case reply
  /// The dismissal, where the category asks the system for it.
  case dismissal
  /// Intended rich, shown as text; among units intended rich.
  case fallback

  /// The version of all definitions together; exports carry it. It rises when any definition changes.
  package static let definitionVersion = 1

  /// The metric ids that take no argument, in the order in which help lists them.
  package static let simple: [Metric] = [
    .interaction, .expansion, .open, .action, .reply, .dismissal, .fallback,
  ]

  /// The id, such as `interaction` or `action:like`.
  package var id: String {
    switch self {
    case .interaction: "interaction"
    case .expansion: "expansion"
    case .open: "open"
    case .action: "action"
    case .customAction(let identifier): "action:\(identifier)"
    case .reply: "reply"
    case .dismissal: "dismissal"
    case .fallback: "fallback"
    }
  }

  /// Nil if there is no such metric.
  package init?(id: String) {
    if let metric = Self.simple.first(where: { $0.id == id }) {
      self = metric
    } else if id.hasPrefix("action:"), id.utf8.count > 7 {
      self = .customAction(String(id.dropFirst(7)))
    } else {
      return nil
    }
  }
}

/// What makes a unit rich.
package enum ArmRule: String, Sendable, Hashable, CaseIterable {
  /// The payload asked for media, whether or not the device could show it. The default: who falls back to text depends
  /// on device and network, and leaving these out would bias the comparison.
  case intended
  /// Media was really attached.
  case shown
  /// Media was attached, or a custom view drew the expanded notification.
  case shownOrInterface = "shown-or-interface"
}
