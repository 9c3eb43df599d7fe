import Foundation
import Reports
import TestSupport
import Testing

@testable import Projections

/// The page in a real browser.
struct BrowserTests {
  private static let names = [
    "chat", "Neue Freundschaftsanfragen und Empfehlungen aus deiner Umgebung", "שלום עולם, יש לך הודעה חדשה",
    "WWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWW", "日本語のとても長いカテゴリ名がここにあります", "",
    "إشعارات المتجر الأسبوعية", "Z̴̡̛a̷͜l̶g̸o̵", "👩‍👩‍👧 family", "a\u{202E}b",
  ]

  /// Thirty categories, of all verdicts, with limits beyond the picture.
  static func crowded() -> SampleReport {
    var sample = SampleReport()
    sample.isSpread = true
    for number in 0..<30 {
      let name = number < names.count ? names[number] : "category_\(number)"
      switch number % 6 {
      case 0: sample.add(name, rich: (4_000, 700 + number), text: (4_000, 500))
      case 1: sample.add(name, rich: (4_000, 300), text: (4_000, 500 + number))
      case 2: sample.add(name, rich: (4_000, 500), text: (4_000, 500))
      case 3: sample.add(name, rich: (1_000, 40), text: (1_000, 0))
      case 4: sample.add(name, rich: (40, 7), text: (60, 3))
      default: sample.add(name, rich: (3_000, 200), text: (0, 0), orphans: 190)
      }
    }
    return sample
  }

  static func single() -> SampleReport {
    var sample = SampleReport()
    sample.isSpread = true
    sample.add("news", rich: (9_000, 900), text: (9_000, 700))
    return sample
  }

  @Test func noLabelRunsIntoAnother() throws {
    let folder = try PageFolder()
    let pages = [
      "crowded.html": try Self.crowded().page(days: 60), "single.html": try Self.single().page(days: 1),
      "long.html": try Self.single().page(days: 400), "typical.html": try SampleReport.typical().page(),
    ]
    let inspections = try PageInspection.run(pages.mapValues(\.html), in: folder)
    #expect(inspections.count == 3 * pages.count)
    for inspection in inspections {
      #expect(inspection.pictures == 5, "\(inspection.name)")
      #expect(inspection.found.isEmpty, "\(inspection.name)")
    }
  }

  /// A refused request, a script that was kept from running, a broken rule: the browser would say so.
  @Test(arguments: [true, false]) func theBrowserHasNothingToComplainOf(isDark: Bool) throws {
    let folder = try PageFolder()
    let html = try Self.crowded().page().html
    let path = try folder.write(html, "page.html")
    let visit = try Chromium.visit(path, width: 390, isDark: isDark)
    #expect(visit.console.isEmpty)
    let page = try ParsedPage(Array(visit.document.utf8))
    #expect(page.table("Category", "Verdict") == (try ParsedPage(html)).table("Category", "Verdict"))
    #expect(page.elements.count { $0.attributes["role"] == "img" } == 5)
  }

  /// The test above would see a page that asks for something elsewhere, or brings a script along.
  @Test(arguments: ["<img src=\"http://127.0.0.1:9/x.png\">", "<script>1</script>"])
  func theBrowserRefusesWhatThePageMayNotDo(_ markup: String) throws {
    let folder = try PageFolder()
    let html = String(decoding: try Self.single().page().html, as: UTF8.self)
      .replacing("</main>", with: markup + "</main>")
    let visit = try Chromium.visit(try folder.write(Array(html.utf8), "page.html"))
    #expect(visit.console.contains { $0.contains("Content Security Policy") }, "\(visit.console)")
  }
}
