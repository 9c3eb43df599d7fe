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

  /// What is there, or was erased, comes in no more.
  func expectDuplicates(_ answer: [UInt8], _ batch: SoakBatch) {
    ledger.change { $0.counts.resent += 1 }
    let text = String(decoding: answer, as: UTF8.self)
    if !text.hasPrefix(#"{"accepted":0,"duplicates":\#(batch.count),"#) {
      ledger.fault("a batch of \(batch.count) posted again was answered \(text.prefix(200))")
    }
  }
}
