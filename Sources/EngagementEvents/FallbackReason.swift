/// Why a device showed text where media was intended.
public enum FallbackReason: String, Sendable, Hashable, CaseIterable {
  /// The media exceeded the system's limit.
  case tooLarge
  /// The extension's time ran out.
  case timedOut
  /// The download did not succeed.
  case downloadFailed
  /// The system cannot attach media of this type.
  case unsupportedType
  /// The media or its address was broken.
  case invalid

  /// Reads the contract's spelling.
  ///
  /// - Throws: `unknown_value`, naming the known ones.
  public init(_ text: String, field: String = "fallback") throws(EventFault) {
    guard let value = FallbackReason(rawValue: text) else {
      throw .unknownValue(text, of: field, known: FallbackReason.allCases.map(\.rawValue))
    }
    self = value
  }
}
