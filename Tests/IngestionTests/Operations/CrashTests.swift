import EventStore
import Foundation
import HTTPServer
import Postgres
import Synchronization
import TestSupport
import Testing

@testable import Ingestion

/// What an answer is worth when Postgres is killed at any moment.
@Suite struct CrashTests {
  @Test(.timeLimit(.minutes(3))) func whatWasAnsweredOutlivesPostgres() throws {
    let cluster = try DoomedCluster()
    defer { cluster.remove() }
    let store = EventStore(
      database: try cluster.start(),
      secret: try StoreSecret(key: Array(repeating: 7, count: StoreSecret.length)))
    _ = try store.prepare()
    let key: String
    do {
      let connection = try store.connect(.administering)
      key = try ApiKey.create(
        app: try App.findOrCreate("shop", on: connection).id, scope: .write, on: connection)
    }
    let server = try IngestionServer(store, configuration: HTTPServerConfiguration())
    let client = HTTPClient(port: try server.start())
    let isOver = Atomic(false)
    let posters = (0..<4).map { poster in
      BackgroundWork { try Self.post(poster, client, key) { isOver.load(ordering: .relaxed) } }
    }
    for _ in 0..<20 {
      usleep(UInt32.random(in: 20_000...400_000))
      try cluster.kill()
      _ = try cluster.start()
    }
    isOver.store(true, ordering: .relaxed)
    let answered = try posters.map { try $0.value() }.reduce(0, +)
    #expect(server.stop(gracePeriod: .seconds(5)))
    let connection = try store.connect(.asking)
    #expect(answered > 100)
    // Every batch is sent again until it is answered, so what is stored is what was answered, each once.
    #expect(try connection.value(of: "select count(*) from event") == answered)
    #expect(try connection.value(of: "select count(distinct event_id) from event") == answered)
  }

  /// Posts batches one after the other, each until it is answered.
  ///
  /// - Returns: the events answered.
  private static func post(
    _ poster: Int, _ client: HTTPClient, _ key: String, until isOver: () -> Bool
  ) throws -> Int {
    let headers = ["Authorization": "Bearer \(key)", "Content-Type": "application/json"]
    var count = 0
    while !isOver() {
      let events = (0..<5).map { Event(poster * 1_000_000 + count + $0).json }
      let body = Array("[\(events.joined(separator: ","))]".utf8)
      while true {
        let answer = try client.post("/v1/events", headers, body: body)
        if answer.status == 200 { break }
        guard answer.status == 503, answer["Retry-After"] != nil else {
          throw UnexpectedAnswer(text: "\(answer.status) \(answer.text)")
        }
        usleep(20_000)
      }
      count += events.count
    }
    return count
  }

  private struct UnexpectedAnswer: Error { let text: String }
}

/// A Postgres that is there to be killed.
private struct DoomedCluster {
  private let directory = "\(TestCluster.parent)/pushlift-doomed-\(getpid())"

  init() throws { remove() }

  func start() throws -> ConnectionConfiguration {
    // What a killed process has written is with the system already; only a power failure would need more.
    try PrivateCluster(
      directory: directory, settings: ["fsync": "off"], environment: ProcessInfo.processInfo.environment
    ).start()
  }

  /// Kills the postmaster; its children end as they notice.
  func kill() throws {
    let file = try String(contentsOfFile: directory + "/postgres/postmaster.pid", encoding: .utf8)
    guard let process = file.split(separator: "\n").first.flatMap({ pid_t($0) }) else { return }
    Foundation.kill(process, SIGKILL)
  }

  func remove() {
    try? PrivateCluster(directory: directory).stopIfUnused()
    try? FileManager.default.removeItem(atPath: directory)
  }
}
