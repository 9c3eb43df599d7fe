internal import Arguments
internal import EngagementEvents
internal import Foundation
internal import Postgres
internal import Simulation

/// `pushlift simulate`.
enum SimulateCommand {
  private static let notifications = Option<Int>(
    "notifications", .integer(in: 1...100_000_000), default: 20_000,
    help: "How many notifications are delivered.")
  private static let days = Option<Int>(
    "days", .integer(in: 1...365), default: 14, help: "Over how many days, up to --until.")
  private static let until = Option<CalendarDate?>.optional(
    "until", .date, help: "Nothing happens from the start of this UTC day on. Usually: now.")
  private static let output = Option<String?>.optional(
    "output", .path, help: "Write the events to this file, one a line; - is standard output.")
  private static let post = Option<String?>.optional(
    "post", .url(schemes: ["http"], example: "http://127.0.0.1:8080"), help: "Post the events to this server."
  )
  private static let key = Option<String?>.optional(
    "key", .text.named("key"), environment: "PUSHLIFT_KEY", help: "With --post: the write key.")
  private static let truth = Option<String?>.optional(
    "truth", .path, help: "Where to write the truth as JSON. Usually beside --output, as FILE.truth.json.")

  static let command = Command(
    "simulate", abstract: "Make events whose truth is known: base rates, uplifts, disorder.",
    discussion: """
      Categories with and without an effect of rich media, devices that get many notifications, replies, dismissals, late, \
      doubled and shuffled events. The true rates and uplifts are written as JSON, to set a report against. The same \
      --seed and --until make the same events.
      """,
    examples: [
      "pushlift simulate --notifications 1000 --output events.ndjson",
      "pushlift simulate --seed 7 --post http://127.0.0.1:8080 --key KEY --truth truth.json",
    ],
    options: [notifications, days, until, SharedOptions.seed, output, post, key, truth]
  ) { arguments in
    let plan = SimulationPlan(
      notifications: arguments[notifications], days: arguments[days], end: end(arguments[until]))
    let simulation = try Simulation(plan: plan, seed: arguments[SharedOptions.seed])
    var beside: String?
    switch (arguments[output], arguments[post]) {
    case (let path?, nil):
      let file = try OutputFile(path)
      try write(simulation, to: file)
      if file.isPlain { beside = path + ".truth.json" }
    case (nil, let url?):
      guard let key = arguments[key] else {
        throw arguments.usageError("--post needs --key: make one with pushlift key create.")
      }
      try await send(simulation, to: url, key: key)
    default: throw arguments.usageError("give either --output FILE or --post URL.")
    }
    if let path = arguments[truth] ?? beside {
      try OutputFile.write(Array((simulation.makeTruth().json + "\n").utf8), to: path)
      Terminal.complain("the truth is in \(path)")
    }
  }

  private static func end(_ date: CalendarDate?) -> Timestamp {
    let day: Int64 = 86_400_000_000
    guard let date else { return Timestamp(microseconds: Int64(Date.now.timeIntervalSince1970) * 1_000_000) }
    return Timestamp(microseconds: Int64(date.postgresDate.daysSince1970) * day)
  }

  /// Writes the events, one a line.
  private static func write(_ simulation: Simulation, to file: OutputFile) throws {
    var progress = Progress("events written")
    var count = 0
    for event in simulation {
      try file.append { bytes in
        event.appendJSON(to: &bytes)
        bytes.append(UInt8(ascii: "\n"))
      }
      count += 1
      progress.update(count)
    }
    try file.finish()
    progress.end()
    Terminal.complain("\(count) events written")
  }

  private static func send(_ simulation: Simulation, to url: String, key: String) async throws {
    var progress = Progress("events posted")
    var poster = EventPoster(target: try EventPoster.target(url), key: key)
    poster.onWait = { Terminal.complain($0) }
    let tally = try await poster.post(simulation) {
      progress.update($0.total)
    }
    progress.end()
    Terminal.complain(
      "\(tally.accepted) events accepted, \(tally.duplicates) duplicates, \(tally.rejected) rejected")
  }
}
