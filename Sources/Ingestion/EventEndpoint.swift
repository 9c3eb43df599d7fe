internal import EngagementEvents
internal import EventStore
internal import HTTPServer

/// `POST /v1/events`: decodes, hands over to the committer, and answers once the events are on disk.
struct EventEndpoint: Sendable {
  static let path = "/v1/events"

  let keys: KeyRing
  let committer: GroupCommitter
  let secret: StoreSecret
  let observer: ServiceObserver
  let decoders = DecoderPool { EventBatchDecoder() }
  let categories: CategoryShelf
  /// Nil where keys may send as much as they like.
  let limiter: RateLimiter?

  static let types: [(name: String, format: BodyFormat)] = [
    ("application/json", .json), ("application/x-ndjson", .ndjson),
  ]

  var route: Route {
    Route(
      .post, Self.path,
      body: .accept(limit: EventLimits.bodyBytes, contentTypes: Self.types.map(\.name), inflates: true),
      admit: admit, handle: handle)
  }

  private func admit(_ head: HTTPRequestHead) -> Admission {
    let admission = keys.admit(head, for: .write)
    guard let limiter, case .accept(let context) = admission, let key = context as? ApiKey,
      let seconds = limiter.delay(of: key.id)
    else { return admission }
    return .reject(.rateLimited(seconds))
  }

  private func handle(_ request: HTTPRequest, _ responder: Responder) {
    guard let key = request.context as? ApiKey,
      let format = Self.types.first(where: { $0.name == request.contentType })?.format
    else { preconditionFailure("the route admits only requests with a key and one of its types") }
    let decoded: DecodedBatch
    do {
      decoded = try decoders.decode { decoder throws(RequestFault) in
        try decoder.decode(request.body, format: format)
      }
    } catch {
      responder.respond(HTTPFault(error))
      return
    }
    if let seconds = limiter?.charge(decoded.results.count, to: key.id) {
      responder.respond(.rateLimited(seconds))
      return
    }
    let submission = Submission(
      decoded, app: key.app, receivedAt: Timestamp(microseconds: request.receivedAt), source: "http",
      secret: secret, categories: categories[key.app], replies: categories.replies(of: key.app))
    guard !submission.isEmpty else {
      responder.respond(submission.response([]))
      return
    }
    let requestID = request.requestID
    let refusal = committer.submit(submission.batch) { result in
      switch result {
      case .success(let outcomes):
        observer.note(submission, outcomes, app: key.app, requestID: requestID)
        responder.respond(submission.response(outcomes))
      case .failure(let error): responder.respond(HTTPFault(error))
      }
    }
    if let refusal { responder.respond(HTTPFault(refusal)) }
  }
}

extension HTTPFault {
  init(_ fault: RequestFault) {
    let status = HTTPStatus(rawValue: fault.status)
    self.init(
      status, fault.code.rawValue, fault.message,
      headers: status == .serviceUnavailable ? ["Retry-After": "1"] : [:])
  }

  /// A fault of the store is never the client's: the same bytes will do later.
  init(_ error: StoreError) {
    let isFull = error.code == .overloaded
    self.init(
      .serviceUnavailable, isFull ? "overloaded" : "store_unavailable",
      error.mayBeStored
        ? "It is not known whether this request is stored: its commit was under way. Send the same bytes again later, which stores nothing twice."
        : "Nothing of this request is stored; send the same bytes again later.",
      headers: ["Retry-After": isFull ? "1" : "5"])
  }

  static func rateLimited(_ seconds: Int) -> HTTPFault {
    HTTPFault(
      .tooManyRequests, "rate_limited",
      "This key sends more events than it may. Nothing of this request is stored; send it again in \(seconds) s.",
      headers: ["Retry-After": String(seconds)])
  }
}
