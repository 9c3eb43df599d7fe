internal import ForeignEvents
internal import Ingestion

/// What an import of another system's records brings, and what it cannot bring.
struct ImportSummary {
  private let tally: ImportTally
  private let options: ForeignOptions
  private let limits: LimitSet
  private let isDry: Bool

  /// - Parameter limits: what none of the records tells.
  init(_ tally: ImportTally, _ options: ForeignOptions, limits: LimitSet, isDry: Bool) {
    self.tally = tally
    self.options = options
    self.limits = limits
    self.isDry = isDry
  }

  func print() throws {
    for line in lines { try Terminal.print(line) }
  }

  private var lines: [String] {
    var lines: [String] = []
    if isDry {
      lines += tally.samples.map { String(decoding: $0, as: UTF8.self) }
      if tally.samples.count < tally.stored { lines.append("…") }
    }
    guard !tally.kinds.isEmpty else {
      let isAllSent = options.ignoresSent && tally.ignored["sent"] != nil
      return lines + [isAllSent ? noDelivery : "No events. Is it of the system that --format names?"]
    }
    lines.append(kinds)
    guard tally.stored + tally.duplicates > 0 else { return lines }
    let deliveries = (tally.kinds[.delivered] ?? 0) + (tally.kinds[.sent] ?? 0)
    let untold = tally.lacks.keys.reduce(into: limits) { $0.insert(LimitSet($1)) }
    if untold.isEmpty {
      let all = "The source tells all that is measured, as far as its owner tracks it."
      return lines + [deliveries == 0 ? noDelivery : all]
    }
    lines.append("What the source does not tell, and what that forbids:")
    for limit in untold.limits where !SourceLimit.ofMetrics.contains(limit) {
      let count = tally.lacks[limit] ?? 0
      // Of records: one that is sent and one that is received may be of the same notification.
      let share = count == deliveries || count == 0 ? "" : " (\(count) \(count == 1 ? "record" : "records"))"
      lines.append("  \(limit.words)\(share): \(consequence(of: limit))")
    }
    if let metrics = untold.untold { lines.append("  \(metrics): \(SourceLimit.opening.consequence)") }
    if deliveries == 0 { return lines + [noDelivery] }
    return lines + ["So \(untold.comparison)."]
  }

  private var noDelivery: String {
    let none =
      "No deliveries among them: an interaction counts where the delivery it belongs to is stored too."
    guard options.ignoresSent, tally.ignored["sent"] != nil else { return none }
    return none + " --ignore-sent left them out; without it rates are of what was sent."
  }

  private func consequence(of limit: SourceLimit) -> String {
    guard limit == .richness, options.campaigns != nil else { return limit.consequence }
    return
      "rich and text-only cannot be compared where the campaigns file has no line for a record's campaign"
  }

  private var kinds: String {
    let counts = ImportTally.Kind.allCases.compactMap { kind in tally.kinds[kind].map { "\(kind) \($0)" } }
    return "Events: " + counts.joined(separator: ", ")
  }
}
