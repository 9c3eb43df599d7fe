extension String {
  /// Lends the bytes of the string's UTF-8.
  ///
  /// `utf8Span` costs nothing but is young; older systems pay for a copy.
  func withUTF8Span<Result>(_ body: (Span<UInt8>) -> Result) -> Result {
    if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
      body(utf8Span.span)
    } else {
      body(Array(utf8).span)
    }
  }
}

extension Span<UInt8> {
  /// Whether one of the bytes is this one.
  func contains(_ byte: UInt8) -> Bool {
    contains(where: { $0 == byte })
  }

  /// Whether one of the bytes is as described.
  ///
  /// The loop has no way out in the middle, so that the compiler makes it take many bytes at a time.
  @inline(__always)
  func contains(where isMeant: (UInt8) -> Bool) -> Bool {
    var found: UInt8 = 0
    for position in indices { found |= isMeant(self[position]) ? 1 : 0 }
    return found != 0
  }

  /// Whether all bytes are visible ASCII, so that nothing about the text can be odd.
  var isVisibleASCII: Bool {
    !contains(where: { $0 &- 0x21 > 0x5D })
  }
}
