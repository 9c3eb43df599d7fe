internal import EventStore
internal import Foundation
internal import Postgres

/// A store in a fresh private Postgres, durable as in production, gone with the measurement.
struct BenchStore {
  let store: EventStore
  let app: AppID
  let key: String
  let folder: String

  var database: ConnectionConfiguration { store.database }

  static func withFresh(_ body: (BenchStore) throws -> Void) throws {
    let folder = "/tmp/pushlift-bench-\(ProcessInfo.processInfo.processIdentifier)"
    let opened = try OpenedStore.open(
      StoreLocation(dataFolder: folder, environment: ProcessInfo.processInfo.environment))
    defer {
      try? opened.close()
      try? FileManager.default.removeItem(atPath: folder)
    }
    _ = try opened.store.prepare()
    let connection = try opened.store.connect(.administering)
    let app = try App.findOrCreate("bench", on: connection)
    let key = try ApiKey.create(app: app.id, scope: .write, on: connection)
    try body(BenchStore(store: opened.store, app: app.id, key: key, folder: folder))
  }

  /// The product's own server, from the same build as this one.
  ///
  /// - Parameter log: the file for its log; nil for none.
  func serve(port: UInt16, aggregates: Bool = false, log: String? = nil) throws -> ChildServer {
    try ChildServer(
      Self.binary(),
      ["serve", "--data", folder, "--port", "\(port)"] + (aggregates ? [] : ["--no-aggregation"]),
      port: port, log: log)
  }

  static func binary() throws -> String {
    let binary = Bundle.main.bundlePath + "/pushlift"
    guard FileManager.default.isExecutableFile(atPath: binary) else {
      throw BenchError("\(binary) is missing: run swift build -c release first")
    }
    return binary
  }
}
