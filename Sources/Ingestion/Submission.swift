internal import EngagementEvents
internal import EventStore
internal import ForeignEvents
internal import HTTPServer
internal import Postgres

/// The events of one request on their way into the store, and the answer once their outcomes are known.
struct Submission: Sendable {
  /// What goes to the store: the accepted events, and letters for the rejected ones.
  let batch: AppendBatch
  private let rejected: [Verdict]
  /// Records that are about something else, by what that is.
  let ignored: [String: Int]
  /// The place is nil for what is odd about the request itself.
  let warnings: [(index: Int?, warning: EventWarning)]
  let unknownFields: Int

  struct Verdict: Sendable {
    let index: Int
    let id: String?
    let field: String
    let code: String
    let message: String
  }

  /// - Parameters:
  ///   - categories: those that the app has registered; nil where it has registered none.
  ///   - replies: what the app keeps of replies.
  ///   - system: whose records these are; empty for events in the contract's form.
  init(
    _ decoded: DecodedBatch, app: AppID, receivedAt: Timestamp, source: String, secret: StoreSecret,
    categories: CategoryIndex? = nil, replies: ReplyKeeping = .everything, system: String = ""
  ) {
    var batch = AppendBatch(rows: [], indices: [], deadLetters: [], source: source)
    batch.rows.reserveCapacity(decoded.results.count)
    batch.indices.reserveCapacity(decoded.results.count)
    var rejected: [Verdict] = []
    var warnings: [(index: Int?, warning: EventWarning)] = decoded.warning.map { [(nil, $0)] } ?? []
    var watch = categories.map(RegistryWatch.init)
    var limits: Set<DeclaredLimit> = []
    for (index, result) in zip(decoded.places, decoded.results) {
      switch result {
      case .event(let event, let found):
        let row = EventRow(
          event, app: app, receivedAt: receivedAt, sentAt: decoded.sentAt, secret: secret, keeping: replies)
        batch.rows.append(row)
        batch.indices.append(index)
        if !decoded.lacks.isEmpty, let lacks = decoded.lacks[index] {
          limits.formUnion(row.limits(lacks, of: system))
        }
        warnings += found.map { (index, $0) }
        if let odd = watch?.warnings(about: event), !odd.isEmpty { warnings += odd.map { (index, $0) } }
      case .rejected(let event):
        batch.deadLetters.append(
          DeadLetter(
            event, app: app, receivedAt: receivedAt, sentAt: decoded.sentAt, source: source
          ) { secret.deviceKey(app: app, device: $0) })
        let fault = event.fault
        rejected.append(
          Verdict(
            index: index, id: event.id, field: fault.field, code: fault.code.rawValue, message: fault.message)
        )
      }
    }
    batch.limits = Array(limits)
    self.batch = batch
    self.rejected = rejected
    self.warnings = warnings
    unknownFields = decoded.unknownFieldCount
    ignored = decoded.ignored
  }

  /// Whether there is nothing to store, neither an event nor a letter.
  var isEmpty: Bool { batch.weight == 0 }

  /// What became of the events of a request.
  struct Verdicts {
    var accepted = 0
    var duplicates = 0
    /// In the order of the request.
    var rejected: [Verdict]
  }

  func verdicts(_ outcomes: [AppendOutcome]) -> Verdicts {
    var verdicts = Verdicts(rejected: rejected)
    for (place, outcome) in outcomes.enumerated() {
      switch outcome {
      case .stored: verdicts.accepted += 1
      case .duplicate: verdicts.duplicates += 1
      case .conflict:
        verdicts.rejected.append(
          verdict(place, "id", AppendOutcome.conflictCode, AppendOutcome.conflictMessage))
      case .refused(let reason):
        verdicts.rejected.append(verdict(place, "", AppendOutcome.refusedCode, reason))
      }
    }
    verdicts.rejected.sort { $0.index < $1.index }
    return verdicts
  }

  /// 200 where every event is stored, 422 where none is, 207 otherwise.
  func response(_ outcomes: [AppendOutcome]) -> HTTPResponse {
    let verdicts = verdicts(outcomes)
    let status: HTTPStatus =
      verdicts.rejected.isEmpty
      ? .ok : verdicts.accepted + verdicts.duplicates > 0 ? .multiStatus : .unprocessableContent
    return HTTPResponse(status: status, contentType: "application/json", body: body(verdicts))
  }

  private func verdict(_ place: Int, _ field: String, _ code: String, _ message: String) -> Verdict {
    Verdict(
      index: batch.indices[place], id: batch.rows[place].event.id.text, field: field, code: code,
      message: message)
  }

  private func body(_ verdicts: Verdicts) -> [UInt8] {
    var json = JSONText()
    json.object { json in
      verdicts.write(to: &json)
      if !warnings.isEmpty {
        json.array("warnings", warnings) { entry, json in
          json.member("index", entry.index)
          json.member("field", entry.warning.field)
          json.member("code", entry.warning.code.rawValue)
          json.member("message", entry.warning.message)
        }
      }
      if unknownFields > 0 { json.member("unknownFields", unknownFields) }
    }
    return json.utf8
  }
}

extension Submission.Verdicts {
  /// As members of an object.
  func write(to json: inout JSONText) {
    json.member("accepted", accepted)
    json.member("duplicates", duplicates)
    json.array("rejected", rejected) { verdict, json in
      json.member("index", verdict.index)
      json.member("id", verdict.id)
      json.member("field", verdict.field)
      json.member("code", verdict.code)
      json.member("message", verdict.message)
    }
  }
}

extension EventRow {
  /// What a delivery does not tell, for the reports of its day. One that no report counts has nothing to tell.
  fileprivate func limits(_ lacks: LimitSet, of system: String) -> [DeclaredLimit] {
    guard timing.quality != .implausible else { return [] }
    let day = Int32(timing.corrected.utcDay)
    return lacks.limits.map { limit in
      DeclaredLimit(app: app, day: day, category: event.category.text, source: system, limit: limit)
    }
  }
}

extension DeadLetter {
  /// - Parameter deviceKey: the key that an event of the device would be stored with, had it not been rejected.
  init(
    _ event: RejectedEvent, app: AppID, receivedAt: Timestamp, sentAt: Timestamp? = nil, source: String,
    file: String? = nil, deviceKey: (DeviceID) -> UUID128
  ) {
    // A device id that is not valid as one has no key; the letter is then kept without.
    let device = event.deviceID.flatMap { try? DeviceID($0) }
    self.init(
      app: app, receivedAt: receivedAt, sentAt: sentAt, source: source, file: file, index: event.index,
      eventID: event.id, deviceKey: device.map(deviceKey), field: event.fault.field,
      code: event.fault.code.rawValue, message: event.fault.message, body: event.redacted)
  }
}
