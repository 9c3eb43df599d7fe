internal import Simulation

/// Posts batches of 1 to 200 events at a pace, retries them, and posts some again after they were acknowledged.
///
/// One without a pace posts the next small batch as soon as there is an answer, so that some request is under way whenever a
/// server dies.
struct SoakPoster {
  let clients: SoakClients
  let number: Int
  /// Events a second; nil for none.
  let pace: Double?
  private var generator: SeededGenerator
  private var next = 0
  private var client: LoopbackClient?

  init(_ clients: SoakClients, number: Int, pace: Double?, seed: UInt64) {
    self.clients = clients
    self.number = number
    self.pace = pace
    generator = SeededGenerator(seed: seed &* 1_000 &+ UInt64(number))
  }

  /// Returns once the soak is over.
  mutating func run() {
    var due = ContinuousClock.now
    while clients.gate.enter() {
      let batch = makeBatch()
      postOnce(batch)
      clients.gate.leave()
      guard let pace else { continue }
      // Time lost to a restart is not made up for.
      due = max(due, ContinuousClock.now - .seconds(1)) + .seconds(Double(batch.count) / pace)
      if due > .now { pause(due - .now) }
    }
  }

  private mutating func makeBatch() -> SoakBatch {
    let count = Int.random(in: 1...(pace == nil ? 5 : 200), using: &generator)
    let device = { (notification: Int) in "device-\((notification &* 2_654_435_761) % 5_000)" }
    let batch = SoakBatch(
      poster: number, first: next, count: count,
      dooms: clients.doomed.hasRoom && Int.random(in: 0..<20, using: &generator) == 0, device: device)
    next += count
    return batch
  }

  private mutating func postOnce(_ batch: SoakBatch) {
    let request = clients.post(batch.body)
    let givesUp = batch.doomedDevice == nil && (pace == nil || Bool.random(using: &generator))
    let answer = clients.send(request, on: &client, givesUp: givesUp)
    clients.ledger.change { state in
      state.entries.append(
        SoakLedger.Entry(
          poster: number, numbers: batch.first..<batch.first + batch.count,
          fate: answer == nil ? .abandoned : .acknowledged))
      state.counts.requests += answer == nil ? 0 : 1
      state.counts.events += answer == nil ? 0 : batch.count
    }
    guard answer != nil else { return }
    if batch.doomedDevice != nil { clients.doomed.put(batch) }
    if Int.random(in: 0..<10, using: &generator) == 0 { repost(batch, request) }
  }

  private mutating func repost(_ batch: SoakBatch, _ request: [UInt8]) {
    guard let answer = clients.send(request, on: &client) else { return }
    clients.expectDuplicates(answer, batch)
  }
}
