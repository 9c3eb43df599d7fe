/// What the linter says of one payload.
package struct PayloadReport: Sendable {
  /// Whether the push will show a picture, a video or a sound.
  package enum Richness: String, Sendable {
    case yes, no
    /// Media is named, but cannot be attached.
    case declaredOnly
    /// Not displayed, no push, or not readable.
    case notApplicable
  }

  /// Whether iOS will start the Notification Service Extension: for a visible alert with `mutable-content` 1.
  package enum ExtensionRuns: String, Sendable {
    case yes, no
    /// Apple does not say what happens.
    case undefined
    case notApplicable
  }

  package enum MediaKind: String, Sendable {
    case image, video, audio, unknown
  }

  /// False where JSON, `aps`, the type of one of its keys, the envelope or the size is at fault.
  package var isValid: Bool { !findings.contains { $0.severity == .error && !mediaFaults.contains($0.code) } }
  package internal(set) var richness = Richness.notApplicable
  /// Those of all usable media in their order, or of the first that is not usable; empty where none is named.
  package internal(set) var mediaKinds: [MediaKind] = []
  /// The path of the first usable media, or of the first named; nil where none is.
  package internal(set) var mediaKey: String?
  /// `aps.category` as it is; nil where there is none.
  package internal(set) var category: String?
  package internal(set) var extensionRuns = ExtensionRuns.notApplicable
  /// In the order of their places.
  package internal(set) var findings: [PayloadFinding] = []

  private let mediaFaults: Set = ["media_url_invalid", "media_url_scheme", "media_type"]
}
