import EventStore
import Postgres
import TestSupport
import Testing

@Suite(.store) struct ApiKeyRecordTests {
  private func makeStore() throws -> EventStore {
    let store = EventStore(
      database: try TestDatabase.current,
      secret: try StoreSecret(key: Array(repeating: 9, count: StoreSecret.length)))
    _ = try store.prepare()
    return store
  }

  @Test func keysAreListedByAppWithoutTheirSecrets() throws {
    let connection = try makeStore().connect(.administering)
    let shop = try App.findOrCreate("shop", on: connection).id
    let blog = try App.findOrCreate("blog", on: connection).id
    let shown = try ApiKey.create(app: shop, scope: .write, label: "phones", on: connection)
    _ = try ApiKey.create(app: blog, scope: .read, on: connection)
    let all = try ApiKeyRecord.all(on: connection)
    #expect(all.map(\.app) == ["blog", "shop"])
    #expect(all.map(\.scope) == ["read", "write"])
    #expect(all.last?.label == "phones")
    #expect(all.last?.revokedAt == nil)
    let secret = try #require(shown.split(separator: "_").last)
    #expect(!"\(all)".contains(secret))
    #expect(try ApiKeyRecord.all(app: shop, on: connection).map(\.app) == ["shop"])
  }

  @Test func aKeyIsRevokedOnceAndForGood() throws {
    let connection = try makeStore().connect(.administering)
    let shop = try App.findOrCreate("shop", on: connection).id
    let shown = try ApiKey.create(app: shop, scope: .write, on: connection)
    let id = try #require(ApiKey.id(of: shown))
    let first = try ApiKeyRecord.revoke(id, on: connection)
    #expect(first.isNew)
    #expect(try ApiKey.allValid(on: connection).isEmpty)
    // The whole key names the same one, and the time of the first revocation stays.
    let second = try ApiKeyRecord.revoke(" \(shown)\n", on: connection)
    #expect(!second.isNew)
    #expect(second.key == first.key)
  }

  @Test func anUnknownKeyIsAnErrorWithItsNeighboursAndNeverWithASecret() throws {
    let connection = try makeStore().connect(.administering)
    let shop = try App.findOrCreate("shop", on: connection).id
    let shown = try ApiKey.create(app: shop, scope: .write, on: connection)
    let id = try #require(ApiKey.id(of: shown))
    let secret = String(try #require(shown.split(separator: "_").last))
    let typo = (id.hasPrefix("0") ? "1" : "0") + id.dropFirst()
    for near in [typo, String(id.prefix(5))] {
      let error = #expect(throws: StoreError.self) { try ApiKeyRecord.revoke(near, on: connection) }
      #expect(error?.description.contains("Did you mean \(id) (shop)?") == true)
    }
    let error = #expect(throws: StoreError.self) { try ApiKeyRecord.revoke(secret, on: connection) }
    #expect(error?.description.contains(secret) == false)
    #expect(try ApiKey.allValid(on: connection).count == 1)
  }
}
