internal import Arguments
internal import EventStore
internal import Postgres
internal import Projections
internal import Reports
internal import Statistics

/// `pushlift power`.
enum PowerCommand {
  private static let base = Option<Double?>.optional(
    "base", .share("a rate", in: 0.000001...0.999999),
    help: "The text-only rate, such as 8%. With --app usually that of its traffic.")
  private static let uplift = Option<Double?>.optional(
    "uplift", .share("an uplift", in: -1...1_000),
    help: "The uplift to find, such as 35%: rich rate / text-only rate − 1.")
  private static let units = Option<Int?>.optional(
    "units", .integer(in: 2...1_000_000_000_000).named("number"),
    help: "Instead of --uplift: the notifications of both arms together, to learn what uplift they can show.")
  private static let power = Option<Double>(
    "power", .share("a power", in: 0.5...0.9999), default: 0.8,
    help: "The chance to find the uplift if it is there.")
  private static let isNightly = Option<Bool>.flag(
    "nightly", help: "The verdict is to hold however often one looks, not only once at the end.")
  private static let perDevice = Option<Double?>.optional(
    "per-device", .number(in: 1...1_000_000), help: "Notifications that a device gets, to count devices too.")
  private static let app = Option<String?>.optional(
    "app", .text.named("name"),
    help: "Plan by the traffic of this app over its last 28 closed days, and say how many days it takes.")

  static let command = Command(
    "power", abstract: "How many notifications it takes to show an uplift, or what uplift so many can show.",
    discussion: """
      Sample sizes are those of the two-sided test of two proportions (Fleiss 1981), times the design effect, times 2.4 for \
      nightly looks. Without --app no store is needed. With it, base rate and design effect are those of its traffic unless \
      given, and arms get what they get now unless --split says otherwise.
      """,
    examples: [
      "pushlift power --base 8% --uplift 35%",
      "pushlift power --base 8% --uplift 10% --design-effect 1.6 --nightly",
      "pushlift power --base 8% --units 20000 --split 20:80",
      "pushlift power --app shop --category social_post --uplift 10% --split 50:50",
    ],
    options: [
      base, uplift, units, power, CalculatorOptions.confidence, CalculatorOptions.designEffect, isNightly,
      CalculatorOptions.split, perDevice, app, ReportOptions.category,
    ] + SharedOptions.store
  ) { arguments in
    guard (arguments[uplift] == nil) != (arguments[units] == nil) else {
      throw arguments.usageError(
        "give either --uplift, such as --uplift 35%, or --units, such as --units 20000.")
    }
    guard arguments[uplift] != 0 else {
      throw arguments.usageError("no experiment can find an uplift of 0; give --uplift, such as 35%.")
    }
    guard let name = arguments[app] else {
      guard arguments[ReportOptions.category] == nil else {
        throw arguments.usageError("--category needs --app: which app's traffic to plan by.")
      }
      return try Terminal.write(Array(table(arguments, traffic: nil).utf8))
    }
    try await SharedOptions.withStore(arguments) { opened in
      let connection = try opened.store.connect(.asking)
      var query = RateQuery(app: try App.find(name, on: connection))
      query.category = arguments[ReportOptions.category]
      let traffic = try Traffic.read(
        query, level: try CalculatorOptions.level(arguments), on: connection)
      try Terminal.write(Array(table(arguments, traffic: traffic).utf8))
    }
  }

  /// The plan that the arguments and the traffic describe.
  static func table(_ arguments: ParsedArguments, traffic: Traffic?) throws -> String {
    let split = arguments[CalculatorOptions.split]
    var terms = ExperimentPlan.Terms(base: try baseRate(arguments, traffic))
    terms.power = arguments[power]
    terms.level = try CalculatorOptions.level(arguments)
    terms.designEffect = arguments[CalculatorOptions.designEffect] ?? traffic?.designEffect ?? 1
    terms.isNightly = arguments[isNightly]
    terms.allocation = try allocation(split, traffic)
    let plan: ExperimentPlan
    if let uplift = arguments[uplift] {
      guard terms.base * (1 + uplift) <= 1 else {
        throw arguments.usageError(
          "a rate of \(Format.percent(terms.base)) cannot rise by \(Format.percent(uplift)): that is over 100 %."
        )
      }
      plan = try ExperimentPlan(terms, uplift: uplift)
    } else {
      plan = try ExperimentPlan(terms, units: Double(arguments[units] ?? 0))
    }
    return plan.table(
      perDevice: arguments[perDevice], traffic: traffic, split: split.map { ($0.rich, $0.text) })
  }

  private static func baseRate(_ arguments: ParsedArguments, _ traffic: Traffic?) throws -> Double {
    if let base = arguments[base] { return base }
    guard let traffic else {
      throw arguments.usageError("give the text-only rate, such as --base 8%, or an --app to take it from.")
    }
    guard let rate = traffic.base, rate > 0, rate < 1 else {
      throw StoreError(
        .invalidValue, "The traffic gives no text-only rate to plan by: \(traffic.sentence)",
        remedy: "Give it as --base, such as --base 8%.")
    }
    return rate
  }

  private static func allocation(_ split: Split?, _ traffic: Traffic?) throws -> Double {
    if let split { return split.rich / split.text }
    guard let traffic else { return 1 }
    guard traffic.richPerDay > 0, traffic.textPerDay > 0 else {
      throw StoreError(
        .invalidValue, "The traffic has one arm only: \(traffic.sentence)",
        remedy: "Say with --split how an experiment would share it out, such as --split 50:50.")
    }
    return traffic.richPerDay / traffic.textPerDay
  }
}
