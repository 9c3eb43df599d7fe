internal import Arguments
internal import EngagementEvents

extension PayloadChecks {
  mutating func check(category node: PayloadNode) {
    guard let name = node.string else { return }
    if name.isEmpty {
      return note(
        "category_empty", .warning, node, "the category is empty, which is none",
        "name one, or leave the key out")
    }
    if let fault = Category.fault(of: name) {
      note(
        "category_\(fault.code.rawValue)", .error, node, fault.message,
        "what devices record under it is refused, so that pushlift counts nothing of this push")
    } else if let warning = EventWarning(identifier: name, field: "the category") {
      note(
        warning.code.rawValue, .warning, node, warning.message, "write it with characters that can be seen")
    } else if let scalar = Lookalikes.odd(in: name) {
      note(
        "mixed_scripts", .warning, node,
        "\(PayloadParser.name(of: scalar)) only looks like a Latin letter in the category \(quoted(name))",
        "type the category anew")
    }
    checkRegistration(of: name, at: node)
  }

  private mutating func checkRegistration(of name: String, at node: PayloadNode) {
    // Byte for byte, as iOS compares.
    guard let categories, !categories.contains(where: { $0.utf8.elementsEqual(name.utf8) }) else { return }
    note(
      "unknown_category", .warning, node, "the app registers no category “\(EventFault.escape(name))”",
      Self.remedy(for: name, among: categories.sorted()))
  }

  private static func remedy(for name: String, among categories: [String]) -> String {
    guard !categories.isEmpty else { return "register it" }
    let skeleton = name.skeleton
    if let twin = categories.first(where: { $0.skeleton == skeleton }) {
      return "is “\(EventFault.escape(twin))” meant? Case, blanks and what cannot be seen matter"
    }
    let latin = Lookalikes.latin(skeleton)
    if let twin = categories.first(where: { Lookalikes.latin($0.skeleton) == latin }) {
      return "is “\(EventFault.escape(twin))” meant? Letters of another script are in one of them"
    }
    // What is longer is no category either.
    let isShort = name.utf8.count <= EventLimits.categoryBytes.upperBound
    if isShort, let near = Suggestion.nearest(to: name, among: categories) {
      return "is “\(EventFault.escape(near))” meant? Else register it"
    }
    let known = categories.prefix(5).map { quoted($0) }.joined(separator: ", ")
    return "register it, or use one that is: \(known)\(categories.count > 5 ? " …" : "")"
  }
}

extension Category {
  /// Why devices can record no such category; nil where they can.
  fileprivate static func fault(of text: String) -> EventFault? {
    do throws(EventFault) {
      _ = try Category(text, field: "the category")
      return nil
    } catch { return error }
  }
}

/// Letters of other scripts that look like Latin ones.
enum Lookalikes {
  private static let letters: [Unicode.Scalar: Unicode.Scalar] = [
    "а": "a", "в": "b", "е": "e", "к": "k", "м": "m", "н": "h", "о": "o", "р": "p", "с": "c", "т": "t",
    "у": "y", "х": "x", "і": "i", "ј": "j", "ѕ": "s", "ԁ": "d", "һ": "h", "ԛ": "q", "ԝ": "w", "ɡ": "g",
    "α": "a", "ι": "i", "κ": "k", "ν": "v", "ο": "o", "ρ": "p", "τ": "t", "υ": "u", "χ": "x",
  ]

  /// A text in small letters with these letters as Latin ones.
  static func latin(_ text: String) -> String {
    guard text.utf8.contains(where: { $0 >= 0x80 }) else { return text }
    var latin = String.UnicodeScalarView()
    for scalar in text.unicodeScalars { latin.append(letters[scalar] ?? scalar) }
    return String(latin)
  }

  /// The first of these letters in a text that is Latin but for them; nil where there is none.
  static func odd(in text: String) -> Unicode.Scalar? {
    guard text.utf8.contains(where: { $0 >= 0x80 }) else { return nil }
    let scalars = text.unicodeScalars.filter { $0.properties.isAlphabetic }
    func isLookalike(_ scalar: Unicode.Scalar) -> Bool {
      scalar.properties.lowercaseMapping.unicodeScalars.allSatisfy { letters[$0] != nil }
    }
    guard scalars.contains(where: { $0.isASCII }), scalars.allSatisfy({ $0.isASCII || isLookalike($0) })
    else {
      return nil
    }
    return scalars.first { !$0.isASCII }
  }
}
