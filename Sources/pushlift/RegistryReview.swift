internal import EngagementEvents
internal import Projections
internal import Reports

/// What an app's events say of its registry of categories.
struct RegistryReview {
  private(set) var findings: [LintedFinding] = []
  private let registry: CategoryRegistry?

  /// - Parameter registry: nil where the app has none; then only what was seen is compared with itself.
  init(_ registry: CategoryRegistry?, _ seen: [SeenCategory]) {
    self.registry = registry
    // The category without a name is none that could be registered.
    let seen = seen.filter { !$0.name.isEmpty }
    for category in seen { review(category) }
    reviewTwins(seen.map(\.name), of: "categories", "near_twin_category")
    reviewTwins(seen.flatMap { $0.actions.keys.map(\.string) }, of: "actions", "near_twin_action")
    for category in registry?.categories ?? []
    where !seen.contains(where: { $0.name.isExactly(category.category.text) }) {
      note(
        "never_seen", "note",
        "the category \(Self.quoted(category.category.text)) is registered, and no event has named it",
        "drop it, unless it is new")
    }
  }

  private mutating func review(_ seen: SeenCategory) {
    let name = Self.quoted(seen.name)
    guard let registry else { return }
    guard let category = registry[seen.name] else {
      let twin = registry.categories.first { $0.category.text.skeleton == seen.name.skeleton }
      let counts = Self.notifications(seen.delivered + seen.orphans)
      return note(
        "unknown_category", "warning", "the category \(name) is not registered: \(counts)",
        twin.map { "is \(Self.quoted($0.category.text)) meant? Case, blanks and what cannot be seen matter" }
          ?? "add it to the file, or mend the payloads")
    }
    let known = Set(category.actions.map { ExactText($0.id.text) })
    for (action, units) in seen.actions.sorted(by: { $0.key < $1.key }) where !known.contains(action) {
      let twin = known.sorted().map(\.string).first { $0.skeleton == action.string.skeleton }
      note(
        "unknown_action", "warning",
        "the action \(Self.quoted(action.string)) of \(name) is not registered: \(Self.notifications(units)) in 30 days",
        twin.map { "is \(Self.quoted($0)) meant?" } ?? "add it to the file")
    }
    if seen.expanded > 0, !category.hasContentExtension {
      note(
        "expansions_not_registered", "warning",
        "\(Self.notifications(seen.expanded)) of \(name) expanded, and no content extension is registered for it",
        "write \"contentExtension\": true, or its expansions stay out of the reports")
    }
    if seen.dismissed > 0, !category.reportsDismissal {
      note(
        "dismissals_not_registered", "warning",
        "\(Self.notifications(seen.dismissed)) of \(name) dismissed, and customDismissAction is not among its options",
        "add it, or its dismissals stay out of the reports")
    }
  }

  /// Names that people take for each other, among all that were seen and are registered.
  private mutating func reviewTwins(_ names: [String], of what: String, _ code: String) {
    // As bytes: Swift takes canonically equivalent strings for one.
    let spellings = Dictionary(grouping: Set(names.map { Array($0.utf8) })) {
      String(decoding: $0, as: UTF8.self).skeleton
    }
    for (_, twins) in spellings.sorted(by: { $0.key < $1.key }) where twins.count > 1 {
      let names = twins.map { Self.quoted(String(decoding: $0, as: UTF8.self)) }.sorted()
      note(
        code, "warning",
        "the \(what) \(names.joined(separator: " and ")) differ only in case, blanks, separators or what cannot be seen",
        "keep one of them: their figures are apart")
    }
  }

  private mutating func note(_ code: String, _ severity: String, _ message: String, _ remedy: String) {
    findings.append(
      LintedFinding(
        code: code, severity: severity, line: nil, column: nil, message: message, remedy: remedy))
  }

  private static func notifications(_ count: Int) -> String {
    count == 1 ? "1 notification" : "\(Format.count(count)) notifications"
  }

  private static func quoted(_ name: String) -> String { "“\(TextTable.visible(name))”" }
}
