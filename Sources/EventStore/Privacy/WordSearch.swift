extension Collection<UInt8> where Self: RandomAccessCollection, Index == Int {
  /// Whether a word stands in these bytes by itself: `d-1` is not found in `d-12`.
  ///
  /// - Parameter atEdges: whether it may touch the beginning and the end.
  package func containsWord(_ word: [UInt8], atEdges: Bool = true) -> Bool {
    contains(word) { start, end in
      let standsFree = start == startIndex ? atEdges : !self[start - 1].isPartOfAWord
      let endsFree = end == endIndex ? atEdges : !self[end].isPartOfAWord
      return standsFree && endsFree
    }
  }

  /// Whether some bytes stand in these, whatever is beside them.
  package func containsBytes(_ bytes: [UInt8]) -> Bool { contains(bytes) { _, _ in true } }

  private func contains(_ bytes: [UInt8], where isMeant: (_ start: Int, _ end: Int) -> Bool) -> Bool {
    guard let first = bytes.first else { return false }
    var rest = self[...]
    while let start = rest.firstIndex(of: first) {
      rest = self[(start + 1)...]
      let end = start + bytes.count
      guard end <= endIndex else { return false }
      if self[start..<end].elementsEqual(bytes), isMeant(start, end) { return true }
    }
    return false
  }
}

extension UInt8 {
  fileprivate var isPartOfAWord: Bool {
    switch self {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "_"), UInt8(ascii: "-"), 0x80...0xFF:
      true
    default: false
    }
  }
}
