/// An SVG picture as wide as its page: places across are shares of the width, down they are pixels, so that text keeps
/// its size on a phone.
struct Picture: Sendable {
  /// Unique on the page; names title and description.
  let id: String
  let title: String
  /// What the picture shows, for those who cannot see it.
  let description: String
  /// In pixels.
  let height: Int
  private(set) var body: HTML = ""

  init(_ id: String, title: String, description: String, height: Int) {
    self.id = id
    self.title = title
    self.description = description
    self.height = height
  }

  mutating func add(_ shape: HTML) {
    body += shape
    body += "\n"
  }

  var svg: HTML {
    """
    <svg xmlns="http://www.w3.org/2000/svg" width="100%" height="\(height)" role="img" \
    aria-labelledby="\(id)-title \(id)-desc">
    <title id="\(id)-title">\(title)</title>
    <desc id="\(id)-desc">\(description)</desc>
    \(body)</svg>
    """
  }
}

extension Picture {
  enum Anchor: String { case start, middle, end }

  /// A share of the width, 0 to 1, as an attribute has it.
  static func across(_ share: Double) -> String { Format.decimal(share * 100, digits: 2) + "%" }

  private static func down(_ pixels: Double) -> String { Format.decimal(pixels, digits: 1) }

  mutating func text(
    _ text: String, _ share: Double, _ y: Double, _ anchor: Anchor = .start, _ style: String = "axis"
  ) {
    add(
      """
      <text x="\(Self.across(share))" y="\(Self.down(y))" text-anchor="\(anchor.rawValue)" class="\(style)">\(text)</text>
      """)
  }

  /// Text that is cut off at a width, so that it can run into nothing. What is cut is whole in the table.
  mutating func clippedText(_ text: String, _ y: Double, width: Double, _ style: String = "strong") {
    add(
      """
      <svg x="0" y="\(Self.down(y - 15))" width="\(Self.across(width))" height="21">\
      <text x="0" y="15" class="\(style)">\(LabelText.shortened(text))</text></svg>
      """)
  }

  mutating func line(_ from: Double, _ fromY: Double, _ to: Double, _ toY: Double, _ style: String) {
    add(
      """
      <line x1="\(Self.across(from))" y1="\(Self.down(fromY))" x2="\(Self.across(to))" y2="\(Self.down(toY))" class="\(style)"/>
      """)
  }

  mutating func rectangle(_ from: Double, _ y: Double, _ to: Double, _ height: Double, _ style: String) {
    add(
      """
      <rect x="\(Self.across(from))" y="\(Self.down(y))" width="\(Self.across(max(0, to - from)))" \
      height="\(Self.down(height))" class="\(style)"/>
      """)
  }

  mutating func dot(_ share: Double, _ y: Double, radius: Double, _ style: String) {
    add(
      """
      <circle cx="\(Self.across(share))" cy="\(Self.down(y))" r="\(Self.down(radius))" class="\(style)"/>
      """)
  }

  /// The head of an arrow at the edge of the picture: the line goes on beyond it.
  mutating func arrow(_ share: Double, _ y: Double, pointsLeft: Bool, _ style: String) {
    add(
      """
      <svg x="\(Self.across(share))" y="\(Self.down(y))" width="1" height="1" class="open">\
      <path d="\(pointsLeft ? "M0 0 L9 -5 L9 5 Z" : "M0 0 L-9 -5 L-9 5 Z")" class="\(style)"/></svg>
      """)
  }

  /// A diamond between two shares of the width, its middle anywhere between them.
  mutating func diamond(_ from: Double, _ middle: Double, _ to: Double, _ y: Double, _ style: String) {
    let width = max(to - from, 0.004)
    let peak = Format.decimal((middle - from) / width * 100, digits: 2)
    add(
      """
      <svg x="\(Self.across(from))" y="\(Self.down(y - 9))" width="\(Self.across(width))" height="18" \
      viewBox="0 0 100 18" preserveAspectRatio="none"><polygon points="0,9 \(peak),0 100,9 \(peak),18" class="\(style) bar"/></svg>
      """)
  }
}

/// The text of labels in pictures.
enum LabelText {
  /// Cut after so many columns of a terminal, and after the marks that one letter can bear in any language.
  static func shortened(_ text: String, columns: Int = 60) -> String {
    var short = ""
    var width = 0
    for character in TextTable.visible(text) {
      width += isWide(character) ? 2 : 1
      guard width <= columns else { return short + "…" }
      for scalar in character.unicodeScalars.prefix(6) { short.unicodeScalars.append(scalar) }
    }
    return short
  }

  private static func isWide(_ character: Character) -> Bool {
    guard let value = character.unicodeScalars.first?.value else { return false }
    return (0x1100...0x115F).contains(value) || (0x2E80...0xA4CF).contains(value)
      || (0xAC00...0xD7A3).contains(value) || (0xF900...0xFAFF).contains(value)
      || (0xFF00...0xFF60).contains(value) || (0x1F300...0x1FAFF).contains(value)
  }
}
