import Foundation
import Testing

@testable import EngagementSDKExamples

/// The documentation shows nothing that is not compiled.
struct DocumentationTests {
  private static let sources = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("../../Sources/EngagementSDK").standardizedFileURL

  private static func files(_ folder: String, _ suffix: String) throws -> [URL] {
    try FileManager.default.contentsOfDirectory(
      at: sources.appendingPathComponent(folder), includingPropertiesForKeys: nil
    ).filter { $0.pathExtension == suffix }.sorted { $0.path < $1.path }
  }

  @Test func everyListingIsPartOfAnExample() throws {
    let examples = try Self.files("Examples", "swift").map { try String(contentsOf: $0, encoding: .utf8) }
    #expect(examples.count == 5)
    var listings = 0
    for article in try Self.files("EngagementSDK.docc", "md") {
      let text = try String(contentsOf: article, encoding: .utf8)
      for match in text.matches(of: /```swift\n([\s\S]*?)```/) {
        listings += 1
        let listing = String(match.1)
        #expect(examples.contains { $0.contains(listing) }, "\(article.lastPathComponent): \(listing)")
      }
    }
    #expect(listings >= 5)
  }

  /// Links between the articles lead somewhere.
  @Test func everyLinkedArticleIsThere() throws {
    let articles = try Self.files("EngagementSDK.docc", "md")
    let names = Set(articles.map { $0.deletingPathExtension().lastPathComponent })
    for article in articles {
      for match in try String(contentsOf: article, encoding: .utf8).matches(of: /<doc:([A-Za-z-]+)>/) {
        #expect(names.contains(String(match.1)), "\(article.lastPathComponent): \(match.1)")
      }
    }
  }
}
