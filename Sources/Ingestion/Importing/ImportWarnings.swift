package import EngagementEvents

/// What is odd about events that an import stores all the same: each oddity once, with how many events have it.
///
/// A file can have any number of them, so that only the first are told apart.
package struct ImportWarnings: Sendable, Hashable {
  package struct Warning: Sendable, Hashable, CustomStringConvertible {
    /// Where it was met first.
    package let file: String
    package let line: Int
    package let warning: EventWarning
    package fileprivate(set) var events = 1

    package var description: String {
      "\(file), line \(line): \(warning.code.rawValue) (\(warning.field)): \(warning.message)"
        + " (\(events) \(events == 1 ? "event" : "events"))"
    }
  }

  /// What makes two warnings one.
  enum Subject: Sendable, Hashable {
    case unregistered(CategoryIndex.UnregisteredName)
    case oddity(field: String, EventWarning.Code)
  }

  /// In the order in which they were met.
  package private(set) var named: [Warning] = []
  /// Warnings beyond the named ones.
  package private(set) var others = 0
  private var places: [Subject: Int] = [:]

  /// As many as are told apart.
  static let namedWarnings = 10

  package var isEmpty: Bool { named.isEmpty }

  mutating func note(_ subject: Subject, file: String, line: Int, _ warning: @autoclosure () -> EventWarning)
  {
    if let place = places[subject] {
      named[place].events += 1
    } else if named.count < Self.namedWarnings {
      places[subject] = named.count
      named.append(Warning(file: file, line: line, warning: warning()))
    } else {
      others += 1
    }
  }
}
