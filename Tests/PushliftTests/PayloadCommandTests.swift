import Foundation
import TestSupport
import Testing

/// `pushlift payload`.
struct PayloadCommandTests {
  private let push =
    #"{"aps":{"alert":"x","category":"pots","mutable-content":1},"Simulator Target Bundle":"com.e.x"}"#

  private func write(_ text: String, _ name: String, in sandbox: borrowing Sandbox) throws {
    try Data(text.utf8).write(to: URL(fileURLWithPath: sandbox.folder + "/" + name))
  }

  @Test func categoriesCanBeAListOfNames() throws {
    let sandbox = try Sandbox()
    try write(push, "push.apns", in: sandbox)
    try write(#"["message", "post"]"#, "names.json", in: sandbox)
    try write(#"[{"identifier": "pots"}]"#, "registry.json", in: sandbox)
    try write(#"["message", 5]"#, "neither.json", in: sandbox)
    let named = try sandbox.run("payload", "lint", "--categories", "names.json", "push.apns")
    #expect(named.status == 0, "\(named.err)")
    #expect(named.out.contains("is “post” meant?"))
    let registered = try sandbox.run("payload", "lint", "--categories", "registry.json", "push.apns")
    #expect(registered.status == 0, "\(registered.err)")
    #expect(!registered.out.contains("unknown_category"))
    let neither = try sandbox.run("payload", "lint", "--categories", "neither.json", "push.apns")
    #expect(neither.status == 1)
    #expect(neither.err.contains("neither.json:1:2"), "\(neither.err)")
  }

  @Test func oneFileIsNotCounted() throws {
    let sandbox = try Sandbox()
    try write("{}", "a.json", in: sandbox)
    try write("[[]]", "c.json", in: sandbox)
    let one = try sandbox.run("payload", "lint", "a.json")
    #expect(one.status == 1)
    #expect(one.err.contains("The payload is not valid."))
    let two = try sandbox.run("payload", "lint", "a.json", "c.json")
    #expect(two.err.contains("2 of 2 payloads are not valid."))
    let categories = try sandbox.run("category", "lint", "c.json")
    #expect(categories.status == 1)
    #expect(categories.err.contains("The file is not valid."))
  }
}

/// What `payload make` writes lints clean, or it writes nothing.
struct PayloadMakeTests {
  @Test(arguments: [
    (["--title", String(repeating: "x", count: 5_000)], "APNs takes 4096"),
    (["--title", "x", "--media-url", "http://e.com/a.jpg"], "http"),
    (["--title", "x", "--media-url", "https://e.com/a.jpg", "--media-key", "data.pic"], "nested key"),
    (["--title", "x", "--media-url", "https://e.com/{{id}}.jpg"], "{{id}}"),
    (["--title", "x", "--media-url", "https://e.com/a.pdf"], "photo.jpg"),
    (["--title", "x", "--media-url", "https://e.com/a.jpg", "--media-key", ""], "media's key"),
    (["--title", "Hello {{name}}"], "{{name}}"), (["--title", " "], "can be seen"),
    (["--title", "x", "--category", String(repeating: "c", count: 200)], "128"),
    (["--title", "x", "--category", "a\u{200B}b"], "U+200B"), (["--title", "x", "--sound", ""], "none"),
  ])
  func whatWouldNotLintCleanIsNotWritten(_ arguments: [String], _ word: String) throws {
    let output = try Sandbox().start(["payload", "make"] + arguments).output(within: .seconds(30))
    #expect(output.status == 64)
    #expect(output.out.isEmpty)
    #expect(output.err.contains(word), "\(output.err)")
  }

  @Test func whatIsNoUTF8IsNotWritten() throws {
    let output = try Sandbox().shell("$PUSHLIFT payload make --title \"$(printf 'a\\377')\"")
    #expect(output.status == 64)
    #expect(output.err.contains("UTF-8"), "\(output.err)")
  }

  @Test func aKeyThatTheLinterDoesNotKnowIsToldWithItsOption() throws {
    let sandbox = try Sandbox()
    let make = "$PUSHLIFT payload make --title x --media-url https://e.com/a.jpg --simulator-bundle com.e.x"
    let own = try sandbox.shell("\(make) --media-key foo > own.apns && $PUSHLIFT payload lint own.apns")
    #expect(own.err.contains("payload lint --media-key foo"), "\(own.err)")
    #expect(own.out.contains("text-only") && own.out.contains("lint with --media-key foo"))
    let lint = try sandbox.run("payload", "lint", "--media-key", "foo", "own.apns")
    #expect(lint.out == "own.apns: valid, rich (image at foo), no category, the extension runs\n")
    #expect(try sandbox.shell("\(make) --media-key image").err.isEmpty)
  }
}
