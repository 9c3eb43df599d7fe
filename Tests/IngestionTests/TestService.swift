import EventStore
import HTTPServer
import Postgres
import TestSupport

@testable import Ingestion

/// The HTTP face of a store in the running test's database, with an app `shop` and a key that may write.
///
/// It stops when it is let go of.
final class TestService: Sendable {
  let store: EventStore
  let client: HTTPClient
  let app: App
  let key: String
  private let server: IngestionServer

  init(
    configuration: HTTPServerConfiguration = HTTPServerConfiguration(),
    options: ServiceOptions = ServiceOptions()
  ) throws {
    store = EventStore(
      database: try TestDatabase.current,
      secret: try StoreSecret(key: Array(repeating: 7, count: StoreSecret.length)))
    _ = try store.prepare()
    let connection = try store.connect(.administering)
    app = try App.findOrCreate("shop", on: connection)
    key = try ApiKey.create(app: app.id, scope: .write, on: connection)
    server = try IngestionServer(store, configuration: configuration, options: options)
    client = HTTPClient(port: try server.start())
  }

  /// - Returns: whether everything that was taken has ended.
  @discardableResult func stop(gracePeriod: Duration) -> Bool { server.stop(gracePeriod: gracePeriod) }

  deinit { server.stop(gracePeriod: .seconds(5)) }

  /// Posts a body with the key that may write, unless another is given.
  func post(_ body: [UInt8], key: String? = nil, _ headers: [String: String] = [:]) throws -> HTTPAnswer {
    var all = ["Authorization": "Bearer \(key ?? self.key)", "Content-Type": "application/json"]
    all.merge(headers) { _, given in given }
    return try client.post("/v1/events", all, body: body)
  }

  func post(_ body: String, key: String? = nil, _ headers: [String: String] = [:]) throws -> HTTPAnswer {
    try post(Array(body.utf8), key: key, headers)
  }

  /// Posts events as a bare array.
  func post(_ events: [String], key: String? = nil) throws -> HTTPAnswer {
    try post("[" + events.joined(separator: ",") + "]", key: key)
  }

  /// A key of an app of this name.
  func makeKey(app name: String = "shop", scope: KeyScope = .write) throws -> String {
    let connection = try store.connect(.administering)
    return try ApiKey.create(
      app: try App.findOrCreate(name, on: connection).id, scope: scope, on: connection)
  }

  /// The one value that a query gives, asked over a connection of its own.
  func value<Value: PostgresDecodable>(of query: SQL, as type: Value.Type = Value.self) throws -> Value {
    try store.connect(.administering).value(of: query, as: type)
  }

  /// The stored events' ids, in their order.
  func storedIDs() throws -> [String] {
    try store.connect(.asking).query("select event_id::text from event order by event_id").map { row in
      try row.value(0, as: String.self)
    }
  }

  func eventCount() throws -> Int { try value(of: "select count(*) from event") }

  func letterCount() throws -> Int { try value(of: "select count(*) from dead_letter") }
}
