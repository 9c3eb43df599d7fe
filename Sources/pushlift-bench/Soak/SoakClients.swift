internal import Foundation
internal import Simulation

/// What all clients of a soak share.
struct SoakClients: Sendable {
  let port: UInt16
  let writeKey: String
  let adminKey: String
  let ledger: SoakLedger
  let gate: SoakGate
  /// Batches with a device to be erased, once they are acknowledged.
  let doomed: SoakQueue

  /// Sends a request again and again until it is answered 200.
  ///
  /// - Parameter givesUp: where a connection breaks under the request, so that nobody knows whether it was taken.
  /// - Returns: nil where it was given up, or answered what an answer may not be.
  func send(
    _ request: [UInt8], on client: inout LoopbackClient?, givesUp: Bool = false
  ) -> [UInt8]? {
    while true {
      if client == nil { client = LoopbackClient(port: port) }
      let answer = client?.exchange(request)
      if let answer, answer.status == 200 { return answer.body }
      let isInDoubt = client != nil && answer == nil
      if isInDoubt { client = nil }
      ledger.change { $0.counts.failedAttempts += 1 }
      if let answer, answer.status != 503 {
        ledger.fault(
          "an answer of \(answer.status): \(String(decoding: answer.body.prefix(200), as: UTF8.self))")
        return nil
      }
      if isInDoubt && givesUp || gate.givesUp { return nil }
      pause(.milliseconds(20))
    }
  }

  func post(_ body: [UInt8]) -> [UInt8] {
    head(
      "POST", "/v1/events", writeKey, "Content-Type: application/json\r\nContent-Length: \(body.count)\r\n")
      + body
  }

  func delete(device: String) -> [UInt8] { head("DELETE", "/v1/devices/\(device)", adminKey) }

  func get(_ path: String) -> [UInt8] { head("GET", path, adminKey) }

  private func head(_ method: String, _ path: String, _ key: String, _ more: String = "") -> [UInt8] {
    Array(
      "\(method) \(path) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nAuthorization: Bearer \(key)\r\n\(more)\r\n"
        .utf8)
  }
}

/// Posts batches of 1 to 200 events at a pace, retries them, and posts some again after they were acknowledged. One without a
/// pace posts the next small batch as soon as there is an answer, so that some request is under way whenever a server dies.
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

extension SoakClients {
  /// What is there, or was erased, comes in no more.
  func expectDuplicates(_ answer: [UInt8], _ batch: SoakBatch) {
    ledger.change { $0.counts.resent += 1 }
    let text = String(decoding: answer, as: UTF8.self)
    if !text.hasPrefix(#"{"accepted":0,"duplicates":\#(batch.count),"#) {
      ledger.fault("a batch of \(batch.count) posted again was answered \(text.prefix(200))")
    }
  }
}

/// Erases devices whose events were acknowledged, sends these again, and then a new one of the device.
struct SoakEraser {
  let clients: SoakClients
  /// As a poster of its own.
  let number: Int
  private var next = 0
  private var client: LoopbackClient?

  init(_ clients: SoakClients, number: Int) {
    self.clients = clients
    self.number = number
  }

  mutating func run() {
    while clients.gate.enter() {
      if let batch = clients.doomed.take() { erase(batch) }
      clients.gate.leave()
      pause(.milliseconds(500))
    }
  }

  private mutating func erase(_ batch: SoakBatch) {
    guard let device = batch.doomedDevice,
      clients.send(clients.delete(device: device), on: &client) != nil
    else { return }
    clients.ledger.change { state in
      state.erasures.append(SoakLedger.Erasure(device: device, poster: batch.poster, numbers: batch.doomed))
      state.counts.erasures += 1
    }
    if let answer = clients.send(clients.post(batch.body), on: &client) {
      clients.expectDuplicates(answer, batch)
    }
    let later = SoakBatch(poster: number, first: next, count: 1, dooms: false) { _ in device }
    next += 1
    guard clients.send(clients.post(later.body), on: &client) != nil else { return }
    clients.ledger.change { state in
      state.entries.append(
        SoakLedger.Entry(poster: number, numbers: later.first..<later.first + 1, fate: .acknowledged))
      state.counts.events += 1
    }
  }
}
