import EngagementEvents
import EventStore
import Foundation
import Projections
import TestSupport
import Testing

/// `pushlift frame`, on a store that events have come to.
@Suite(.store) struct FrameCommandTests {
  private let sandbox: Sandbox

  init() throws {
    sandbox = try Sandbox(database: try TestDatabase.current)
    _ = try sandbox.makeKey()
    let store = EventStore(database: try TestDatabase.current, secret: .test)
    let app = try store.app()
    try store.append(
      try (0..<40).flatMap { number -> [EventSample] in
        let unit = ("n\(number)", "d\(number)")
        return try [
          .delivered(of: unit, at: Double(-number * 3_600), showing: number % 2 == 0 ? [.image] : []),
          .opened(of: unit, at: Double(-number * 3_600 + number * 120)),
        ]
      }, to: app.id)
    _ = try EngagementProjection().run(on: store.connect(.aggregating)).caughtUp()
  }

  @Test func whatIsKeptIsListedAndGivenUpAgain() throws {
    #expect(
      try sandbox.succeed("frame", "add", "--app", "shop", "--zone", "Asia/Kolkata", "--window", "1h")
        == "shop: Asia/Kolkata within 1 h is kept\n")
    #expect(
      try sandbox.succeed("frame", "add", "--zone", "Asia/Kolkata", "--window", "60m")
        == "shop: Asia/Kolkata within 1 h is kept, as it was before\n")
    #expect(
      try sandbox.succeed("frame", "list", "--format", "csv").split(separator: "\r\n") == [
        "app,zone,window,window_seconds,own", "shop,UTC,24 h,86400,yes", "shop,Asia/Kolkata,1 h,3600,no",
      ])
    #expect(
      try sandbox.succeed("frame", "remove", "--zone", "Asia/Kolkata", "--window", "1h")
        == "shop: Asia/Kolkata within 1 h is kept no longer\n")
    let again = try sandbox.run("frame", "remove", "--zone", "Asia/Kolkata", "--window", "1h")
    #expect(again.status == 1)
    #expect(again.err.contains("pushlift frame list says what it keeps"))
  }

  /// Kept or counted, each report is the same to the byte.
  @Test func aReportIsTheSameWhetherItsFrameIsKept() throws {
    let frame = ["--zone", "America/Toronto", "--window", "45m"]
    let reports = [
      ["rates", "--format", "csv"], ["rates", "--metric", "open", "--format", "json"],
      ["actions", "--format", "csv"],
      ["trend", "--format", "csv"], ["rates", "--metric", "action:like", "--format", "csv"],
    ]
    let counted = try reports.map { try sandbox.succeed($0 + frame) }
    _ = try sandbox.succeed(["frame", "add"] + frame)
    #expect(try reports.map { try sandbox.succeed($0 + frame) } == counted)
    #expect(Set(counted).count == reports.count)
    let check = try sandbox.succeed("verify")
    #expect(check.contains("framed_rate"), "\(check)")
  }

  @Test func whatCannotBeKeptIsRefused() throws {
    for (arguments, status, words) in [
      (["add", "--zone", "Asia/Kolkatta"], 64, "no time zone named"), (["add", "--window", "31d"], 64, "1m"),
      (["remove"], 64, "the app's own"), (["add", "--app", "shop2"], 1, "no app named 'shop2'"),
    ] {
      let output = try sandbox.run(["frame"] + arguments)
      #expect(output.status == status, "\(arguments)")
      #expect(output.err.contains(words), "\(output.err)")
    }
    #expect(try sandbox.succeed("frame", "add") == "shop: UTC within 24 h is kept, as it was before\n")
    for minutes in 1...RateFrame.limit { _ = try sandbox.succeed("frame", "add", "--window", "\(minutes)m") }
    let output = try sandbox.run("frame", "add", "--window", "2h")
    #expect(output.status == 1)
    #expect(output.err.contains("which is the most"), "\(output.err)")
  }
}
