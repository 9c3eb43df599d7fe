/// The value of a `Content-Type`, as far as it matters here.
struct MediaType: Equatable {
  /// `type/subtype` in lower case.
  let essence: String

  /// The values of `charset`, in lower case and without quotes.
  let charsets: [String]

  /// nil = malformed.
  init?(_ text: String) {
    let parts = Self.split(text)
    let names = parts[0].split(separator: "/", omittingEmptySubsequences: false)
    guard names.count == 2, String(names[0]).isToken, String(names[1]).isToken else { return nil }
    var charsets: [String] = []
    for parameter in parts.dropFirst() where !parameter.isEmpty {
      guard let equals = parameter.firstIndex(of: "=") else { return nil }
      let name = String(parameter[..<equals])
      guard name.isToken, let value = Self.value(parameter[parameter.index(after: equals)...]) else {
        return nil
      }
      if name.equalsIgnoringCase("charset") { charsets.append(value.lowercased()) }
    }
    essence = parts[0].lowercased()
    self.charsets = charsets
  }

  var isUTF8: Bool { charsets.allSatisfy { $0 == "utf-8" || $0 == "utf8" } }

  /// Splits at semicolons that no quotes enclose; one part at least.
  private static func split(_ text: String) -> [String] {
    var parts = [""]
    var isQuoted = false
    var isEscaped = false
    for character in text.unicodeScalars {
      if character == ";", !isQuoted {
        parts.append("")
        continue
      }
      if character == "\"", !isEscaped { isQuoted.toggle() }
      isEscaped = isQuoted && character == "\\" && !isEscaped
      parts[parts.count - 1].unicodeScalars.append(character)
    }
    return parts.map(\.trimmingBlanks)
  }

  /// A token, or the inside of a quoted string.
  private static func value(_ text: Substring) -> String? {
    guard text.first == "\"" else { return String(text).isToken ? String(text) : nil }
    guard text.count >= 2, text.last == "\"" else { return nil }
    return String(text.dropFirst().dropLast().filter { $0 != "\\" })
  }
}
