import EventStore
import Foundation
import Projections
import TestSupport
import Testing

/// `pushlift category`, on a store that events have come to.
@Suite(.store) struct CategoryCommandTests {
  private let sandbox: Sandbox

  init() throws {
    sandbox = try Sandbox(database: try TestDatabase.current)
    _ = try sandbox.makeKey()
    try write("categories.json", CategorySample.json)
  }

  private func write(_ name: String, _ text: String) throws {
    try Data(text.utf8).write(to: URL(fileURLWithPath: "\(sandbox.folder)/\(name)"))
  }

  private func fill() throws {
    let store = EventStore(database: try TestDatabase.current, secret: .test)
    let app = try store.app()
    try store.append(
      [
        .delivered(of: ("n1", "d"), in: "social_post", offering: ["like", "Like"]),
        .action("share", of: ("n1", "d"), in: "social_post"), .delivered(of: ("n2", "d"), in: "Social Post"),
        .expanded(of: ("n3", "d"), in: "news"), .delivered(of: ("n4", "d"), in: ""),
        .delivered(of: ("n5", "d"), in: "plain"), .expanded(of: ("n5", "d"), in: "plain"),
      ], to: app.id)
    _ = try EngagementProjection().run(on: store.connect(.aggregating)).caughtUp()
  }

  @Test func anImportSaysWhatItChanges() throws {
    let added = "+ social_post\n+ plain\nshop: 2 added, 0 changed, 0 removed"
    #expect(
      try sandbox.succeed("category", "import", "categories.json", "--dry-run") == added
        + "; nothing was written\n")
    #expect(try sandbox.succeed("category", "import", "categories.json") == added + "\n")
    #expect(try sandbox.succeed("category", "import", "categories.json") == "shop: nothing changed\n")
    try write("other.json", #"[{"identifier": "plain", "contentExtension": true}]"#)
    #expect(
      try sandbox.succeed("category", "import", "other.json", "--app", "shop") == """
        ~ plain: contentExtension, without action open
        - social_post
        shop: 0 added, 1 changed, 1 removed, another default locale

        """)
    let listed = try sandbox.succeed("category", "list", "--format", "json")
    #expect(listed.contains(#""category": "plain", "title": null, "registered": "yes""#))
  }

  @Test func aStrictImportTakesNoWarning() throws {
    try write("odd.json", #"{"defaultLocale": "en", "categories": [{"identifier": "post", "action": []}]}"#)
    try write("none.json", "[]")
    for file in ["odd.json", "none.json"] {
      let output = try sandbox.run("category", "import", file, "--app", "shop", "--strict")
      #expect(output.status == 1, "\(file)")
      #expect(output.err.contains("nothing was imported"), "\(output.err)")
    }
    #expect(try sandbox.run("category", "import", "odd.json", "--app", "shop", "--dry-run").status == 0)
  }

  @Test func aFaultyFileIsNotImported() throws {
    try write(
      "faulty.json", "[\n  {\"identifier\": \"a\"},\n  {\"identifier\": \"a\", \"options\": [\"x\"]}\n]")
    let output = try sandbox.run("category", "import", "faulty.json")
    #expect(output.status == 1)
    #expect(output.err.contains("faulty.json:3:18: error: the category “a” stands twice"))
    #expect(output.err.contains("and 1 more"))
    let lint = try sandbox.run("category", "lint", "faulty.json", "nowhere.json", "--format", "json")
    #expect(lint.status == 1)
    #expect(lint.err.contains("nowhere.json is not there"))
    #expect(lint.out.contains(#""code" : "duplicate_category""#) && lint.out.contains(#""valid" : false"#))
    #expect(try sandbox.run("category", "import", ".").err.contains("is a folder"))
  }

  @Test func whatEventsNameAndNobodyRegisteredIsListed() throws {
    try fill()
    let before = try sandbox.run("category", "lint", "--app", "shop")
    #expect(before.status == 0)
    #expect(before.err.contains("shop has no registry"))
    #expect(
      before.out.contains("“Social Post” and “social_post” differ only")
        && before.out.contains("[near_twin_action]"))
    #expect(!before.out.contains("[unknown_category]"))
    try sandbox.succeed("category", "import", "categories.json")
    let lint = try sandbox.run("category", "lint", "--app", "shop", "--strict")
    #expect(lint.status == 1)
    for line in [
      "the category “Social Post” is not registered: 1 notification; is “social_post” meant?",
      "the category “news” is not registered: 1 notification; add it",
      "the action “share” of “social_post” is not registered",
      "the action “Like” of “social_post” is not registered: 1 notification in 30 days; is “like” meant?",
      "1 notification of “plain” expanded, and no content extension is registered",
      "[near_twin_category]",
    ] { #expect(lint.out.contains(line), "\(line) in \(lint.out)") }
    // The category without a name is none that could be registered.
    #expect(!lint.out.contains("“”"))
    let table = try sandbox.succeed("category", "list")
    let rows = table.split(separator: "\n").map { $0.split(separator: " ").joined(separator: " ") }
    #expect(rows.contains("social_post Social post yes 1 reply, like yes yes full"), "\(table)")
    #expect(rows.contains("Social Post no 1"), "\(table)")
  }
}
