import EngagementEvents
import EventStore
import TestSupport
import Testing

/// Categories and actions that the app has not registered.
@Suite(.store) struct CategoryTests {
  private func register(_ registry: CategoryRegistry, in service: TestService) throws {
    _ = try registry.import(into: service.app.id, on: service.store.connect(.administering))
  }

  private func registry(_ categories: [String: [String]]) throws -> CategoryRegistry {
    try CategoryRegistry(
      categories.sorted { $0.key < $1.key }.map { name, actions in
        try RegisteredCategory(
          Category(name), actions: actions.map { try RegisteredAction(ActionID($0), title: .same($0)) })
      })
  }

  private func warnings(_ service: TestService, _ events: [Event]) throws -> [String] {
    let answer = try service.post(events.map(\.json))
    #expect(answer.status == 200)
    return (try answer.verdicts().warnings ?? []).map { "\($0.index ?? -1) \($0.field) \($0.code)" }
  }

  private static let events = [
    Event(1).with("category", #""social_post""#), Event(2).with("category", #""Social Post""#),
    Event(3).with("category", #""promo""#), Event(4),
    Event(5, "action").with("category", #""social_post""#).with("actionId", #""share""#),
    Event(6, "action").with("category", #""social_post""#),
    Event(7).with("category", #""promo""#),
    Event(8, "delivered").with("category", #""social_post""#).with("actions", #"["like", "Like"]"#),
  ]

  @Test func eventsOfUnregisteredCategoriesAreStoredWithAWarning() throws {
    let service = try TestService()
    // Nothing is registered, and nothing is told.
    #expect(try warnings(service, Self.events) == [])
    try register(registry(["social_post": ["like"]]), in: service)
    let expected = [
      "1 category near_twin_category", "2 category unknown_category", "4 actionId unknown_action",
      "7 actions[1] near_twin_action",
    ]
    // A running server hears of it within a second or two.
    try poll(upTo: .seconds(20), "the registry is known") { try warnings(service, Self.events) == expected }
    #expect(try service.eventCount() == 8)
    try register(
      registry(["social_post": ["like", "share", "Like"], "promo": [], "Social Post": []]), in: service)
    try poll(upTo: .seconds(20), "the new registry is known") { try warnings(service, Self.events) == [] }
  }

  @Test func theRegistryOfOneAppIsNoneOfAnothers() throws {
    let first = try TestService()
    let other = try first.makeKey(app: "another")
    try register(registry(["social_post": []]), in: first)
    // A server that starts later knows it at once.
    let second = try TestService()
    #expect(try warnings(second, [Event(1).with("category", #""promo""#)]) == ["0 category unknown_category"])
    let answer = try second.post([Event(2).with("category", #""promo""#).json], key: other)
    #expect(try answer.verdicts().warnings == nil)
  }
}
