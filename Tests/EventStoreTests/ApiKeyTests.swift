import EventStore
import Postgres
import TestSupport
import Testing

@Suite(.store)
struct ApiKeyTests {
  @Test func aKeyIsFoundByWhatWasShown() throws {
    let store = try EventStore.prepared()
    let app = try store.app().id
    let connection = try store.connect(.administering)
    let keys = try KeyScope.allCases.map { scope in
      (scope, try ApiKey.create(app: app, scope: scope, label: "for \(scope)", on: connection))
    }
    let all = try ApiKey.allValid(on: connection)
    #expect(all.count == keys.count)
    for (scope, shown) in keys {
      let found = all.filter { $0.matches(shown) }
      #expect(found.map(\.scope) == [scope])
      #expect(found.first?.app == app)
      #expect(found.first?.label == "for \(scope)")
      #expect(found.first?.id == ApiKey.id(of: shown))
    }
  }

  @Test func whatIsNotTheKeyDoesNotMatch() throws {
    let store = try EventStore.prepared()
    let connection = try store.connect(.administering)
    let shown = try ApiKey.create(app: store.app().id, scope: .write, on: connection)
    let key = try #require(try ApiKey.allValid(on: connection).first)
    let another = try ApiKey.create(app: store.app().id, scope: .write, on: connection)
    let parts = shown.split(separator: "_").map(String.init)
    let wrongSecret = parts[0] + "_" + parts[1] + "_" + String(parts[2].reversed())
    let swapped = parts[0] + "_" + parts[1] + "_" + another.split(separator: "_")[2]
    for wrong in [
      wrongSecret, swapped, another, shown + "0", String(shown.dropLast()), shown.uppercased(), " " + shown,
      shown + "\n", "\(parts[1])_\(parts[2])", "pushlift_\(parts[1])", "pushlift__\(parts[2])",
      "pushlift_\(parts[1])_\(parts[2])_", "", "pushlift", "__", "Bearer " + shown,
    ] where wrong != shown {
      #expect(!key.matches(wrong), "\(wrong)")
    }
    #expect(key.matches(shown))
  }

  @Test(arguments: ["", "pushlift", "pushlift_abc_def", "other_0123456789ab_x", "pushlift_0123456789ab"])
  func whatHasNotTheFormOfAKeyHasNoID(_ text: String) {
    #expect(ApiKey.id(of: text) == nil)
  }

  @Test func aRevokedKeyIsNotListed() throws {
    let store = try EventStore.prepared()
    let connection = try store.connect(.administering)
    let revoked = try ApiKey.create(app: store.app().id, scope: .write, on: connection)
    let kept = try ApiKey.create(app: store.app().id, scope: .read, on: connection)
    let id = try #require(ApiKey.id(of: revoked))
    try connection.execute("update api_key set revoked_at = now() where key_id = \(id)")
    #expect(try ApiKey.allValid(on: connection).map(\.id) == [ApiKey.id(of: kept)])
  }

  @Test func theKeyItselfIsNotKept() throws {
    let store = try EventStore.prepared()
    let connection = try store.connect(.administering)
    let shown = try ApiKey.create(app: store.app().id, scope: .admin, on: connection)
    let row = try connection.value(of: "select api_key::text from api_key", as: String.self)
    let secret = try #require(shown.split(separator: "_").last)
    #expect(!row.contains(secret))
    let hex = String(secret.utf8.map { String($0, radix: 16) }.joined())
    #expect(!row.contains(hex))
    #expect(row.contains(try #require(ApiKey.id(of: shown))))
  }

  /// Who makes a key asks whether anybody has to get to know it; the role that makes keys may not look into other sessions.
  @Test func whoAppendsIsSeenByWhoMakesKeys() throws {
    let store = try EventStore.prepared()
    let connection = try store.connect(.administering)
    #expect(try !EventStore.isWritten(on: connection))
    do {
      let writer = try store.connect(.writing)
      #expect(try EventStore.isWritten(on: connection))
      _ = consume writer
    }
    try poll(upTo: .seconds(20), "the session has ended") { try !EventStore.isWritten(on: connection) }
  }
}
