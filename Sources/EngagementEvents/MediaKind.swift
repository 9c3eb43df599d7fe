/// What a rich notification can carry.
public enum MediaKind: String, Sendable, Hashable, CaseIterable {
  /// A still picture.
  case image
  /// An animated picture.
  case gif
  /// A film.
  case video
  /// A sound to play, not the one that rings.
  case audio

  /// Reads the contract's spelling.
  ///
  /// - Throws: `unknown_value`, naming the known ones.
  public init(_ text: String, field: @autoclosure () -> String = "kind") throws(EventFault) {
    guard let value = MediaKind(rawValue: text) else {
      throw .unknownValue(text, of: field(), known: MediaKind.allCases.map(\.rawValue))
    }
    self = value
  }
}
