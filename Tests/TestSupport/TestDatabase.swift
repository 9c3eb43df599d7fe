internal import EventStore
package import Postgres
package import Testing

/// Gives each test a fresh database of its own, dropped afterwards: an empty one, or one with the schema.
///
/// ```swift
/// @Suite(.store) struct StoreTests {
///   @Test func anEmptyStoreHasNoEvents() throws {
///     let connection = try Connection(TestDatabase.current)
/// ```
package struct TestDatabase: SuiteTrait, TestTrait, TestScoping {
  fileprivate enum Content: Sendable {
    case nothing, schema
  }

  @TaskLocal private static var configuration: ConnectionConfiguration?

  fileprivate let content: Content

  /// The way to the running test's database.
  ///
  /// - Throws: where the test has no `.database` trait.
  package static var current: ConnectionConfiguration {
    get throws {
      guard let configuration else {
        throw PostgresError(.usage, "no database here: give the test or its suite the trait .database")
      }
      return configuration
    }
  }

  /// On a suite the trait is passed down, so that each test gets a database and the suite itself none.
  package var isRecursive: Bool { true }

  package func scopeProvider(for test: Test, testCase: Test.Case?) -> Self? {
    testCase == nil ? nil : self
  }

  package func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable @concurrent () async throws -> Void
  ) async throws {
    let server = try TestCluster.shared
    let name = "test_\(UInt64.random(in: 0...(.max)))"
    let template = content == .schema ? try Self.migrated.get() : "template0"
    try Connection(server).execute(
      "create database \(identifier: name) template \(identifier: template)")
    let outcome: Swift.Result<Void, any Error>
    do {
      outcome = .success(
        try await Self.$configuration.withValue(server.with(database: name)) { try await function() })
    } catch {
      outcome = .failure(error)
    }
    try Connection(server).execute("drop database if exists \(identifier: name) with (force)")
    try outcome.get()
  }

  /// A database with schema and partitions that others are copied from, which takes a fraction of the time to make them.
  private static let migrated = Swift.Result {
    let server = try TestCluster.shared
    let name = "template_\(UInt64.random(in: 0...(.max)))"
    try Connection(server).execute("create database \(identifier: name) template template0")
    let store = EventStore(database: server.with(database: name), secret: .test)
    _ = try store.prepare()
    // Each store brings a secret of its own.
    try store.connectAsSuperuser().execute("delete from secret_check")
    return name
  }
}

extension Trait where Self == TestDatabase {
  /// A fresh, empty database for each test: `TestDatabase.current`.
  package static var database: TestDatabase { TestDatabase(content: .nothing) }

  /// A fresh database with schema and partitions for each test: `EventStore.prepared`.
  package static var store: TestDatabase { TestDatabase(content: .schema) }
}
