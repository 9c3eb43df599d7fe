internal import EngagementEvents
internal import Foundation

/// Sends what waits, one request at a time.
///
/// It can be stopped or killed anywhere: an event leaves the disk only after the server has answered for it.
struct Uploader: Sendable {
  let queue: EventQueue
  let keyRefusal: KeyRefusal
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
    /// Whether the last answer was that the key is not taken.
    var isKeyRefused = false
    /// When the delegate was last told that the key is refused.
    var toldOfKey: Timestamp?
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
    run.isKeyRefused = false
    let response: UploadResponse
    do { response = try await transport.send(request(batch)) } catch {
      try Task.checkCancellation()
      return delay(&run, after: nil, reason: "no answer: \(error)")
    }
    let count = batch.ids.count
    switch UploadVerdict(response, eventCount: count, now: clock.now) {
    case .settled(let accepted, let duplicates, let rejected):
      keyRefusal.end()
      finish(batch.ids, of: &run)
      run.size.grow()
      report(.uploaded(accepted: accepted, duplicates: duplicates))
      if !rejected.isEmpty { report(.rejected(rejected)) }
    case .refused(let refusal):
      finish(batch.ids, of: &run)
      report(
        .refused(
          events: count, status: response.status, code: refusal.code, message: refusal.message))
    case .keyRefused(let refusal):
      noteKey(refusal, status: response.status, &run)
      return delay(&run, after: nil, reason: "status \(response.status): \(refusal.code)")
    case .tooLarge(let isCertain):
      if run.size.shrink(from: count) { return .smaller }
      guard isCertain else {
        return delay(&run, after: nil, reason: UploadVerdict.foreign(response.status))
      }
      finish(batch.ids, of: &run)
      report(.dropped(events: count, reason: .tooLarge))
    case .retry(let wait, let reason):
      return delay(&run, after: wait, reason: reason)
    }
    run.backoff.reset()
    return .done
  }

  /// Tells of it, but not at every try.
  private func noteKey(_ refusal: UploadVerdict.Refusal, status: Int, _ run: inout UploadRun) {
    let now = clock.now
    run.isKeyRefused = true
    keyRefusal.begin(at: now)
    if let told = run.toldOfKey, told <= now, now < told.advanced(by: .seconds(3_600)) { return }
    run.toldOfKey = now
    report(.keyRefused(status: status, code: refusal.code, message: refusal.message))
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

  /// Gives up what is too old, and the oldest of what is too much; and what a refused key has held up for too long.
  ///
  /// Only where the server cannot be reached or does not take the key: a clock that is years ahead makes all events old, and
  /// they can be sent all the same.
  ///
  /// - Returns: whether there was anything to give up.
  private func giveUp(_ run: inout UploadRun) throws -> Bool {
    let now = clock.now
    let entries = run.pending.inOrder
    let old = entries.prefix { $0.recordedAt.advanced(by: options.maximumAge) < now }
    let cutoff = run.isKeyRefused ? keyRefusal.cutoff(at: now) : nil
    let refused = entries.dropFirst(old.count).prefix {
      $0.recordedAt < (cutoff ?? Timestamp(microseconds: .min))
    }
    let many = entries.dropFirst(old.count + refused.count).dropLast(options.maximumEvents)
    let groups: [(ArraySlice<PendingEvents.Entry>, EngagementReport.DropReason)] = [
      (old, .tooOld), (refused, .keyRefused), (many, .tooMany),
    ]
    let ids = Set(groups.flatMap { $0.0.map(\.id) })
    if ids.isEmpty { return false }
    try queue.discard(ids, of: &run.pending)
    for (events, reason) in groups where !events.isEmpty {
      report(.dropped(events: events.count, reason: reason))
    }
    return true
  }
}
