internal import EngagementEvents
internal import EventStore
internal import HTTPServer

/// `POST /v1/events`: decodes, hands over to the committer, and answers once the events are on disk.
struct EventEndpoint: Sendable {
  let keys: KeyRing
  let committer: GroupCommitter
  let secret: StoreSecret

  private static let types: [(name: String, format: BodyFormat)] = [
    ("application/json", .json), ("application/x-ndjson", .ndjson),
  ]

  var route: Route {
    Route(
      .post, "/v1/events",
      body: .accept(limit: EventLimits.bodyBytes, contentTypes: Self.types.map(\.name), inflates: true),
      admit: { head in keys.admit(head, for: .write) },
      handle: handle)
  }

  private func handle(_ request: HTTPRequest, _ responder: Responder) {
    guard let key = request.context as? ApiKey,
      let format = Self.types.first(where: { $0.name == request.contentType })?.format
    else { preconditionFailure("the route admits only requests with a key and one of its types") }
    let decoded: DecodedBatch
    do {
      decoded = try EventBatchDecoder().decode(request.body, format: format)
    } catch {
      responder.respond(HTTPFault(HTTPStatus(rawValue: error.status), error.code.rawValue, error.message))
      return
    }
    let submission = Submission(
      decoded, app: key.app, receivedAt: Timestamp(microseconds: request.receivedAt), source: "http",
      secret: secret)
    guard !submission.isEmpty else {
      responder.respond(submission.response([]))
      return
    }
    let refusal = committer.submit(submission.batch) { result in
      switch result {
      case .success(let outcomes): responder.respond(submission.response(outcomes))
      case .failure(let error): responder.respond(HTTPFault(error))
      }
    }
    if let refusal { responder.respond(HTTPFault(refusal)) }
  }
}

extension HTTPFault {
  /// A fault of the store is never the client's: the same bytes will do later.
  init(_ error: StoreError) {
    let isFull = error.code == .overloaded
    self.init(
      .serviceUnavailable, isFull ? "overloaded" : "store_unavailable",
      "Nothing of this request is stored; send the same bytes again later.",
      headers: ["Retry-After": isFull ? "1" : "5"])
  }
}
