import EngagementEvents
import Postgres
import TestSupport
import Testing

@testable import EventStore

@Suite(.store) struct CategoryRegistryStoreTests {
  private func registry(_ names: String..., title: String? = nil) throws -> CategoryRegistry {
    try CategoryRegistry(
      defaultLocale: "en",
      names.map { name in
        var category = try RegisteredCategory(
          Category(name),
          actions: [
            RegisteredAction(ActionID("reply"), title: .byLocale(["en": "Reply", "de": "Antworten"]))
          ])
        category.title = title.map(LocalizedText.same)
        category.options = [.customDismissAction]
        category.hasContentExtension = true
        category.replyText = .length
        return category
      })
  }

  @Test func anImportTakesThePlaceOfTheFormerOneAndIsWrittenOnce() throws {
    let store = try EventStore.prepared()
    let app = try store.app().id
    let connection = try store.connect(.administering)
    #expect(try CategoryRegistry.current(of: app, on: connection) == nil)
    let first = try registry("a", "b")
    #expect(try first.import(into: app, isDry: true, on: connection).added == ["a", "b"])
    #expect(try CategoryRegistry.current(of: app, on: connection) == nil)
    #expect(try first.import(into: app, on: connection).added == ["a", "b"])
    #expect(try CategoryRegistry.current(of: app, on: connection) == first)
    #expect(try first.import(into: app, on: connection).isEmpty)
    let second = try registry("b", "c", title: "T")
    let difference = try second.import(into: app, on: connection)
    #expect(difference.added == ["c"] && difference.removed == ["a"])
    #expect(difference.changed.map(\.parts) == [["title"]])
    #expect(try CategoryRegistry.current(of: app, on: connection) == second)
    #expect(try connection.value(of: "select count(*) from category_registry", as: Int.self) == 2)
    #expect(try CategoryRegistry.current(of: store.app("another").id, on: connection) == nil)
  }

  @Test func anEmptyFileTakesTheRegistryBack() throws {
    let store = try EventStore.prepared()
    let app = try store.app().id
    let connection = try store.connect(.administering)
    _ = try registry("a").import(into: app, on: connection)
    #expect(try CategoryRegistry([]).import(into: app, on: connection).removed == ["a"])
    #expect(try CategoryRegistry.current(of: app, on: connection) == nil)
    #expect(try CategoryRegistry([]).import(into: app, on: connection).isEmpty)
    #expect(try registry("a").import(into: app, on: connection).added == ["a"])
  }

  @Test func anEarlierPositionHasTheRegistryOfItsTime() throws {
    let store = try EventStore.prepared()
    let app = try store.app().id
    let connection = try store.connect(.administering)
    func aggregated(_ position: Int64) throws {
      try connection.execute("update projection_checkpoint set position = \(position)")
    }
    try aggregated(10)
    _ = try registry("a").import(into: app, on: connection)
    try aggregated(20)
    _ = try registry("b").import(into: app, on: connection)
    func names(_ position: Int64?) throws -> [String]? {
      try CategoryRegistry.current(of: app, asOf: position, on: connection)?.categories.map(\.category.text)
    }
    #expect(try names(9) == nil)
    #expect(try names(10) == ["a"])
    #expect(try names(19) == ["a"])
    #expect(try names(20) == ["b"])
    #expect(try names(nil) == ["b"])
  }
}
