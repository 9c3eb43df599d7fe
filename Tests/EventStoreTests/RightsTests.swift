import EngagementEvents
import EventStore
import Postgres
import TestSupport
import Testing

/// Every right that matters, tried in every role: a statement, and the roles that may. To all others it is refused.
@Suite(.store) struct RightsTests {
  enum Role: String, CaseIterable {
    case runtime = "pushlift_runtime"
    case writer = "pushlift_writer"
    case aggregator = "pushlift_aggregator"
    case analyst = "pushlift_analyst"
    case reader = "pushlift_reader"
    case replies = "pushlift_replies"
    case dashboard = "pushlift_dashboard"
    /// Any other login of the server.
    case stranger = ""

    /// What a refusal is: who may not even look into the schema finds no names there.
    var refusals: Set<String> {
      switch self {
      case .dashboard, .stranger: ["42501", "42P01", "42883"]
      default: ["42501"]
      }
    }
  }

  struct Attempt {
    let statement: String
    let permitted: Set<Role>

    init(_ statement: String, _ permitted: Role...) {
      self.statement = statement
      self.permitted = Set(permitted)
    }
  }

  static let week = "event_2026w45"

  /// A store with events in a weekly partition and in the default one, a reply, a letter and a key.
  private func makeStore() throws -> EventStore {
    let store = try EventStore.prepared()
    var farOff = EventSample.expanded(1)
    farOff.occurredAt = farOff.occurredAt.advanced(bySeconds: -3_000 * 86_400)
    let app = try store.app()
    try store.append([farOff, .delivered(2), .action("answer", 3, reply: "marked")], to: app.id)
    _ = try ApiKey.create(app: app.id, scope: .write, on: store.connect(.administering))
    return store
  }

  /// Lends a session of a login that is a member of the role alone, and of nothing where there is none.
  private func withSession(
    of role: Role, _ store: EventStore, _ body: (borrowing Connection) throws -> Void
  ) throws {
    let superuser = try store.connectAsSuperuser()
    let login = "login_\(UInt64.random(in: 0...(.max)))"
    try superuser.execute("create role \(identifier: login) login")
    defer { _ = try? superuser.execute("drop role \(identifier: login)") }
    var database = store.database.with(user: login).with(setting: "search_path", "pushlift")
      .with(setting: "pushlift.app", "1")
    if role != .stranger {
      try superuser.execute("grant \(identifier: role.rawValue) to \(identifier: login)")
      database = database.with(role: role.rawValue)
    }
    try body(Connection(database))
  }

  @Test func everyRoleDoesWhatItMayAndNothingElse() throws {
    let store = try makeStore()
    for role in Role.allCases {
      try withSession(of: role, store) { connection in
        for attempt in Self.attempts {
          try connection.script("begin")
          let refusal = Result { try connection.script(attempt.statement) }
          try connection.script("rollback")
          switch refusal {
          case .success:
            #expect(attempt.permitted.contains(role), "\(role) did: \(attempt.statement)")
          case .failure(let error):
            #expect(!attempt.permitted.contains(role), "\(role): \(attempt.statement): \(error)")
            let state = (error as? PostgresError)?.sqlState ?? ""
            #expect(role.refusals.contains(state), "\(role): \(attempt.statement): \(error)")
          }
        }
      }
    }
  }

  /// The rights of a login reach no further than its role's where it leaves that.
  @Test func aLoginIsNoMoreThanItsRole() throws {
    let store = try makeStore()
    for role in Role.allCases where role != .stranger {
      try withSession(of: role, store) { connection in
        try connection.script("reset role")
        for statement in ["delete from pushlift.event", "select text from pushlift.reply"]
        where role != .replies || !statement.contains("reply") {
          let error = #expect(throws: PostgresError.self, "\(role): \(statement)") {
            try connection.execute(SQL(unsafeRaw: statement))
          }
          #expect(error?.sqlState == "42501", "\(role): \(statement)")
        }
      }
    }
  }

  @Test func whoReadsRepliesReadsThem() throws {
    let store = try makeStore()
    var texts: [String] = []
    func read(_ purpose: EventStore.Purpose) throws {
      try StoredEvent.forEach(
        of: store.app().id, in: 1...10, withReplies: true, on: store.connect(purpose)
      ) { event in if let text = event.replyText { texts.append(text) } }
    }
    try read(.readingReplies)
    #expect(texts == ["marked"])
    for purpose in [EventStore.Purpose.asking, .administering, .writing] {
      #expect(throws: PostgresError.self) { try read(purpose) }
    }
  }
}
