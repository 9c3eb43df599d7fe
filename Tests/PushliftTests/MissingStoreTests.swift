import Foundation
import TestSupport
import Testing

/// A store that is not there is not an empty one.
@Suite(.database) struct MissingStoreTests {
  private static let readers = [
    ["key", "list"], ["key", "revoke", "0"], ["rates"], ["aggregate"], ["nightly", "--output", "x"],
    ["export"],
    ["deadletters", "list"], ["deadletters", "replay", "--all"], ["power", "--app", "x", "--uplift", "20%"],
    ["import", "events.ndjson", "--app", "x"],
  ]

  @Test func aMistypedFolderIsAnErrorAndIsNotMade() throws {
    let sandbox = try Sandbox()
    try Data().write(to: URL(fileURLWithPath: sandbox.folder + "/events.ndjson"))
    for reader in Self.readers {
      let output = try sandbox.start(reader).output(within: .seconds(30))
      #expect(output.status == 1, "\(reader)")
      #expect(output.err.contains("There is no store in \(sandbox.data)."), "\(output.err)")
      #expect(output.err.contains("--data"))
      #expect(!FileManager.default.fileExists(atPath: sandbox.data))
    }
  }

  @Test func aDatabaseWithoutAStoreIsLeftAlone() throws {
    let sandbox = try Sandbox(database: try TestDatabase.current)
    let output = try sandbox.run("rates")
    #expect(output.status == 1)
    #expect(output.err.contains("There is no store in the database"))
    #expect(try sandbox.succeed("migrate").contains("V001"))
    // No secret may be made up for a store that has one.
    let stranger = try sandbox.run("rates", environment: ["PUSHLIFT_SECRET": ""])
    #expect(stranger.status == 1)
    #expect(stranger.err.contains("There is no device secret in \(sandbox.data)."))
    #expect(!FileManager.default.fileExists(atPath: sandbox.data))
    for maker in [["serve", "--port", "0"], ["migrate"], ["key", "create", "--app", "shop"]] {
      let output = try sandbox.start(maker, ["PUSHLIFT_SECRET": ""]).output(within: .seconds(30))
      #expect(output.status == 1)
      #expect(output.err.contains("There is no device secret in \(sandbox.data)."), "\(output.err)")
      #expect(!FileManager.default.fileExists(atPath: sandbox.data))
    }
  }

  @Test func aSecretIsMadeOnceTheStoreIsThereAndNotBefore() throws {
    let sandbox = try Sandbox(database: try TestDatabase.current)
    let away = try sandbox.run(
      "migrate",
      environment: ["PUSHLIFT_SECRET": "", "PUSHLIFT_DATABASE": "postgres://nobody@127.0.0.1:1/none"])
    #expect(away.status == 1 && away.err.contains("cannot be reached"), "\(away.err)")
    #expect(!FileManager.default.fileExists(atPath: sandbox.data))
    let made = try sandbox.run("migrate", environment: ["PUSHLIFT_SECRET": ""])
    #expect(made.status == 0 && made.out.hasPrefix("applied V001"), "\(made.out)\(made.err)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: sandbox.data) == ["device-secret"])
    #expect(try sandbox.run("migrate", environment: ["PUSHLIFT_SECRET": ""]).status == 0)
  }
}
