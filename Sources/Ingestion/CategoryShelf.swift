internal import EngagementEvents
internal import EventStore
internal import Postgres
internal import Synchronization

/// The registries of a store's apps as they were last read, for each request to look up.
final class CategoryShelf: Sendable {
  private struct State {
    var imports: [AppID: PostgresTimestamp] = [:]
    var indexes: [AppID: CategoryIndex] = [:]
    var replies: [AppID: ReplyKeeping] = [:]
  }

  private let state = Mutex(State())

  /// The registry of an app; nil where it has none.
  subscript(app: AppID) -> CategoryIndex? { state.withLock { $0.indexes[app] } }

  /// What an app keeps of replies.
  func replies(of app: AppID) -> ReplyKeeping { state.withLock { $0.replies[app] } ?? .everything }

  /// Reads the registries that were imported since.
  func refresh(on connection: borrowing Connection) throws {
    let imports = try CategoryRegistry.imports(on: connection)
    let known = state.withLock { $0.imports }
    for (app, time) in imports where known[app] != time {
      let (index, replies) = try Self.read(app, on: connection)
      state.withLock { state in
        state.imports[app] = time
        state.indexes[app] = index
        state.replies[app] = replies
      }
    }
  }

  private static func read(
    _ app: AppID, on connection: borrowing Connection
  ) throws -> (CategoryIndex?, ReplyKeeping) {
    do {
      let index = try CategoryRegistry.current(of: app, on: connection).map(CategoryIndex.init)
      return (index, try CategoryRegistry.replyKeeping(of: app, on: connection))
    } catch let error as StoreError where error.code == .schema {
      // A newer program wrote what this one does not know: events come first, and are stored without warnings. It may
      // forbid to keep replies, which could not be undone.
      return (nil, .nothing)
    }
  }
}
