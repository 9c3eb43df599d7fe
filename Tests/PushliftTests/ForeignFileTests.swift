import Foundation
import TestSupport
import Testing

/// Other systems' files in and out, each step a process of its own.
@Suite(.store) struct ForeignFileTests {
  private func write(_ text: String, to name: String, in sandbox: Sandbox) throws -> String {
    let path = sandbox.folder + "/" + name
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    return path
  }

  /// Sends to 240 devices, of which every third opens it.
  private var braze: String {
    let time = Int(Date.now.timeIntervalSince1970) - 3 * 86_400
    return (0..<240).flatMap { number in
      let campaign = number % 2 == 0 ? "rich" : "text"
      func line(_ kind: String, _ seconds: Int) -> String {
        #"{"event_type":"users.messages.pushnotification.\#(kind)","id":"\#(kind)-\#(number)","time":\#(seconds),"#
          + #""campaign_id":"\#(campaign)","dispatch_id":"x-\#(campaign)","device_id":"d-\#(number)"}"#
      }
      return [line("Send", time)] + (number % 3 == 0 ? [line("Open", time + 60)] : [])
    }.joined(separator: "\n") + "\nnot JSON\n"
  }

  @Test func aSystemsExportIsSeenFirstThenImportedComparedAndExported() throws {
    let sandbox = try Sandbox(database: try TestDatabase.current)
    _ = try sandbox.makeKey()
    let file = try write(braze, to: "currents.json", in: sandbox)
    let campaigns = try write(
      "campaign,category,media\nrich,news,image\ntext,news,\n", to: "campaigns.csv", in: sandbox)
    let arguments = ["import", file, "--app", "shop", "--format", "braze"]
    func run(_ more: String...) throws -> Output {
      try sandbox.start(arguments + more, [:]).output(within: .seconds(60))
    }

    let bare = try run("--dry-run")
    #expect(!bare.err.contains("Before you ask for rates"))
    #expect(bare.out.contains("320 would be stored, but for those that are there; 1 rejected"))
    #expect(bare.out.contains(#""type":"delivered""#))
    #expect(bare.out.contains("Events: sent 240, opened 80"))
    #expect(bare.out.contains("whether a notification was rich: rich and text-only cannot be compared"))
    #expect(bare.out.contains("replies, expansions and dismissals: these are not measurable"))
    #expect(
      bare.out.contains("So openings and buttons can be measured, but rich and text-only not be compared."))
    #expect(try run("--dry-run", "--campaigns", campaigns).out.contains("was rich") == false)
    let other = try write("campaign,media\nrich,image\nTEXT,\n", to: "other.csv", in: sandbox)
    let partly = try run("--dry-run", "--campaigns", other)
    #expect(
      partly.out.contains(
        "was rich (120 records): rich and text-only cannot be compared where the campaigns file has no line"))
    #expect(partly.err.contains("“text” (160 events; did you mean “TEXT”?)"), "\(partly.err)")

    let first = try run("--campaigns", campaigns)
    #expect(first.out.contains("320 stored, 0 duplicates, 1 rejected"))
    #expect(first.err.contains("Before you ask for rates, run pushlift aggregate, or pushlift serve."))
    #expect(try run("--campaigns", campaigns).out.contains("0 stored, 320 duplicates, 1 rejected"))
    try sandbox.succeed("aggregate")
    let rates = try sandbox.succeed("rates", "--app", "shop")
    #expect(rates.contains("records of braze tell what was sent, not what reached a device"))
    let expansion = try sandbox.succeed("rates", "--app", "shop", "--metric", "expansion")
    #expect(expansion.contains("not measurable: records of braze do not tell expansions"))

    let page = try sandbox.succeed("rates", "--app", "shop", "--format", "html")
    #expect(
      page.contains("Records of braze do not tell whether rich notifications were shown with their media."))

    for part in ["trend", "actions", "replies"] {
      let output = try sandbox.run(part, "--app", "shop", "--format", "csv")
      #expect(output.status == 0)
      #expect(output.err.contains("Records of braze do not tell replies"), "\(output.err)")
    }

    for format in ["segment", "csv", "ndjson"] {
      let out = sandbox.folder + "/out." + format
      try sandbox.succeed("export", "--app", "shop", "--format", format, "--output", out)
      let again = try sandbox.run("import", out, "--app", "shop", "--format", format)
      #expect(again.out.contains("0 stored, 320 duplicates, 0 rejected"), "\(format): \(again.err)")
    }
  }

  @Test func aFileOfAnotherKindIsNamedAsSuch() throws {
    let sandbox = try Sandbox(database: try TestDatabase.current)
    _ = try sandbox.makeKey()
    let file = try write(braze, to: "currents.json", in: sandbox)
    func run(_ more: String...) throws -> Output {
      try sandbox.start(["import", file, "--app", "shop"] + more, [:]).output(within: .seconds(60))
    }
    #expect(try run().err.contains("currents.json looks like braze: --format braze"))
    let nobodys = try write("{}\n", to: "nobodys.ndjson", in: sandbox)
    #expect(
      try sandbox.run("import", nobodys, "--app", "shop").err.contains(
        "If these are records of another system, name it: --format"))
    let wrong = try run("--format", "airship")
    #expect(wrong.status == 0)
    #expect(wrong.err.contains("currents.json looks like braze: --format braze"))
    let sent = try write(
      braze.split(separator: "\n").filter { $0.contains("Send") }.joined(separator: "\n"), to: "sent.json",
      in: sandbox)
    func strict(_ more: String...) throws -> Output {
      try sandbox.start(["import", sent, "--app", "shop", "--strict", "--dry-run"] + more, [:]).output(
        within: .seconds(60))
    }
    #expect(try strict("--format", "airship").status == 1)
    #expect(try strict("--format", "braze").status == 0)
    #expect(try strict("--format", "braze", "--ignore-sent").out.contains("--ignore-sent left them out"))
    #expect(try strict("--format", "braze", "--history-from", "2199-01-01").status == 64)
    #expect(wrong.err.contains("320 records left out: no type 320"))
    #expect(wrong.out.contains("No events. Is it of the system that --format names?"))
    #expect(try run("--format", "braze", "--ignore-sent").out.contains("No deliveries among them"))
    let packed = try write("", to: "x.json.gz", in: sandbox)
    let compressed = try sandbox.start(["import", packed, "--app", "shop", "--format", "braze"], [:])
      .output(within: .seconds(30))
    #expect(compressed.err.contains("x.json.gz | pushlift import - --format braze --app shop"))
  }

  @Test func optionsForOneKindOfFileAreRefusedForOthers() throws {
    let sandbox = try Sandbox(database: try TestDatabase.current)
    let file = try write("{}", to: "x.ndjson", in: sandbox)
    for (options, words) in [
      (["--map", "m.json"], "--map is for CSV only"),
      (["--ignore-sent"], "--ignore-sent is for records of other systems and --map only"),
      (["--format", "csv", "--map", "m.json", "--derive-ids"], "--derive-ids is for CSV without --map only"),
    ] {
      let output = try sandbox.start(["import", file, "--app", "shop"] + options, [:]).output(
        within: .seconds(30))
      #expect(output.status == 64)
      #expect(output.err.contains(words), "\(output.err)")
    }
  }
}
