internal import EngagementEvents
internal import Foundation

/// Sends what waits, one request at a time.
///
/// It can be stopped or killed anywhere: an event leaves the disk only after the server has answered for it.
struct Uploader: Sendable {
  let queue: EventQueue
  let transport: any Transport
  let clock: any EngagementClock
  /// Draws evenly from 0 up to 1.
  let jitter: @Sendable () -> Double
  let endpoint: URL
  let key: String
  let options: EngagementOptions
  let nap = UploadNap()
  let report: @Sendable (EngagementReport) -> Void

  /// Sends until nothing is left that may be sent, waiting between tries for as long as it takes.
  ///
  /// - Throws: `CancellationError`; an ``EngagementError`` where the journals cannot be listed.
  func run() async throws {
    var run = UploadRun(size: BatchSize(largest: options.batchEvents), backoff: options.backoff)
    while try await sendAll(&run) {}
  }

  /// What one run remembers.
  private struct UploadRun {
    var pending = PendingEvents()
    /// Done with, but in files with others.
    var finished: Set<EventID> = []
    /// Files told of.
    var damaged: Set<String> = []
    var size: BatchSize
    var backoff: Backoff
  }

  /// Sends what is there now.
  ///
  /// - Returns: whether to look again.
  private func sendAll(_ run: inout UploadRun) async throws -> Bool {
    run.pending = try queue.pending()
    let damaged = Set(run.pending.damagedFiles).subtracting(run.damaged)
    if !damaged.isEmpty { report(.dropped(events: damaged.count, reason: .damaged)) }
    run.damaged.formUnion(damaged)
    // Of those that another process has removed meanwhile nothing need be remembered.
    run.finished.formIntersection(run.pending.inOrder.map(\.id))
    finish(run.finished, of: &run)
    var rest = run.pending.sendable(at: clock.now)[...]
    if rest.isEmpty { return false }
    while !rest.isEmpty {
      let candidates = rest.prefix(run.size.events)
      let batch = EventBatch(queue.load(candidates), bytes: options.batchBytes)
      guard let last = batch.ids.last else {
        // Another process has sent these meanwhile.
        rest = rest.dropFirst(candidates.count)
        continue
      }
      switch try await send(batch, &run) {
      case .done: rest = rest.drop { $0.id != last }.dropFirst()
      case .smaller: continue
      case .later(let delay, let isAsked):
        let isChanged = try giveUp(&run)
        try await nap.sleep(for: delay, isLight: !isAsked, clock: clock)
        // Another look would cost as much as there waits, so it is spared where nothing has been given up.
        if isChanged { return true }
      }
    }
    return true
  }

  /// What follows from an answer.
  private enum Outcome {
    /// The events are off the disk.
    case done
    /// The same again, in smaller batches.
    case smaller
    /// After a wait, which the server asked for, or which it did not.
    case later(Duration, isAsked: Bool)
  }

  private func send(_ batch: EventBatch, _ run: inout UploadRun) async throws -> Outcome {
    try Task.checkCancellation()
    let response: UploadResponse
    do { response = try await transport.send(request(batch)) } catch {
      try Task.checkCancellation()
      return delay(&run, after: nil, reason: "no answer: \(error)")
    }
    let count = batch.ids.count
    switch UploadVerdict(response, eventCount: count, now: clock.now) {
    case .settled(let accepted, let duplicates, let rejected):
      finish(batch.ids, of: &run)
      run.size.grow()
      report(.uploaded(accepted: accepted, duplicates: duplicates))
      if !rejected.isEmpty { report(.rejected(rejected)) }
    case .refused(let code, let message):
      finish(batch.ids, of: &run)
      report(.refused(events: count, status: response.status, code: code, message: message))
    case .tooLarge:
      if run.size.shrink(from: count) { return .smaller }
      finish(batch.ids, of: &run)
      report(.dropped(events: count, reason: .tooLarge))
    case .retry(let wait, let reason):
      return delay(&run, after: wait, reason: reason)
    }
    run.backoff.reset()
    return .done
  }

  private func delay(_ run: inout UploadRun, after wait: Duration?, reason: String) -> Outcome {
    let delay = run.backoff.next(after: wait, jitter: jitter())
    report(.delayed(seconds: delay / .seconds(1), reason: reason))
    return .later(delay, isAsked: wait != nil)
  }

  private func request(_ batch: EventBatch) -> UploadRequest {
    let body = batch.body(sentAt: clock.now)
    var headers = ["Authorization": "Bearer \(key)", "Content-Type": "application/json"]
    let compressed = Gzip.compress(body)
    if compressed != nil { headers["Content-Encoding"] = "gzip" }
    return UploadRequest(url: endpoint, headers: headers, body: Data(compressed ?? body))
  }

  /// Removes the files that hold nothing but these and others that are done with.
  private func finish(_ ids: some Collection<EventID>, of run: inout UploadRun) {
    run.finished.formUnion(ids)
    queue.remove(run.pending.resolve(ids))
  }

  /// Gives up what is too old, and the oldest of what is too much.
  ///
  /// Only where the server cannot be reached: a clock that is years ahead makes all events old, and they can be sent
  /// all the same.
  ///
  /// - Returns: whether there was anything to give up.
  private func giveUp(_ run: inout UploadRun) throws -> Bool {
    let now = clock.now
    let entries = run.pending.inOrder
    let old = entries.prefix { $0.recordedAt.advanced(by: options.maximumAge) < now }
    let many = entries.dropFirst(old.count).dropLast(options.maximumEvents)
    if old.isEmpty, many.isEmpty { return false }
    try queue.discard(Set((old + many).map(\.id)), of: &run.pending)
    if !old.isEmpty { report(.dropped(events: old.count, reason: .tooOld)) }
    if !many.isEmpty { report(.dropped(events: many.count, reason: .tooMany)) }
    return true
  }
}
