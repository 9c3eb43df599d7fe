/// A text that people read, in one or in several languages.
package enum LocalizedText: Sendable, Hashable {
  /// The same everywhere.
  case same(String)
  /// By locale, such as `en`, `pt-BR` or `zh-Hant`; never empty.
  case byLocale([String: String])

  /// The text for somebody who reads these locales, best first.
  ///
  /// Each is tried as it is, then without its last parts, then in another region of its language; then the default, and
  /// at last the first in the order of the alphabet. Script matters: Chinese in one is none in the other.
  package func text(preferring locales: [String], default defaultLocale: String?) -> String {
    switch self {
    case .same(let text): return text
    case .byLocale(let texts):
      let keys = texts.keys.sorted()
      for locale in locales + [defaultLocale].compactMap(\.self) {
        let wanted = Self.parts(locale)
        for length in stride(from: wanted.count, to: 0, by: -1) {
          if let key = keys.first(where: { wanted.prefix(length).elementsEqual(Self.parts($0)) }) {
            return texts[key] ?? ""
          }
        }
        if let key = keys.first(where: { Self.isAnotherRegion(Self.parts($0), wanted) }) {
          return texts[key] ?? ""
        }
      }
      return keys.first.flatMap { texts[$0] } ?? ""
    }
  }

  /// Whether somebody who reads this locale finds the text in it, or in it without its last parts.
  package func covers(_ locale: String) -> Bool {
    guard case .byLocale(let texts) = self else { return true }
    let wanted = Self.parts(locale)
    return texts.keys.contains { wanted.starts(with: Self.parts($0)) }
  }

  /// The locales it names; none where it is the same everywhere.
  package var locales: [String] { if case .byLocale(let texts) = self { texts.keys.sorted() } else { [] } }

  private static func parts(_ locale: String) -> [String] {
    locale.lowercased().split { $0 == "-" || $0 == "_" }.map(String.init)
  }

  private static func isAnotherRegion(_ one: [String], _ other: [String]) -> Bool {
    func script(_ parts: [String]) -> String? { parts.first { $0.utf8.count == 4 } }
    return one.first == other.first && script(one) == script(other)
  }
}
