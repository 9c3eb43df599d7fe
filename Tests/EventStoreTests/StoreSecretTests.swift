import EngagementEvents
import Foundation
import Postgres
import TestSupport
import Testing

@testable import EventStore

@Suite(.store)
struct StoreSecretTests {
  private func withFolder(_ body: (String) throws -> Void) throws {
    let folder = NSTemporaryDirectory() + "/pushlift-secret-\(UInt64.random(in: 0...(.max)))"
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try body(folder + "/data")
  }

  @Test func aDeviceHasOneKeyInAnAppAndAnotherInAnother() throws {
    let device = try DeviceID("d1")
    let key = StoreSecret.test.deviceKey(app: AppID(1), device: device)
    #expect(StoreSecret.test.deviceKey(app: AppID(1), device: device) == key)
    #expect(StoreSecret.test.deviceKey(app: AppID(2), device: device) != key)
    #expect(try StoreSecret.test.deviceKey(app: AppID(1), device: DeviceID("D1")) != key)
    let other = try StoreSecret(key: [UInt8](repeating: 8, count: 32))
    #expect(other.deviceKey(app: AppID(1), device: device) != key)
    #expect(other.check != StoreSecret.test.check)
  }

  @Test func aUnitIsAPairOfNotificationAndDevice() throws {
    let secret = StoreSecret.test
    let device = secret.deviceKey(app: AppID(1), device: try DeviceID("d1"))
    let another = secret.deviceKey(app: AppID(1), device: try DeviceID("d2"))
    let upper = try NotificationID("7C42CA9B-9EAB-4D04-80B3-40F10B0C54AA")
    let lower = try NotificationID("7c42ca9b-9eab-4d04-80b3-40f10b0c54aa")
    let unit = secret.unitID(app: AppID(1), notification: upper, device: device)
    #expect(secret.unitID(app: AppID(1), notification: lower, device: device) == unit)
    #expect(secret.unitID(app: AppID(1), notification: lower, device: another) != unit)
    #expect(secret.unitID(app: AppID(2), notification: lower, device: device) != unit)
  }

  @Test func aSecretHas32Bytes() {
    for count in [0, 16, 31, 33] {
      #expect(throws: StoreError.self) { try StoreSecret(key: [UInt8](repeating: 1, count: count)) }
    }
    #expect(StoreSecret.makeRandom().count == 32)
    #expect(StoreSecret.makeRandom() != StoreSecret.makeRandom())
  }

  @Test func theFileIsMadeForItsOwnerAloneAndKept() throws {
    try withFolder { folder in
      let first = try StoreSecret.load(from: folder, [:])
      let path = folder + "/device-secret"
      let attributes = try FileManager.default.attributesOfItem(atPath: path)
      #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
      let text = try String(contentsOfFile: path, encoding: .utf8)
      #expect(text.count == 65)
      let second = try StoreSecret.load(from: folder, [:])
      #expect(second.check == first.check)
      #expect(try String(contentsOfFile: path, encoding: .utf8) == text)
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["device-secret"])
    }
  }

  @Test func twoFoldersHaveTwoSecrets() throws {
    try withFolder { one in
      try withFolder { two in
        let (first, second) = try (StoreSecret.load(from: one, [:]), StoreSecret.load(from: two, [:]))
        #expect(first.check != second.check)
      }
    }
  }

  @Test(arguments: ["", "\n", "abc", String(repeating: "z", count: 64), String(repeating: "a", count: 62)])
  func aDamagedFileIsNamedAndLeftAlone(_ content: String) throws {
    try withFolder { folder in
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      let path = folder + "/device-secret"
      try content.write(toFile: path, atomically: false, encoding: .utf8)
      let error = #expect(throws: StoreError.self) { try StoreSecret.load(from: folder, [:]) }
      #expect(error?.code == .secret)
      #expect(error?.message.contains(path) == true)
      #expect(error?.remedy?.contains("backup") == true)
      #expect(try String(contentsOfFile: path, encoding: .utf8) == content)
    }
  }

  @Test func theEnvironmentGoesBeforeTheFile() throws {
    try withFolder { folder in
      let digits = String(repeating: "07", count: 32)
      let secret = try StoreSecret.load(from: folder, ["PUSHLIFT_SECRET": digits])
      #expect(secret.check == StoreSecret.test.check)
      #expect(!FileManager.default.fileExists(atPath: folder))
      for wrong in ["07", digits + "07", "secret"] {
        #expect(throws: StoreError.self) { try StoreSecret.load(from: folder, ["PUSHLIFT_SECRET": wrong]) }
      }
    }
  }

  @Test func aFilledStoreRefusesAnotherSecret() throws {
    let store = try EventStore.prepared()
    #expect(try store.prepare() == [])
    let other = EventStore(
      database: store.database, secret: try StoreSecret(key: [UInt8](repeating: 8, count: 32)))
    let error = #expect(throws: StoreError.self) { try other.prepare() }
    #expect(error?.code == .secret)
    #expect(try store.prepare() == [])
  }
}
