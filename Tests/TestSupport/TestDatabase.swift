package import Postgres
package import Testing

/// Gives each test a fresh, empty database of its own, dropped afterwards.
///
/// ```swift
/// @Suite(.database) struct StoreTests {
///   @Test func anEmptyStoreHasNoEvents() throws {
///     let connection = try Connection(TestDatabase.current)
/// ```
package struct TestDatabase: SuiteTrait, TestTrait, TestScoping {
  @TaskLocal private static var configuration: ConnectionConfiguration?

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
    try Connection(server).execute("create database \(identifier: name) template template0")
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
}

extension Trait where Self == TestDatabase {
  /// A fresh, empty database for each test: `TestDatabase.current`.
  package static var database: TestDatabase { TestDatabase() }
}
