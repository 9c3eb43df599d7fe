internal import Foundation
internal import Testing

/// A folder for pages, which goes when it is let go of.
package final class PageFolder: Sendable {
  package let path = NSTemporaryDirectory() + "pushlift-page-\(UInt32.random(in: 0...(.max)))"

  package init() throws {
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// - Returns: the file's path.
  package func write(_ bytes: [UInt8], _ name: String) throws -> String {
    try Data(bytes).write(to: URL(fileURLWithPath: "\(path)/\(name)"))
    return "\(path)/\(name)"
  }
}

/// What a browser found on a page in frames of a phone's and a screen's width.
package struct PageInspection: Decodable, Sendable {
  /// The file and the width.
  package let name: String
  package let pictures: Int
  /// Labels that run into each other or out of their picture, and pages wider than the screen.
  package let found: [String]

  /// Looks at pages, by their file's name, at 375, 390 and 1,280 pixels.
  package static func run(_ pages: [String: [UInt8]], in folder: PageFolder) throws -> [PageInspection] {
    for (name, page) in pages { _ = try folder.write(page, name) }
    let names = "[" + pages.keys.sorted().map { "\"\($0)\"" }.joined(separator: ", ") + "]"
    let inspector = Self.inspector.replacing("PAGES", with: names)
    let visit = try Chromium.visit(try folder.write(Array(inspector.utf8), "inspector.html"), seesFiles: true)
    let text = try #require(visit.document.firstMatch(of: /<pre id="found">(.*)<\/pre>/)?.1)
    let json = text.replacing("&lt;", with: "<").replacing("&gt;", with: ">").replacing("&amp;", with: "&")
    return try JSONDecoder().decode([PageInspection].self, from: Data(json.utf8))
  }

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
}
