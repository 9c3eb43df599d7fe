internal import EngagementEvents
internal import EventStore
internal import Postgres
internal import Synchronization

/// The registries of a store's apps as they were last read, for each request to look up.
final class CategoryShelf: Sendable {
  private struct State {
    var imports: [AppID: PostgresTimestamp] = [:]
    var indexes: [AppID: CategoryIndex] = [:]
  }

  private let state = Mutex(State())

  /// The registry of an app; nil where it has none.
  subscript(app: AppID) -> CategoryIndex? { state.withLock { $0.indexes[app] } }

  /// Reads the registries that were imported since.
  func refresh(on connection: borrowing Connection) throws {
    let imports = try CategoryRegistry.imports(on: connection)
    let known = state.withLock { $0.imports }
    for (app, time) in imports where known[app] != time {
      let index = try Self.read(app, on: connection)
      state.withLock { state in
        state.imports[app] = time
        state.indexes[app] = index
      }
    }
  }

  private static func read(_ app: AppID, on connection: borrowing Connection) throws -> CategoryIndex? {
    do {
      return try CategoryRegistry.current(of: app, on: connection).map(CategoryIndex.init)
    } catch let error as StoreError where error.code == .schema {
      // A newer program wrote what this one does not know: events come first, and are stored without warnings.
      return nil
    }
  }
}
