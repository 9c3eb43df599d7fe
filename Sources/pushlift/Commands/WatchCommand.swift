internal import Arguments
internal import EngagementEvents
internal import EventStore
internal import Foundation
internal import Postgres
internal import Projections
internal import Reports

/// `pushlift watch`.
enum WatchCommand {
  private static let interval = Option<Duration>(
    "interval", .duration(in: .seconds(1) ... .seconds(86_400)), default: .seconds(2),
    help: "How long to wait between two looks.")

  static let command = Command(
    "watch", abstract: "Show how events come in and what the rates are, again and again.",
    discussion: """
      On a terminal the view stays in place; elsewhere each look is a line. Ctrl-C ends it. Where the database is away, it \
      waits for it.
      """,
    examples: ["pushlift watch", "pushlift watch --app shop --from 2026-11-01 --interval 10s"],
    options: SharedOptions.store + ReportOptions.counting + [interval]
  ) { arguments in
    try ReportOptions.checkPeriod(arguments)
    try await SharedOptions.withStore(arguments) { opened in
      let watch = Watch(opened.store, arguments, every: arguments[interval])
      let signals = Interruption.current.makeSequence()
      watch.start()
      let interrupted = Task {
        for await _ in signals { break }
        watch.stop()
      }
      defer { interrupted.cancel() }
      for await outcome in watch.outcome { try outcome.get() }
    }
  }
}

/// Looks at the store on a thread of its own until it is stopped.
private final class Watch: Sendable {
  private let store: EventStore
  private let arguments: ParsedArguments
  private let interval: Duration
  private let end = DispatchSemaphore(value: 0)
  /// Gives the one outcome, at the end.
  let outcome: AsyncStream<Result<Void, any Error>>
  private let finished: AsyncStream<Result<Void, any Error>>.Continuation

  init(_ store: EventStore, _ arguments: ParsedArguments, every interval: Duration) {
    self.store = store
    self.arguments = arguments
    self.interval = interval
    (outcome, finished) = AsyncStream.makeStream()
  }

  func start() {
    Thread.detachNewThread { [self] in
      finished.yield(Result { try run() })
      finished.finish()
    }
  }

  func stop() { end.signal() }

  private func run() throws {
    var isFirst = true
    repeat {
      do {
        try look(isFirst: isFirst)
      } catch let error as StoreError where error.code == .unavailable && !isFirst {
        Terminal.complain("\(error)")
      } catch let error as PostgresError where error.isConnectionLost && !isFirst {
        Terminal.complain("\(error)")
      }
      isFirst = false
    } while !isEnded(after: interval)
  }

  private func isEnded(after time: Duration) -> Bool {
    end.wait(timeout: .now() + (time / .seconds(1))) == .success
  }

  /// Shows the state again and again, until it is ended or the connection is lost.
  private func look(isFirst: Bool) throws {
    let connection = try store.connect(.asking)
    var former: WatchState?
    var place = isFirst
    repeat {
      let state = try WatchState(arguments, since: former, on: connection)
      try Terminal.write(Array((Terminal.isShown ? state.screen(isFirst: place) : state.line).utf8))
      former = state
      place = false
      if isEnded(after: interval) {
        end.signal()
        return
      }
    } while true
  }
}

/// One look at the store.
private struct WatchState {
  private let report: RateReport
  private let lastPosition: Int64
  private let lookedAt: ContinuousClock.Instant
  private let time = Date()
  /// Positions a second since the look before; nil for the first one.
  private let pace: Double?

  init(_ arguments: ParsedArguments, since former: WatchState?, on connection: borrowing Connection) throws {
    let query = try ReportOptions.query(arguments, on: connection)
    report = try RateReport(try RateReader.readEngagement(query, on: connection) { _, _ in [] })
    let last = try PositionBarrier.lastPosition(on: connection) ?? 0
    let now = ContinuousClock.now
    lastPosition = last
    lookedAt = now
    pace = former.map { former in
      Double(last - former.lastPosition) / max((now - former.lookedAt) / .seconds(1), 0.001)
    }
  }

  private var lag: Int64 { max(0, lastPosition - report.result.checkpoint.position) }

  private var age: Double? {
    report.result.checkpoint.watermark.map {
      max(0, time.timeIntervalSince1970 - Double($0.microsecondsSince1970) / 1_000_000)
    }
  }

  private var now: String {
    String(Timestamp(microseconds: Int64(time.timeIntervalSince1970) * 1_000_000).rfc3339)
  }

  /// For those who keep it.
  var line: String {
    let words = [
      "time=\(now)", "position=\(lastPosition)", "lag=\(lag)",
      "events_per_second=\(pace.map { Format.decimal($0, digits: 1) } ?? "")",
      "watermark_age=\(age.map { Format.decimal($0, digits: 0) } ?? "")",
      "delivered=\(report.result.total.rich.units + report.result.total.text.units)",
      "answer=\"\(report.headline.replacing("\"", with: "'"))\"",
    ]
    return words.joined(separator: " ") + "\n"
  }

  /// For whoever looks: drawn over the one before.
  func screen(isFirst: Bool) -> String {
    let pace = pace.map { "\(Format.decimal($0, digits: 0)) events/s" } ?? "…"
    let age = age.map { "last one aggregated came \(Format.elapsed($0)) ago" } ?? "none aggregated yet"
    let lines =
      [
        "pushlift watch  \(now)  (Ctrl-C ends)", "",
        "position \(Format.count(Int(lastPosition)))  \(pace)  \(Format.count(Int(lag))) to aggregate  \(age)",
        "",
        Terminal.emphasised(report.headline), "",
      ] + report.briefTable.lines(fitting: Terminal.width)
    // Each line clears what stood behind it, so that nothing flickers.
    let text = lines.map { $0 + "\u{1B}[K\n" }.joined()
    return (isFirst ? "\u{1B}[2J" : "") + "\u{1B}[H" + text + "\u{1B}[J"
  }
}
