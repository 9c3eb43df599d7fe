internal import Foundation
internal import Testing

/// A browser without a window, for pages that have to hold in a real one.
package enum Chromium {
  /// What it made of a page.
  package struct Visit: Sendable {
    /// The document after it was loaded, as markup.
    package let document: String
    /// What the page and the browser complained of, a line each: errors of scripts, refused requests and the like.
    package let console: [String]
  }

  /// Loads a file and waits until it is there.
  ///
  /// - Parameters:
  ///   - isDark: what the reader prefers.
  ///   - seesFiles: lets a page look into others in files, which no page could elsewhere.
  package static func visit(
    _ path: String, width: Int = 1_280, height: Int = 2_000, isDark: Bool = false, seesFiles: Bool = false
  ) throws -> Visit {
    try visit(
      url: "file://\(path)", in: URL(fileURLWithPath: path).deletingLastPathComponent().path, width: width,
      height: height, isDark: isDark, seesFiles: seesFiles)
  }

  /// Loads a page from a server and waits until it is there.
  ///
  /// - Parameter folder: where the browser may keep what it needs; of the test's own.
  package static func visit(
    url: String, in folder: String, width: Int = 1_280, height: Int = 2_000, isDark: Bool = false,
    seesFiles: Bool = false
  ) throws -> Visit {
    var options = ["--window-size=\(width),\(height)", "--dump-dom"] + preference(isDark)
    if seesFiles { options += ["--allow-file-access-from-files", "--disable-web-security"] }
    let (document, console) = try run(url, in: folder, options)
    return Visit(document: document, console: console)
  }

  /// Prints a page, as PDF.
  ///
  /// - Parameter folder: as for a visit.
  /// - Returns: how many sheets it takes, and what the browser complained of.
  package static func print(
    url: String, in folder: String, isDark: Bool = false
  ) throws -> (sheets: Int, console: [String]) {
    let path = "\(folder)/printed.pdf"
    let (_, console) = try run(
      url, in: folder, ["--no-pdf-header-footer", "--print-to-pdf=\(path)"] + preference(isDark))
    let text = String(decoding: try Data(contentsOf: URL(fileURLWithPath: path)), as: UTF8.self)
    return (text.matches(of: /\/Type \/Page\b/).count, console)
  }

  private static func preference(_ isDark: Bool) -> [String] {
    isDark ? ["--blink-settings=preferredColorScheme=0"] : []
  }

  private static func run(
    _ url: String, in folder: String, _ options: [String]
  ) throws -> (output: String, console: [String]) {
    let usual = [
      "--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking",
      "--disable-extensions", "--user-data-dir=\(folder)/browser", "--enable-logging=stderr",
    ]
    var environment = ["HOME": folder]
    environment["PATH"] = ProcessInfo.processInfo.environment["PATH"]
    let child = try Child(in: folder, "chromium", usual + options + [url], environment)
    let output = try child.output(within: .seconds(60))
    return (
      output.out, output.err.split(separator: "\n").map(String.init).filter { $0.contains("CONSOLE") }
    )
  }
}
