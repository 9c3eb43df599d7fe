internal import Arguments
internal import Foundation
internal import Reports
internal import Synchronization

/// `pushlift-bench coverage`.
enum CoverageBench {
  private static let usual = CoveragePlan()

  private static let replications = Option<Int>(
    "replications", .integer(in: 2...1_000_000), default: usual.replications,
    help: "How often the world is drawn anew.")
  private static let devices = Option<Int>(
    "devices", .integer(in: 2...1_000_000), default: usual.devices, help: "Devices in each world.")
  private static let perDevice = Option<Int>(
    "per-device", .integer(in: 1...1_000), default: usual.perDevice, help: "Notifications for each device.")
  private static let correlation = Option<Double>(
    "correlation", .number(in: 0...0.9), default: usual.correlation,
    help: "How alike a device's notifications are (beta-binomial).")
  private static let nights = Option<Int>(
    "nights", .integer(in: 1...250), default: usual.nights,
    help: "Over how many days, each with a look at its end.")
  private static let base = Option<Double>(
    "base", .number(in: 0.001...0.5), default: usual.base, help: "The text-only rate.")
  private static let uplift = Option<Double>(
    "uplift", .number(in: -0.9...0.6), default: usual.uplift,
    help: "The true uplift. With 0, missing it on any night is a false alarm.")
  private static let isOneArm = Option<Bool>.flag(
    "one-arm", help: "A device gets one arm, as in an experiment. Otherwise each notification draws its own.")
  private static let seed = Option<UInt64>(
    "seed", .integer(in: 0...UInt64.max), default: usual.seed,
    help: "The seed: the same one makes the same worlds.")

  static let command = Command(
    "coverage",
    abstract:
      "How often the report's intervals hold the truth, and how often nightly looks raise a false alarm.",
    discussion: """
      Draws worlds with a known truth and devices that get several notifications, writes their events into the log of a \
      private Postgres, lets the product's own job and report work on them, and counts. Naive is the same interval with \
      notifications taken as independent.
      """,
    examples: [
      "pushlift-bench coverage", "pushlift-bench coverage --one-arm --per-device 10 --replications 500",
    ],
    options: [
      replications, devices, perDevice, correlation, nights, base, uplift, isOneArm, seed,
    ]
  ) { arguments in
    let plan = CoveragePlan(
      replications: arguments[replications], devices: arguments[devices], perDevice: arguments[perDevice],
      correlation: arguments[correlation], nights: arguments[nights], seed: arguments[seed],
      isOneArm: arguments[isOneArm], base: arguments[base], uplift: arguments[uplift])
    let start = ContinuousClock.now
    let told = Mutex(0)
    let tally = try CoverageRun(plan: plan).tally { done in
      let tenth = done * 10 / plan.replications
      let isNews = told.withLock { last in
        defer { last = max(last, tenth) }
        return tenth > last
      }
      guard isNews else { return }
      FileHandle.standardError.write(Data("\(done) of \(plan.replications) replications\n".utf8))
    }
    for line in lines(plan, tally) { say(line) }
    let seconds = (ContinuousClock.now - start) / .seconds(1)
    say(
      "\n\(Format.count(plan.units * plan.replications)) notifications in \(Format.decimal(seconds, digits: 0)) s"
    )
  }

  /// The result as people read it.
  static func lines(_ plan: CoveragePlan, _ tally: CoverageTally) -> [String] {
    let arms = plan.isOneArm ? "a device gets one arm" : "each notification draws its arm"
    var lines = [
      "\(Format.count(plan.replications)) worlds of \(Format.count(plan.devices)) devices with \(plan.perDevice) notifications "
        + "each over \(plan.nights) days; \(arms)",
      "text-only rate \(Format.percent(plan.base)), true uplift \(Format.signedPercent(plan.uplift)), correlation "
        + "\(Format.decimal(plan.correlation, digits: 2)), mean design effect \(Format.decimal(tally.designEffect, digits: 2)) "
        + "(never below 1)", "",
    ]
    var coverage = TextTable([("held by the 95 % interval", .left), ("clustered", .right), ("naive", .right)])
    for interval in CoverageTally.Interval.allCases {
      coverage.append([
        interval.title, text(tally.clustered[interval.rawValue]), text(tally.naive[interval.rawValue]),
      ])
    }
    lines += coverage.lines + [""]
    let milestones = plan.milestones
    var looks = TextTable(
      [("missed the true uplift on any night of", .left)] + milestones.map { ("\($0)", .right) })
    for (kind, title) in [
      (NightlyLooks.Kind.fixedClustered, "fixed interval, clustered"), (.fixedNaive, "fixed interval, naive"),
      (.alwaysValidClustered, "always-valid, clustered"), (.alwaysValidNaive, "always-valid, naive"),
    ] {
      looks.append([title] + milestones.map { Format.percent(tally.missed(kind, by: $0)) })
    }
    return lines + looks.lines
  }

  private static func text(_ share: CoverageTally.Share) -> String {
    guard share.count > 0 else { return "–" }
    return
      "\(Format.percent(share.value, digits: 2)) ± \(Format.decimal(share.standardError * 100, digits: 2))"
  }
}
