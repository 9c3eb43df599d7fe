import EngagementEvents

/// The names of the contract that the parser recognises, wherever they stand.
enum FieldName: Equatable {
  /// A field of an event.
  case event(EventField)
  /// A name within a field, or around the events.
  case inner(Inner)

  enum Inner: String, CaseIterable {
    case name, arm, kind, bytes, width, height, seconds, sentAt, events
  }

  private static let all = EventField.allCases.map(FieldName.event) + Inner.allCases.map(FieldName.inner)

  /// The names in the order of their numbers.
  static let words = EventField.allCases.map(\.rawValue) + Inner.allCases.map(\.rawValue)

  /// The name with a number, or nil for any other.
  init?(word: UInt16) {
    guard Int(word) < FieldName.all.count else { return nil }
    self = FieldName.all[Int(word)]
  }
}
