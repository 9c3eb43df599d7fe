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
