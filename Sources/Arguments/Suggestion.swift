/// "Did you mean …": the known word nearest to a mistyped one.
package struct Suggestion {
  /// The candidate that the word begins, or else the one with the fewest edits, if at most a third of the word's
  /// letters (and at least one) changed. Dashes do not count. Nil when nothing is near.
  package static func nearest(to word: String, among candidates: [String]) -> String? {
    let letters = bare(word)
    guard !letters.isEmpty else { return nil }
    if letters.count >= 3, let whole = candidates.first(where: { bare($0).starts(with: letters) }) {
      return whole
    }
    let allowed = max(1, letters.count / 3)
    let ranked = candidates.map { (word: $0, edits: distance(letters, bare($0))) }
    guard let best = ranked.min(by: { $0.edits < $1.edits }), best.edits <= allowed else { return nil }
    return best.word
  }

  private static func bare(_ word: String) -> [Character] {
    Array(word.lowercased().drop { $0 == "-" })
  }

  /// Edits by insertion, deletion, substitution and exchange of neighbours: the optimal string alignment distance
  /// (Damerau 1964, Levenshtein 1966).
  static func distance(_ a: [Character], _ b: [Character]) -> Int {
    var beforeLast: [Int] = []
    var last = Array(0...b.count)
    for i in a.indices {
      var row = [i + 1]
      for j in b.indices {
        var edits = min(last[j] + (a[i] == b[j] ? 0 : 1), last[j + 1] + 1, row[j] + 1)
        if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { edits = min(edits, beforeLast[j - 1] + 1) }
        row.append(edits)
      }
      (beforeLast, last) = (last, row)
    }
    return last[b.count]
  }
}
