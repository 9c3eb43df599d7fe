import Foundation
import TestSupport
import Testing

/// Keys, files and dead letters, each step a process of its own.
@Suite(.store) struct FileTests {
  private static let header = "id,type,notificationId,deviceId,category,occurredAt,actionId,replyText\n"

  private func write(_ text: String, to name: String, in sandbox: Sandbox) throws -> String {
    let path = sandbox.folder + "/" + name
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    return path
  }

  private func rows() -> [String] {
    let time = Day.text(daysAgo: 3) + "T10:00:00Z"
    return [
      "11111111-1111-4111-8111-111111111111,delivered,n1,device-one,news,\(time),,",
      "22222222-2222-4222-8222-222222222222,action,n1,device-one,news,\(time),answer,\"Yes, \"\"both\"\"\"",
      "33333333-3333-4333-8333-333333333333,tapped,n1,device-one,news,\(time),,",
    ]
  }

  @Test func whatIsImportedIsExportedAndCanBeImportedAgain() throws {
    let sandbox = try Sandbox(database: try TestDatabase.current)
    _ = try sandbox.makeKey()
    _ = try sandbox.makeKey(app: "copy")
    let path = try write(
      "\u{FEFF}" + Self.header + rows().joined(separator: "\r\n") + "\r\n", to: "in.csv", in: sandbox)
    let first = try sandbox.run("import", path, "--app", "shop")
    #expect(first.status == 0)
    #expect((first.out + first.err).contains("2 stored, 0 duplicates, 1 rejected"))
    #expect(first.err.contains("4") && first.err.contains("tapped"), "\(first.err)")
    let again = try sandbox.run("import", path, "--app", "shop", "--strict")
    #expect(again.status == 1)
    #expect((again.out + again.err).contains("0 stored, 2 duplicates, 1 rejected"))

    let bare = try sandbox.succeed("export", "--app", "shop")
    #expect(bare.split(separator: "\n").count == 2)
    #expect(!bare.contains("Yes"))
    let full = sandbox.folder + "/out.ndjson"
    try sandbox.succeed("export", "--app", "shop", "--with-replies", "--output", full)
    #expect(try String(contentsOfFile: full, encoding: .utf8).contains(#""replyText":"Yes, \"both\"""#))
    let copy = try sandbox.run("import", full, "--app", "copy")
    #expect((copy.out + copy.err).contains("2 stored, 0 duplicates, 0 rejected"))
  }

  @Test func whatStopsAnImportNamesTheRemedy() throws {
    let sandbox = try Sandbox(database: try TestDatabase.current)
    _ = try sandbox.makeKey()
    let zoneless = rows()[0].replacingOccurrences(of: "T10:00:00Z", with: " 10:00:00")
    let path = try write(Self.header + zoneless + "\n", to: "local.csv", in: sandbox)
    let refused = try sandbox.run("import", path, "--app", "shop")
    #expect(refused.status == 1)
    #expect(refused.err.contains("--timezone"))
    #expect(try sandbox.run("import", path, "--app", "shop", "--timezone", "Europe/Berlin").status == 0)
    let missing = try sandbox.run("import", sandbox.folder + "/nowhere.csv", "--app", "shop")
    #expect(missing.status == 1)
    #expect(missing.err.contains("nowhere.csv"))
    let unknown = try sandbox.run("import", path, "--app", "shopp")
    #expect(unknown.status == 1)
    #expect(unknown.err.contains("shop"))
  }

  @Test func filesOfAnotherFormThanTheyAreTakenForAreNamedAsWhatTheyAre() throws {
    let sandbox = try Sandbox(database: try TestDatabase.current)
    _ = try sandbox.makeKey()
    let lines = try write(
      String(repeating: #"{"id":"1","long":"value"},"#, count: 200), to: "a.csv", in: sandbox)
    let json = try sandbox.run("import", lines, "--app", "shop")
    #expect(json.status == 1)
    #expect(json.err.contains("looks like JSON") && json.err.contains("--format ndjson"))
    #expect(json.err.utf8.count < 500)
    let path = try write("x", to: "a.ndjson.gz", in: sandbox)
    let compressed = try sandbox.run("import", path, "--app", "shop")
    #expect(compressed.status == 64)
    #expect(compressed.err.contains("zcat \(path) | pushlift import - --format ndjson --app shop"))
    for (encoding, name, format) in [
      (String.Encoding.utf16LittleEndian, "c.csv", "csv"), (.utf16, "c.ndjson", "ndjson"),
      (.utf32, "c", "csv"),
    ] {
      let path = sandbox.folder + "/" + name
      try #require("a,b\n1,2\n".data(using: encoding)).write(to: URL(fileURLWithPath: path))
      let odd = try sandbox.run("import", path, "--app", "shop", "--format", format)
      let utf = encoding == .utf32 ? "UTF-32" : "UTF-16"
      #expect(
        odd.err.contains(
          "iconv -f \(utf) -t UTF-8 FILE | pushlift import - --format \(format) --app NAME"), "\(odd.err)")
    }
    let wide = try write(
      (0..<100).map { "column\($0)" }.joined(separator: ",") + "\n", to: "b.csv", in: sandbox)
    #expect(try sandbox.run("import", wide, "--app", "shop").err.contains("and 80 more"))
  }

  @Test func zonesThatThereAreNotAreMisuse() throws {
    let sandbox = try Sandbox(database: try TestDatabase.current)
    let created = try sandbox.run("key", "create", "--app", "shop", "--zone", "Mars/Base")
    #expect(created.status == 64)
    #expect(created.err.contains("'Mars/Base'"))
    _ = try sandbox.makeKey()
    let path = try write(Self.header, to: "in.csv", in: sandbox)
    #expect(try sandbox.run("import", path, "--app", "shop", "--timezone", "Europe/Nowhere").status == 64)
    #expect(try sandbox.run("rates", "--zone", "Mars/Base").status == 64)
  }

  @Test func lettersAreListedShownReplayedAndPruned() throws {
    let sandbox = try Sandbox(database: try TestDatabase.current)
    _ = try sandbox.makeKey()
    let path = try write(Self.header + rows().joined(separator: "\n") + "\n", to: "in.csv", in: sandbox)
    try sandbox.succeed("import", path, "--app", "shop")
    let list = try CSVTable(try sandbox.succeed("deadletters", "list", "--format", "csv"))
    #expect(list.rows.count == 1)
    #expect(list.rows[0]["code"] == "unknown_value" && list.rows[0]["file"] == "in.csv")
    let id = try #require(list.rows[0]["id"] ?? list.rows[0]["dead_letter_id"])
    let shown = try sandbox.succeed("deadletters", "show", id)
    #expect(shown.contains("tapped") && shown.contains("by import, in.csv, line "))
    #expect(!shown.contains("device-one"))
    // A letter of one app is none of another, and what would be ignored is refused.
    try sandbox.succeed("key", "create", "--app", "other")
    for command in ["show", "replay"] {
      let foreign = try sandbox.run("deadletters", command, id, "--app", "other")
      #expect(foreign.status == 1)
      #expect(
        foreign.err.contains("The dead letter \(id) is of the app shop, not of other."), "\(foreign.err)")
      #expect(try sandbox.run("deadletters", command, id, "--app", "shop").status == 0)
    }
    let since = try sandbox.run("deadletters", "replay", id, "--since", "2026-01-01")
    #expect(since.status == 64 && since.err.contains("--since goes with --code or --all"))
    let replay = try sandbox.run("deadletters", "replay", "--all", "--dry-run")
    #expect(replay.status == 0)
    #expect((replay.out + replay.err).contains("1"))
    try sandbox.succeed("deadletters", "prune", "--older-than", "1d")
    #expect(try CSVTable(try sandbox.succeed("deadletters", "list", "--format", "csv")).rows.count == 1)
    let wrong = try sandbox.run("deadletters", "replay")
    #expect(wrong.status == 64)
  }

  @Test func aKeyIsListedWithoutItsSecretAndRevokedByItsID() throws {
    let sandbox = try Sandbox(database: try TestDatabase.current)
    let key = try sandbox.makeKey()
    let parts = key.split(separator: "_")
    let listed = try sandbox.succeed("key", "list")
    #expect(listed.contains(parts[1]))
    #expect(!listed.contains(parts[2]))
    #expect(try sandbox.run("key", "revoke", String(parts[1])).status == 0)
    #expect(try sandbox.run("key", "revoke", String(parts[1])).status == 0)
    let unknown = try sandbox.run("key", "revoke", "000000000000")
    #expect(unknown.status == 1)
    #expect(!unknown.err.contains(String(parts[2])))
    #expect(try sandbox.run("key", "revoke").status == 64)
  }
}
