internal import Dashboards

/// Markup: literals of ours, and values that are escaped as they are put in.
///
/// The same in elements, in attributes between double quotes, and in SVG.
struct HTML: Sendable, Hashable {
  private(set) var text: String

  init(_ pieces: [HTML] = [], separator: String = "") {
    text = pieces.map(\.text).joined(separator: separator)
  }

  /// Takes text as it is: only for text that no user wrote.
  init(unsafeRaw text: String) { self.text = text }

  static func += (left: inout HTML, right: HTML) { left.text += right.text }
}

extension HTML: ExpressibleByStringInterpolation {
  init(stringLiteral text: String) { self.text = text }

  init(stringInterpolation: StringInterpolation) { text = stringInterpolation.text }

  struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var text = ""

    init(literalCapacity: Int, interpolationCount: Int) { text.reserveCapacity(2 * literalCapacity) }

    mutating func appendLiteral(_ literal: String) { text += literal }

    /// Escapes, and shows what could not be seen or would turn the line around.
    mutating func appendInterpolation(_ value: String) { text += HTML.escaped(value) }

    mutating func appendInterpolation(_ value: Int) { text += String(value) }

    mutating func appendInterpolation(_ markup: HTML) { text += markup.text }

    mutating func appendInterpolation(_ pieces: [HTML]) { for piece in pieces { text += piece.text } }
  }

  private static func escaped(_ value: String) -> String {
    var escaped = ""
    var isAfterBlank = false
    // By scalars: a "<" that is one character with the mark after it is still a "<" to a browser.
    for scalar in TextTable.visible(value).unicodeScalars {
      // No line begins with a percent sign.
      if isAfterBlank { escaped += scalar == "%" ? "&nbsp;" : " " }
      isAfterBlank = scalar == " "
      if scalar != " " { escaped += entity(scalar) }
    }
    return isAfterBlank ? escaped + " " : escaped
  }
}

extension HTML {
  /// A name that came from outside, kept from turning the text around it.
  static func name(_ name: String) -> HTML { "<bdi>\(name)</bdi>" }

  /// The same with the title that people know it by; nil for none.
  static func name(_ name: String, title: String?) -> HTML {
    guard let title else { return .name(name) }
    return "\(HTML.name(name)) <small>\(HTML.name(title))</small>"
  }

  /// The value of a form's field, which has to come back as it is.
  static func fieldValue(_ value: String) -> HTML {
    HTML(unsafeRaw: value.unicodeScalars.map(entity).joined())
  }

  private static func entity(_ scalar: Unicode.Scalar) -> String {
    switch scalar {
    case "&": "&amp;"
    case "<": "&lt;"
    case ">": "&gt;"
    case "\"": "&quot;"
    case "'": "&#39;"
    default: String(scalar)
    }
  }

  init(template: PageTemplate, _ places: [String: HTML]) {
    text = template.filled(places.mapValues(\.text))
  }

  /// A whole page, as bytes.
  ///
  /// - Parameter policy: what the head says of what the page may do.
  static func page(title: HTML, policy: HTML, style: String, content: HTML) -> [UInt8] {
    let page = HTML(
      template: .page,
      ["title": title, "policy": policy, "style": HTML(unsafeRaw: style), "content": content])
    return Array(page.text.utf8)
  }

  /// A table; a column of words or names is left-aligned, all others are figures.
  ///
  /// - Parameter rows: each as long as the header; the first cell heads the row.
  static func table(_ header: [Column], _ rows: [[HTML]]) -> HTML {
    let titles = header.map { column in
      "<th scope=\"col\"\(column.attribute)>\(column.title)</th>" as HTML
    }
    let lines = rows.map { row in
      let cells = zip(header, row).enumerated().map { place, pair in
        place == 0
          ? "<th scope=\"row\"\(pair.0.attribute)>\(pair.1)</th>" as HTML
          : "<td\(pair.0.attribute)>\(pair.1)</td>" as HTML
      }
      return "<tr>\(cells)</tr>\n" as HTML
    }
    return """
      <div class="scroll" tabindex="0" role="group" aria-label="table"><table>
      <thead><tr>\(titles)</tr></thead>
      <tbody>
      \(lines)</tbody>
      </table></div>
      """
  }

  struct Column: Sendable {
    enum Kind: Sendable { case figure, name, words }

    let title: String
    let kind: Kind

    init(_ title: String, _ kind: Kind = .figure) {
      self.title = title
      self.kind = kind
    }

    fileprivate var attribute: HTML {
      switch kind {
      case .figure: ""
      case .name: " class=\"name\""
      case .words: " class=\"words\""
      }
    }
  }

  /// A picture with its explanation, and the same as a table for those who cannot see it.
  static func figure(_ picture: Picture, caption: HTML, table: HTML) -> HTML {
    """
    <figure>
    \(picture.svg)
    <figcaption>\(caption)</figcaption>
    </figure>
    <details>
    <summary>The same as a table</summary>
    \(table)
    </details>
    """
  }

  /// What stands where there is nothing to show.
  static func empty(_ words: String) -> HTML { "<p class=\"empty\">\(words)</p>" }
}
