public import EngagementEvents

/// How much iOS attaches to a notification.
public struct MediaLimits: Sendable, Hashable {
  /// Bytes of a picture, still or animated.
  public var imageBytes: Int64 = 10 << 20
  /// Bytes of a sound.
  public var audioBytes: Int64 = 5 << 20
  /// Bytes of a film.
  public var videoBytes: Int64 = 50 << 20
  /// The longest sound or film in seconds; nil for any, since iOS itself names none.
  public var seconds: Double?

  /// The system's own.
  public init() {}

  /// Bytes of media of a kind.
  public func bytes(of kind: MediaKind) -> Int64 {
    switch kind {
    case .image, .gif: imageBytes
    case .audio: audioBytes
    case .video: videoBytes
    }
  }

  /// Bytes that a download may have whose kind is known by its name or header only, or not at all (nil).
  func bytes(of format: MediaFormat?) -> Int64 {
    format.map { bytes(of: $0.kind) } ?? max(imageBytes, audioBytes, videoBytes)
  }
}
