import Foundation
import Reports
import Statistics
import Testing

@testable import Projections

/// The page as a document: what it holds, and what nobody can make it hold.
struct PageTests {
  private static let elements: Set<String> = [
    "html", "head", "meta", "title", "style", "body", "main", "header", "section", "h1", "h2", "p", "table",
    "thead", "tbody", "tr", "th", "td", "figure", "figcaption", "details", "summary", "div", "dl", "dt", "dd",
    "bdi", "svg", "desc", "g", "text", "line", "rect", "circle", "polygon", "path",
  ]

  private static let attributes: Set<String> = [
    "lang", "charset", "name", "content", "http-equiv", "class", "scope", "tabindex", "role", "aria-label",
    "aria-labelledby", "id", "xmlns", "width", "height", "x", "y", "x1", "y1", "x2", "y2", "cx", "cy", "r",
    "d", "points", "viewbox", "preserveaspectratio", "vector-effect", "text-anchor",
  ]

  /// Nothing but what the template and our own pictures have, every element closed.
  private func expectHarmless(_ page: ParsedPage, _ comment: Comment? = nil) {
    let names = Set(page.elements.map(\.name))
    #expect(names.subtracting(Self.elements).isEmpty, comment)
    let attributes = Set(page.elements.flatMap { $0.attributes.keys })
    #expect(attributes.subtracting(Self.attributes).isEmpty, comment)
    for name in ["html", "head", "title", "style", "body", "main", "h1", "header"] {
      #expect(page.elements.count { $0.name == name } == 1 + (name == "title" ? pictures(page) : 0), comment)
    }
    for element in page.elements {
      #expect(
        !element.attributes.values.contains {
          $0.contains("javascript:") || $0.contains("://") && $0 != "http://www.w3.org/2000/svg"
        })
    }
  }

  private func pictures(_ page: ParsedPage) -> Int {
    page.elements.count { $0.attributes["role"] == "img" }
  }

  private static let hostile = [
    "<script>alert(1)</script>", "\"><img src=x onerror=alert(1)>", "'><svg onload=alert(1)>",
    "</title></style>",
    "</svg></text><style>*{display:none}</style>", "a\u{202E}txt.exe\u{2066}", "&lt;b&gt;&amp;amp;",
    "{{answer}}{{style}}",
    "<!-- ", "]]>", "<\u{301}script>", "\u{0}\u{8}\u{1B}[2J", "\u{FEFF}\u{200B}x", "javascript:alert(1)",
    "ＳＣＲＩＰＴ",
    " blank at both ends ", String(repeating: "x", count: 10_000), String(repeating: "<", count: 10_000),
    String(repeating: "e\u{301}\u{302}\u{303}", count: 3_000), "שלום <b>עולם</b>", "👩‍👩‍👧 \u{E0001}tag",
  ]

  @Test(arguments: hostile) func noNameBecomesMarkup(_ name: String) throws {
    var sample = SampleReport(.customAction(name))
    sample.appName = name
    sample.zone = name
    sample.add(name, rich: (4_000, 700), text: (4_000, 500))
    sample.add(name + "2", rich: (4_000, 700), text: (0, 0), orphans: 900) { $0.implausible = 2 }
    let page = try ParsedPage(
      sample.page { details in
        details.rejected = [name: 1]
        details.actions = details.actions.map {
          ActionCell(
            category: name, action: name, isRich: $0.isRich, bucket: $0.bucket, offered: $0.offered,
            taken: $0.taken)
        }
      }.html)
    expectHarmless(page)
    let shown = TextTable.visible(name)
    #expect(page.table("Category", "Verdict")?[1][0] == shown)
    #expect(page.table("Category", "Action")?[1][1] == shown)
    #expect(page.elements.first { $0.name == "title" }?.text.hasPrefix(shown) == true)
    // Nothing that is not seen is left in it but line breaks.
    for scalar in page.elements[0].text.unicodeScalars where scalar != "\n" && scalar != "\u{A0}" {
      #expect(
        ![.control, .format, .lineSeparator, .paragraphSeparator].contains(scalar.properties.generalCategory),
        "U+\(String(scalar.value, radix: 16))")
    }
  }

  @Test func onePictureEachWithTitleDescriptionAndTable() throws {
    let page = try ParsedPage(SampleReport.typical().page().html)
    expectHarmless(page)
    let pictures = page.elements.filter { $0.attributes["role"] == "img" }
    #expect(pictures.count == 5)
    for picture in pictures {
      let ids = try #require(picture.attributes["aria-labelledby"]).split(separator: " ")
      #expect(ids.count == 2)
      for id in ids {
        let named = page.elements.filter { $0.attributes["id"] == String(id) }
        #expect(named.count == 1)
        #expect(named.first?.text.isEmpty == false)
      }
    }
    #expect(page.elements.count { $0.name == "details" } == 6)
  }

  @Test func thePageNeedsNothingButItself() throws {
    let html = String(decoding: try SampleReport.typical().page().html, as: UTF8.self)
    for none in ["<script", "<link", "<img", "src=", "href=", "url(", "@import", "javascript:", "style=\""] {
      #expect(!html.contains(none), "\(none)")
    }
    #expect(html.contains("default-src 'none'; style-src 'unsafe-inline'"))
  }

  /// The same counts as `--format json`, and its figures rounded.
  @Test func thePageHasTheFiguresOfTheJSON() throws {
    let sample = SampleReport.typical()
    let document = try #require(
      try JSONSerialization.jsonObject(with: Data(sample.report().json)) as? [String: Any])
    let page = try ParsedPage(sample.page().html)
    let uplifts = try #require(page.table("Category", "Verdict", "Uplift"))
    let arms = try #require(page.table("Category", "Arm", "Delivered"))
    let categories =
      try #require(document["categories"] as? [[String: Any]]) + [document["crude"] as! [String: Any]]
    #expect(arms.count == 1 + 2 * categories.count)
    #expect(uplifts.count == 1 + categories.count + 1)
    for (place, category) in categories.enumerated() {
      let isCrude = place == categories.count - 1
      let row = uplifts[isCrude ? place + 2 : place + 1]
      #expect(row[0] == (isCrude ? "All added up" : category["category"] as? String))
      #expect(row[1] == category["verdict"] as? String)
      #expect(row[2] == figure(category, "uplift", "value") { Format.signedPercent($0) })
      #expect(row[5] == figure(category, "difference", "value") { Format.signed($0 * 100, digits: 2) })
      #expect(row[7] == figure(category, "pValue") { Format.pValue($0) })
      #expect(row[8] == figure(category, "adjustedPValue") { Format.pValue($0) })
      #expect(row[10] == category["reason"] as? String ?? "")
      for (number, arm) in ["rich", "text"].enumerated() {
        let cells = arms[1 + 2 * place + number]
        #expect(cells[2] == figure(category, arm, "delivered") { Format.count($0) })
        #expect(cells[3] == figure(category, arm, "devices") { Format.count($0) })
        #expect(cells[4] == figure(category, arm, "events") { Format.count($0) })
        #expect(cells[5] == figure(category, arm, "rate", "value") { Format.percent($0, digits: 2) })
        let lower = figure(category, arm, "rate", "lower") { Format.percent($0, digits: 2) }
        let upper = figure(category, arm, "rate", "upper") { Format.percent($0, digits: 2) }
        #expect(cells[6] == (lower == "–" ? "–" : "\(lower) to \(upper)"))
      }
    }
    let pooled = try #require(document["pooled"] as? [String: Any])
    #expect(uplifts[categories.count][2] == figure(pooled, "uplift", "value") { Format.signedPercent($0) })
  }

  private func figure(_ object: [String: Any], _ path: String..., as text: (Double) -> String) -> String {
    let value = path.dropFirst().reduce(object[path[0]]) { ($0 as? [String: Any])?[$1] }
    return (value as? NSNumber).map { text($0.doubleValue) } ?? "–"
  }

  @Test func whatElseTheArmsDifferInIsTold() throws {
    let page = try ParsedPage(SampleReport.typical().page().html)
    #expect(page.table("By", "To exchange")?[1] == ["hour of delivery", "80.0 %", "⚠ much"])
    let warnings = page.elements.filter { $0.attributes["class"] == "note warning" }.map(\.text)
    #expect(warnings.contains { $0.contains("hour of delivery (80\u{A0}%)") }, "\(warnings)")
    #expect(
      page.table("Category", "Arm", "Interacted")?.last == [
        "All together", "text-only", "40", "3.0 s", "95 s", "2.0 h",
      ])
  }

  /// What a whole page looks like, from its answer to its definitions. Run with PUSHLIFT_RECORD=1 to take a new one
  /// down, and look at it before it is kept.
  @Test func aTypicalPageIsAsItWas() throws {
    let page = Self.normalised(String(decoding: try SampleReport.typical().page().html, as: UTF8.self))
    if ProcessInfo.processInfo.environment["PUSHLIFT_RECORD"] != nil {
      let path = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(
        "typical.html")
      try Data(page.utf8).write(to: path)
      Issue.record("recorded anew")
    }
    let kept = try #require(Bundle.module.url(forResource: "typical", withExtension: "html"))
    let expected = try String(contentsOf: kept, encoding: .utf8)
    for (found, line) in zip(page.split(separator: "\n"), expected.split(separator: "\n")) where found != line
    {
      Issue.record("\(found)\ninstead of\n\(line)")
      return
    }
    #expect(page == expected)
  }

  /// Without the style, and with no more than one blank in a row.
  private static func normalised(_ html: String) -> String {
    let parts = html.split(separator: /<\/?style>/, omittingEmptySubsequences: false)
    return (parts[0] + "<style></style>" + parts[2]).replacing(/[ \t]+/, with: " ")
  }

  @Test func nothingIsWrittenAsNoNumber() throws {
    var empty = SampleReport()
    var pages = [try empty.page()]
    empty.add("", rich: (0, 0), text: (0, 0), orphans: 7)
    pages.append(try empty.page())
    var odd = SampleReport()
    odd.add("unlimited", rich: (1_000, 50), text: (1_000, 0))
    odd.add("none", rich: (1_000, 0), text: (1_000, 50))
    odd.add("one", rich: (1, 1), text: (1, 0))
    odd.add("all", rich: (1_000, 1_000), text: (1_000, 1_000))
    pages += [try odd.page(), try odd.page(days: 1), try SampleReport.typical().page(days: 400)]
    for page in pages {
      let parsed = try ParsedPage(page.html)
      expectHarmless(parsed)
      let places = parsed.elements.filter { $0.name != "style" && $0.name != "bdi" }
      for element in places where element.name != "html" && element.name != "head" {
        for value in element.attributes.values {
          #expect(
            !value.contains("nan") && !value.contains("inf") && !value.contains("undefined"), "\(element)")
        }
      }
    }
  }
}
