import Foundation
import Postgres
import TestSupport
import Testing

/// `verify` and `rebuild` as commands.
@Suite(.database) struct UpkeepTests {
  private func makeStore() throws -> Sandbox {
    let sandbox = try Sandbox(database: try TestDatabase.current)
    try sandbox.importSimulated(notifications: 400)
    try sandbox.succeed("aggregate")
    return sandbox
  }

  private func connect() throws -> Connection {
    try Connection(TestDatabase.current.with(setting: "search_path", "pushlift"))
  }

  @Test func verifyTellsARowThatWasTamperedWith() throws {
    let sandbox = try makeStore()
    let sound = try sandbox.succeed("verify")
    #expect(sound.contains("unit_outcome: "))
    #expect(sound.contains("all as they should be"))
    try connect().execute(
      "update daily_rate set interaction = 0 where ctid = (select max(ctid) from daily_rate where interaction > 0)"
    )
    let output = try sandbox.run("verify")
    #expect(output.status == 1)
    #expect(output.out.contains(", 1 not as they should be\n  app_id=1 day="), "\(output.out)")
    #expect(output.out.contains("interaction is 0, should be"))
    #expect(output.err.contains("pushlift rebuild"))

    #expect(try sandbox.succeed("rebuild").hasPrefix("rebuilt up to position "))
    #expect(try sandbox.run("verify").status == 0)
  }
}
