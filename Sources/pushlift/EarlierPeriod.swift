internal import Arguments
internal import Postgres
internal import Projections

/// The period that another is compared with.
enum EarlierPeriod: Sendable, Hashable {
  /// As many days as the other has, just before it.
  case previous
  case days(CalendarDate, CalendarDate)

  /// Finds a `previous` that has nothing to go by, and a period that begins after the other.
  func check(_ arguments: ParsedArguments) throws {
    if self == .previous, arguments[ReportOptions.from] == nil || arguments[ReportOptions.to] == nil {
      throw arguments.usageError("--compare previous goes with --from and --to, which say how many days.")
    }
    // They may share days, which is allowed for; but "before" has to begin no later.
    if case .days(let first, _) = self, let from = arguments[ReportOptions.from], first > from {
      throw arguments.usageError("--compare names an earlier period: \(first) is after --from \(from).")
    }
  }

  /// The query over this period, everything else alike.
  func query(before query: RateQuery) -> RateQuery {
    var earlier = query
    switch self {
    case .previous:
      guard let first = query.firstDay, let last = query.lastDay else {
        preconditionFailure("--compare previous was let through without --from and --to")
      }
      let days = last.daysSince1970 - first.daysSince1970 + 1
      earlier.firstDay = PostgresDate(daysSince1970: first.daysSince1970 - days)
      earlier.lastDay = PostgresDate(daysSince1970: first.daysSince1970 - 1)
    case .days(let first, let last):
      earlier.firstDay = first.postgresDate
      earlier.lastDay = last.postgresDate
    }
    return earlier
  }
}

extension ValueParser where Value == EarlierPeriod {
  static var earlierPeriod: Self {
    ValueParser(
      placeholder: "period",
      parse: { text throws(ValueError) in
        if text == "previous" { return .previous }
        let bounds = text.split(separator: "..", omittingEmptySubsequences: false).map {
          CalendarDate(String($0))
        }
        guard bounds.count == 2, let first = bounds[0], let last = bounds[1], first <= last else {
          throw ValueError(expected: "previous, or two days such as 2026-10-01..2026-10-31")
        }
        return .days(first, last)
      },
      describe: { period in
        switch period {
        case .previous: "previous"
        case .days(let first, let last): "\(first)..\(last)"
        }
      })
  }
}
