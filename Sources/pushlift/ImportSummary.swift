internal import ForeignEvents
internal import Ingestion

/// What an import of another system's records brings, and what it cannot bring.
struct ImportSummary {
  private let tally: ImportTally
  private let limits: LimitSet
  private let isDry: Bool

  /// - Parameter limits: what none of the records tells.
  init(_ tally: ImportTally, limits: LimitSet, isDry: Bool) {
    self.tally = tally
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
    guard !tally.kinds.isEmpty else { return lines + ["No events. Is it of the system that --format names?"] }
    lines.append(kinds)
    let deliveries = (tally.kinds[.delivered] ?? 0) + (tally.kinds[.sent] ?? 0)
    let untold = tally.lacks.keys.reduce(into: limits) { $0.insert(LimitSet($1)) }
    if untold.isEmpty {
      return lines + ["The source tells all that is measured, as far as its owner tracks it."]
    }
    lines.append("What the source does not tell, and what that forbids:")
    for limit in untold.limits where !SourceLimit.ofMetrics.contains(limit) {
      let count = tally.lacks[limit] ?? 0
      let share = count == deliveries || count == 0 ? "" : " (\(count) of \(deliveries) deliveries)"
      lines.append("  \(limit.words)\(share): \(limit.consequence)")
    }
    if let metrics = untold.untold { lines.append("  \(metrics): \(SourceLimit.opening.consequence)") }
    if deliveries == 0 {
      return lines + [
        "No deliveries among them: an interaction counts where the delivery it belongs to is stored too."
      ]
    }
    return lines + ["So \(untold.comparison)."]
  }

  private var kinds: String {
    let counts = ImportTally.Kind.allCases.compactMap { kind in tally.kinds[kind].map { "\(kind) \($0)" } }
    return "Events: " + counts.joined(separator: ", ")
  }
}
