import Foundation
import Postgres
import TestSupport
import Testing

/// `verify` and `rebuild` as commands.
@Suite(.store) struct UpkeepTests {
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
    let sandbox = try Sandbox(database: try TestDatabase.current)
    try sandbox.importSimulated(notifications: 400)
    #expect(try sandbox.succeed("verify").contains(/\n[\d,]+ events are not aggregated yet\n/))
    try sandbox.succeed("aggregate")
    let sound = try sandbox.succeed("verify")
    #expect(!sound.contains("not aggregated yet"))
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

  @Test func maintainMakesPartitionsAndDropsOldEvents() throws {
    let sandbox = try makeStore()
    let plain = try sandbox.succeed("maintain")
    #expect(plain.hasPrefix("0 partitions made; the log has them up to "))
    let before = try sandbox.succeed("rates", "--format", "csv")
    #expect(
      try sandbox.succeed("maintain", "--keep-events", "400d").hasSuffix(
        "No week is older than 400 days as a whole.\n"))
    // As if they had come and been aggregated two months ago.
    let database = try connect()
    try database.execute("update event set received_at = received_at - interval '60 days'")
    try database.execute("update event set day = day - 56")
    try database.execute(
      "update projection_checkpoint set watermark = (select max(received_at) from event) where name = 'engagement'"
    )
    let dropped = try sandbox.succeed("maintain", "--keep-events", "35d")
    #expect(dropped.contains(/\nevent_20\d\dw\d\d dropped, \d+ events\n/))
    #expect(
      try sandbox.succeed("rates", "--format", "csv").split(separator: "\n").count
        == before.split(separator: "\n").count)
  }
}
