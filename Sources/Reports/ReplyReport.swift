internal import EventStore
package import Projections
internal import Statistics

/// Who replies, and how much they write.
package struct ReplyReport: Sendable {
  package let rates: RateReport
  package let lengths: [ReplyLengths]

  package let waiting: WaitingReplies

  package init(_ rates: RateReport, _ lengths: [ReplyLengths], _ waiting: WaitingReplies) {
    self.rates = rates
    self.lengths = lengths
    self.waiting = waiting
  }

  /// Both arms of each category, and of all added up.
  private var lines:
    [(name: String, scope: Comparison.Scope, arm: String, rates: Comparison.Arm, lengths: ReplyLengths?)]
  {
    (rates.categories + (rates.categories.isEmpty ? [] : [rates.crude])).flatMap { comparison in
      [("rich", comparison.rich, true), ("text", comparison.text, false)].map { arm, figures, isRich in
        let lengths = lengths.first { comparison.scope == .category($0.category) && $0.isRich == isRich }
        return (comparison.scope.name, comparison.scope, arm, figures, lengths)
      }
    }
  }

  /// For a terminal, ended by a line break.
  package func table(fitting width: Int? = nil) -> String {
    var table = TextTable([
      ("category", .left), ("arm", .left), ("delivered", .right), ("replied", .right), ("share", .right),
      ("\(Format.confidence(rates.confidence)) interval", .left), ("with text", .right),
      ("texts", .right), ("bytes: quarter", .right),
      ("half", .right), ("three quarters", .right), ("longest", .right),
    ])
    for line in lines {
      table.append(
        [
          line.scope == .crude ? "(all, crude)" : line.name, line.arm, Format.count(line.rates.counts.trials),
          Format.count(line.rates.counts.successes),
          line.rates.rate.map { Format.percent($0, digits: 2) } ?? "–",
          line.rates.interval.map {
            "\(Format.percent($0.lower, digits: 2)) to \(Format.percent($0.upper, digits: 2))"
          } ?? "–", line.lengths.map { Format.count($0.units) } ?? (line.scope == .crude ? "" : "0"),
          line.lengths.map { Format.count($0.replies) } ?? (line.scope == .crude ? "" : "0"),
        ] + Self.bytes(line.lengths).map { $0.map { Format.count($0) } ?? "" })
    }
    let query = rates.result.query
    let heading =
      "\(TextTable.visible(query.app.name)): replies within \(Format.window(query.windowSeconds)) of the delivery; "
      + "\(rates.deliveries) (\(query.zone)), position \(rates.result.checkpoint.position)"
    let body = lines.isEmpty ? ["Nothing counts in this period."] : table.lines(fitting: width)
    let notes = [rates.immatureSentence, waiting.sentence].compactMap(\.self)
    return ([heading, ""] + body + (notes.isEmpty ? [] : [""] + notes)).joined(separator: "\n") + "\n"
  }

  private static func bytes(_ lengths: ReplyLengths?) -> [Int?] {
    [lengths?.lowerQuartile, lengths?.median, lengths?.upperQuartile, lengths?.longest]
  }

  /// A row for each category and arm.
  package var rows: ReportRows {
    let lengthNames = ["bytes_lower_quartile", "bytes_median", "bytes_upper_quartile", "bytes_longest"]
    let header =
      [
        "app", "first_day", "last_day", "zone", "window_seconds", "metric", "definition_version",
        "rich_means",
        "position", "watermark", "confidence", "scope", "category", "arm", "delivered", "replied", "share",
        "share_lower", "share_upper", "replied_with_text", "replies",
      ] + lengthNames
    return ReportRows(
      header,
      lines.map { line in
        var cells = rates.frame
        cells["scope"] = .text(line.scope.kind)
        cells["category"] = .text(line.scope.cell)
        cells["arm"] = .text(line.arm)
        cells["delivered"] = .integer(Int(line.rates.counts.trials))
        cells["replied"] = .integer(Int(line.rates.counts.successes))
        cells["share"] = .decimal(line.rates.rate, digits: 8)
        cells["share_lower"] = .decimal(line.rates.interval?.lower, digits: 8)
        cells["share_upper"] = .decimal(line.rates.interval?.upper, digits: 8)
        if line.scope != .crude {
          cells["replied_with_text"] = .integer(line.lengths?.units ?? 0)
          cells["replies"] = .integer(line.lengths?.replies ?? 0)
        }
        for (name, value) in zip(lengthNames, Self.bytes(line.lengths)) {
          if let value { cells[name] = .integer(value) }
        }
        return cells
      })
  }
}

extension WaitingReplies {
  /// What no figure counts yet, as a sentence; nil where there is no such reply.
  package var sentence: String? {
    let parts = [
      undelivered > 0
        ? "\(Format.count(undelivered, "reply", "replies")) with text on notifications that nobody has reported as delivered"
        : nil,
      recent > 0
        ? "\(Format.count(recent, "reply", "replies")) with text on notifications whose window is still open"
        : nil,
    ].compactMap(\.self)
    return parts.isEmpty ? nil : "Not counted yet: \(parts.joined(separator: ", and "))."
  }
}
