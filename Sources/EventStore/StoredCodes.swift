package import EngagementEvents
package import Postgres

// How the contract's words are kept in the event table. The numbers are in the store for good: add, never change.

extension EventType {
  package var storedCode: Int16 {
    switch self {
    case .delivered: 0
    case .expanded: 1
    case .action: 2
    }
  }
}

extension EventSource {
  package var storedCode: Int16 {
    switch self {
    case .serviceExtension: 0
    case .contentExtension: 1
    case .app: 2
    case .provider: 3
    }
  }
}

extension FallbackReason {
  package var storedCode: Int16 {
    switch self {
    case .tooLarge: 0
    case .timedOut: 1
    case .downloadFailed: 2
    case .unsupportedType: 3
    case .invalid: 4
    }
  }
}

extension MediaKind {
  /// The set of kinds as bits: 1 image, 2 gif, 4 video, 8 audio.
  package static func storedBits(_ kinds: [MediaKind]) -> Int16 {
    kinds.reduce(0) { bits, kind in
      switch kind {
      case .image: bits | 1
      case .gif: bits | 2
      case .video: bits | 4
      case .audio: bits | 8
      }
    }
  }
}

extension PostgresTimestamp {
  package init(_ timestamp: Timestamp) { self.init(microsecondsSince1970: timestamp.microseconds) }
}

extension Timestamp {
  package init(_ timestamp: PostgresTimestamp) { self.init(microseconds: timestamp.microsecondsSince1970) }
}
