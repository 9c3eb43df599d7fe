import Foundation
import TestSupport
import Testing

/// The commands that show a part of the report, and the one that compares two periods.
@Suite(.store) struct PartTests {
  private func filled() throws -> Sandbox {
    let sandbox = try Sandbox(database: try TestDatabase.current)
    try sandbox.importSimulated(notifications: 3_000)
    try sandbox.succeed("aggregate")
    return sandbox
  }

  private func rows(_ json: String) throws -> [[String: Any]] {
    try #require(try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [[String: Any]])
  }

  @Test func everyFormatHasTheSameFigures() throws {
    let sandbox = try filled()
    let rates = try RateJSON(try sandbox.succeed("rates", "--format", "json"))
    for command in ["trend", "actions", "replies"] {
      let csv = try readCSV(Array(try sandbox.succeed(command, "--format", "csv").utf8))
      let json = try rows(try sandbox.succeed(command, "--format", "json"))
      #expect(csv.count == json.count + 1 && csv.count > 5, "\(command)")
      for (row, object) in zip(csv.dropFirst(), json) {
        #expect(Set(object.keys) == Set(csv[0]))
        for (name, cell) in zip(csv[0], row) {
          switch object[name] {
          case let text as String: #expect(text == cell)
          case let number as NSNumber: #expect(number.doubleValue == Double(cell), "\(name)")
          default: #expect(cell.isEmpty, "\(name)")
          }
        }
      }
    }
    // Days add up to the whole, and each category's to its own.
    let days = try rows(try sandbox.succeed("trend", "--format", "json"))
    let crude = days.filter { $0["scope"] as? String == "crude" }
    #expect(crude.reduce(0) { $0 + ($1["rich_delivered"] as? Int ?? 0) } == rates.crude.rich.delivered)
    #expect(crude.reduce(0) { $0 + ($1["text_events"] as? Int ?? 0) } == rates.crude.text.events)
    let replied = try RateJSON(try sandbox.succeed("rates", "--metric", "reply", "--format", "json"))
    let replies = try rows(try sandbox.succeed("replies", "--format", "json"))
    #expect(replies.last?["replied"] as? Int == replied.crude.text.events)
    #expect(replied.crude.text.events > 0)
    let table = try sandbox.succeed("trend")
    #expect(table.contains("\nrich  ") && table.contains("█"))
    #expect(try sandbox.succeed("actions").contains("like"))
    #expect(try sandbox.run("trend", "--format", "csv", "--bom").out.hasPrefix("\u{FEFF}app,"))
    #expect(try sandbox.run("trend", "--category", "none-such").status == 1)
  }

  @Test func textsAreForThoseWhoMayReadThem() throws {
    let sandbox = try filled()
    let counted = try rows(try sandbox.succeed("replies", "--format", "json"))
    let written = try rows(
      try sandbox.succeed("replies", "--text", "--limit", "100000", "--format", "json"))
    #expect(written.count == counted.reduce(0) { $0 + ($1["replies"] as? Int ?? 0) })
    // Lengths are those of the texts.
    for row in counted where (row["replies"] as? Int ?? 0) > 0 {
      let own = written.filter {
        $0["category"] as? String == row["category"] as? String
          && $0["arm"] as? String == row["arm"] as? String
      }.compactMap { ($0["text"] as? String)?.utf8.count }
      #expect(own.max() == row["bytes_longest"] as? Int)
    }
    #expect(try rows(try sandbox.succeed("replies", "--text", "--limit", "2", "--format", "json")).count == 2)
    // No text comes without being asked for.
    let texts = written.compactMap { $0["text"] as? String }.filter { $0.count > 6 }
    let shown = try sandbox.succeed("replies") + sandbox.succeed("replies", "--format", "csv")
    #expect(!texts.isEmpty && !texts.contains { shown.contains($0) })
  }

  @Test func whatIsTooYoungToCountIsSaid() throws {
    let sandbox = try Sandbox(database: try TestDatabase.current)
    _ = try sandbox.makeKey()
    let at = Date().formatted(.iso8601)
    let event = """
      {"id":"0195d8a0-0000-7000-8000-00000000000a","type":"delivered","occurredAt":"\(at)","notificationId":"n-1",\
      "deviceId":"d-1","category":"offer","actions":["buy"]}

      """
    try Data(event.utf8).write(to: URL(fileURLWithPath: sandbox.folder + "/in.ndjson"))
    try sandbox.succeed("import", "in.ndjson", "--app", "shop")
    try sandbox.succeed("aggregate")
    let young = "1 was delivered too recently: it counts once 24 h have passed."
    for command in [["trend"], ["actions"], ["replies"], ["rates", "--compare", "2020-01-01..2020-01-02"]] {
      let table = try sandbox.start(command + ["--from", Day.text(daysAgo: 1)]).output(within: .seconds(60))
      #expect(table.status == 0)
      #expect(table.out.contains(young), "\(command)")
      #expect(table.out.contains("deliveries from \(Day.text(daysAgo: 1))"))
    }
    let actions = try sandbox.run("actions", "--from", Day.text(daysAgo: 1))
    #expect(
      actions.out.contains("Nothing counts in this period.") && !actions.out.contains("No category offered"))
    // Rows have no place for it; whoever takes them is told beside.
    let rows = try sandbox.run("trend", "--format", "csv")
    #expect(rows.err == "\(young)\n" && !rows.out.contains("too recently"))
    #expect(!(try sandbox.run("trend", "--category", "other").out.contains("too recently")))
  }

  @Test func twoPeriodsAreCompared() throws {
    let sandbox = try filled()
    let days = [Day.text(daysAgo: 9), Day.text(daysAgo: 3)]
    let csv = try CSVTable(
      try sandbox.succeed(
        "rates", "--from", days[0], "--to", days[1], "--compare", "previous", "--format", "csv"))
    let all = try #require(csv.rows.last)
    #expect(all["scope"] == "pooled")
    #expect(all["before_first_day"] == Day.text(daysAgo: 16))
    #expect(all["before_last_day"] == Day.text(daysAgo: 10))
    // Each period's uplift is that of its own report.
    for (name, bounds) in [("now", days), ("before", [Day.text(daysAgo: 16), Day.text(daysAgo: 10)])] {
      let own = try CSVTable(
        try sandbox.succeed("rates", "--from", bounds[0], "--to", bounds[1], "--format", "csv"))
      let pooled = try #require(own.rows.first { $0["scope"] == "pooled" })
      #expect(abs((Double(all["\(name)_uplift"] ?? "") ?? 9) - (Double(pooled["uplift"] ?? "") ?? 0)) < 1e-6)
    }
    // Two periods that share nearly all days are hardly told apart, and it is known that they share them.
    let shared = try CSVTable(
      try sandbox.succeed(
        "rates", "--from", Day.text(daysAgo: 16), "--to", days[1], "--compare",
        "\(Day.text(daysAgo: 16))..\(Day.text(daysAgo: 4))", "--format", "csv"))
    func width(_ row: [String: String]?) -> Double {
      (Double(row?["ratio_upper"] ?? "") ?? 0) - (Double(row?["ratio_lower"] ?? "") ?? 9)
    }
    #expect(shared.rows.last?["verdict"] == "no difference shown")
    #expect(0 < width(shared.rows.last) && width(shared.rows.last) < width(all) / 2)
    let table = try sandbox.succeed("rates", "--from", days[0], "--to", days[1], "--compare", "previous")
    #expect(table.contains("(all)"))
  }

  @Test func watchPrintsLinesUntilItIsEnded() throws {
    let sandbox = try filled()
    let watch = try sandbox.start(["watch", "--interval", "1s"])
    poll(upTo: .seconds(30), "two lines are there") { watch.standardOutput.split(separator: "\n").count >= 2 }
    watch.send(SIGINT)
    let output = try watch.output(within: .seconds(10))
    #expect(output.status == 0)
    #expect(!output.out.contains("\u{1B}"))
    for line in output.out.split(separator: "\n") {
      #expect(
        line.firstMatch(
          of:
            /^time=\S+Z position=\d+ lag=0 events_per_second=[\d.]* watermark_age=\d+ delivered=\d+ answer=".+"$/
        ) != nil)
    }
    #expect(try sandbox.run("watch", "--app", "none-such").status == 1)
  }
}

/// What shells make of the completion scripts.
struct CompletionTests {
  /// What bash offers after these words, of which the last may be unfinished.
  private func offered(_ sandbox: Sandbox, _ words: String...) throws -> Set<String> {
    let list = words.map { "'\($0)'" }.joined(separator: " ")
    let output = try sandbox.shell(
      "bash -c 'eval \"$($PUSHLIFT completions bash)\"; COMP_WORDS=(pushlift \(words.joined(separator: " "))\(words.last == "" ? " \"\"" : "")); COMP_CWORD=\(words.count); _pushlift; printf \"%s\\n\" \"${COMPREPLY[@]}\"'"
    )
    #expect(output.status == 0, "\(list): \(output.err)")
    return Set(output.out.split(separator: "\n").map(String.init))
  }

  @Test func bashCompletesCommandsOptionsAndValues() throws {
    let sandbox = try Sandbox()
    #expect(try offered(sandbox, "ra") == ["rates"])
    #expect(try offered(sandbox, "key", "").isSuperset(of: ["create", "list", "revoke"]))
    #expect(try offered(sandbox, "rates", "--fo") == ["--format"])
    #expect(try offered(sandbox, "rates", "--format", "") == ["table", "csv", "json", "html"])
    #expect(
      try offered(sandbox, "rates", "--format", "csv", "--rich-means", "sh") == [
        "shown", "shown-or-interface",
      ])
    #expect(try offered(sandbox, "key", "create", "--scope", "r") == ["read"])
  }

  @Test func theOtherShellsHaveEveryCommandToo() throws {
    let sandbox = try Sandbox()
    for shell in ["bash", "zsh", "fish"] {
      let script = try sandbox.succeed("completions", shell)
      for word in ["rates", "deadletters", "replay", "revoke", "rich-means", "shown-or-interface"] {
        #expect(script.contains(word), "\(shell) \(word)")
      }
      // Where the shell is there, it reads the script.
      let check = try sandbox.shell(
        "command -v \(shell) >/dev/null || exit 0; $PUSHLIFT completions \(shell) > script; \(shell) -n script"
      )
      #expect(check.status == 0, "\(shell): \(check.err)")
    }
  }
}
