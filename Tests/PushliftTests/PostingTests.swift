import EngagementEvents
import HTTPServer
import Simulation
import Synchronization
import Testing

@testable import pushlift

/// Posting to a server that asks to come back later.
@Suite struct PostingTests {
  @Test func whoWaitsSaysSoOnceAndGivesUp() async throws {
    let requests = Mutex(0)
    let server = HTTPServer(
      configuration: HTTPServerConfiguration(),
      routes: [
        Route(
          .post, "/v1/events",
          body: .accept(limit: 10_000, contentTypes: ["application/json"], inflates: false)
        ) {
          _, responder in
          requests.withLock { $0 += 1 }
          responder.respond(
            HTTPFault(.serviceUnavailable, "store_unavailable", "Later.", headers: ["Retry-After": "0"]))
        }
      ])
    let port = try server.start()
    defer { server.stop(gracePeriod: .zero) }
    let said = Mutex<[String]>([])
    var poster = EventPoster(target: try EventPoster.target("http://127.0.0.1:\(port)"), key: "k")
    poster.patience = .seconds(1)
    poster.onWait = { line in said.withLock { $0.append(line) } }
    let plan = SimulationPlan(
      notifications: 3, devices: 2, end: Timestamp(microseconds: 1_795_996_800_000_000))
    let events = Array(try Simulation(plan: plan, seed: 1))
    let error = await #expect(throws: PostingError.self) {
      _ = try await poster.post(events) { _ in }
    }
    #expect(error?.description.contains("answered 503: Later. Given up after 1 s.") == true)
    #expect(said.withLock { $0.count } == 1)
    #expect(said.withLock { $0.first }?.contains("Trying again for up to 1 s.") == true)
    #expect(requests.withLock { $0 } > 3)
  }
}
