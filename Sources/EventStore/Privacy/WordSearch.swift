extension Collection<UInt8> where Self: RandomAccessCollection, Index == Int {
  /// Whether a word stands in these bytes by itself: `d-1` is not found in `d-12`.
  ///
  /// - Parameter atEdges: whether it may touch the beginning and the end.
  package func containsWord(_ word: [UInt8], atEdges: Bool = true) -> Bool {
    guard let first = word.first else { return false }
    var rest = self[...]
    while let start = rest.firstIndex(of: first) {
      rest = self[(start + 1)...]
      let end = start + word.count
      guard end <= endIndex else { return false }
      guard self[start..<end].elementsEqual(word) else { continue }
      let standsFree = start == startIndex ? atEdges : !self[start - 1].isPartOfAWord
      let endsFree = end == endIndex ? atEdges : !self[end].isPartOfAWord
      if standsFree, endsFree { return true }
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
