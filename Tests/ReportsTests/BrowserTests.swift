import Foundation
import Reports
import TestSupport
import Testing

@testable import Projections

/// The page in a real browser.
struct BrowserTests {
  /// A folder that goes with the test.
  private final class Folder: Sendable {
    let path = NSTemporaryDirectory() + "pushlift-page-\(UInt32.random(in: 0...(.max)))"

    init() throws { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true) }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func write(_ bytes: [UInt8], _ name: String) throws -> String {
      try Data(bytes).write(to: URL(fileURLWithPath: "\(path)/\(name)"))
      return "\(path)/\(name)"
    }
  }

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

  /// Looks at pages in frames of a phone's and a screen's width, and reports what runs into each other.
  private static let inspector = """
    <!doctype html><body><pre id="found">nothing looked at</pre>
    <script>
    const looked = [], frames = PAGES.flatMap((name) => [375, 390, 1280].map((width) => {
      const frame = document.createElement("iframe");
      Object.assign(frame, {src: name, width, height: 9000});
      document.body.append(frame);
      return frame;
    }));
    // What is to be seen of a label: those in a picture within the picture are cut off at its edge.
    const seen = (text, frame) => {
      const {left, right, top, bottom} = text.getBoundingClientRect(), holder = text.parentElement;
      const shown = {left, right, top, bottom, text: text.textContent};
      if (holder.getAttribute("role") === "img") return shown;
      const edge = frame.left + holder.x.baseVal.value + holder.width.baseVal.value;
      return {...shown, left: Math.max(left, frame.left), right: Math.min(right, edge)};
    };
    const inspect = (frame) => {
      const page = frame.contentDocument, found = [], pictures = page.querySelectorAll("svg[role=img]");
      for (const picture of pictures) {
        const box = picture.getBoundingClientRect();
        const labels = [...picture.querySelectorAll("text")].map((text) => seen(text, box));
        labels.forEach((one, place) => {
          if (one.left < box.left - 1 || one.right > box.right + 1 || one.bottom > box.bottom + 1)
            found.push("outside: " + one.text);
          for (const other of labels.slice(place + 1))
            if (one.left < other.right - 1 && other.left < one.right - 1
              && one.top < other.bottom - 3 && other.top < one.bottom - 3)
              found.push("overlap: " + one.text + " / " + other.text);
        });
      }
      if (page.documentElement.scrollWidth > frame.width) found.push("wider than the screen");
      looked.push({name: frame.src.split("/").pop() + " " + frame.width, pictures: pictures.length, found});
    };
    onload = () => {
      frames.forEach(inspect);
      document.querySelector("#found").textContent = JSON.stringify(looked);
    };
    </script>
    """

  private struct Inspection: Decodable {
    let name: String
    let pictures: Int
    let found: [String]
  }

  @Test func noLabelRunsIntoAnother() throws {
    let folder = try Folder()
    let pages = [
      "crowded.html": try Self.crowded().page(days: 60), "single.html": try Self.single().page(days: 1),
      "long.html": try Self.single().page(days: 400), "typical.html": try SampleReport.typical().page(),
    ]
    for (name, page) in pages { _ = try folder.write(page.html, name) }
    let names = "[" + pages.keys.sorted().map { "\"\($0)\"" }.joined(separator: ", ") + "]"
    let inspector = Self.inspector.replacing("PAGES", with: names)
    let visit = try Chromium.visit(try folder.write(Array(inspector.utf8), "inspector.html"), seesFiles: true)
    let text = try #require(visit.document.firstMatch(of: /<pre id="found">(.*)<\/pre>/)?.1)
    let json = text.replacing("&lt;", with: "<").replacing("&gt;", with: ">").replacing("&amp;", with: "&")
    let inspections = try JSONDecoder().decode([Inspection].self, from: Data(json.utf8))
    #expect(inspections.count == 3 * pages.count)
    for inspection in inspections {
      #expect(inspection.pictures == 5, "\(inspection.name)")
      #expect(inspection.found.isEmpty, "\(inspection.name)")
    }
  }

  /// A refused request, a script that was kept from running, a broken rule: the browser would say so.
  @Test(arguments: [true, false]) func theBrowserHasNothingToComplainOf(isDark: Bool) throws {
    let folder = try Folder()
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
    let folder = try Folder()
    let html = String(decoding: try Self.single().page().html, as: UTF8.self)
      .replacing("</main>", with: markup + "</main>")
    let visit = try Chromium.visit(try folder.write(Array(html.utf8), "page.html"))
    #expect(visit.console.contains { $0.contains("Content Security Policy") }, "\(visit.console)")
  }
}
