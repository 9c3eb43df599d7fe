internal import EngagementEvents
internal import EventStore
internal import ForeignEvents
internal import HTTPServer

/// The paths that Segment's and RudderStack's clients post to, with the answers that these expect: 200 ends a batch, whatever
/// became of its events; 400 ends it as well; 429 and 5xx are sent again.
struct SegmentEndpoint: Sendable {
  /// Of whole batches; the second is that of the Swift and Kotlin clients, the third that of older ones.
  static let batchPaths = ["/v1/batch", "/v1/b", "/v1/import"]
  /// Of single calls.
  static let calls = ["track", "identify", "page", "screen", "group", "alias"]
  static let paths = batchPaths + calls.map { "/v1/" + $0 }

  let keys: KeyRing
  let committer: GroupCommitter
  let secret: StoreSecret
  let observer: ServiceObserver
  let categories: CategoryShelf
  let decoders = DecoderPool { SegmentDecoder() }
  /// Nil where keys may send as much as they like.
  let limiter: RateLimiter?

  /// Browsers send text/plain, for which they need not ask first.
  static let types = ["application/json", "text/plain"]

  var routes: [Route] {
    Self.batchPaths.map { route($0, call: nil) } + Self.calls.map { route("/v1/" + $0, call: $0) }
  }

  private func route(_ path: String, call: String?) -> Route {
    Route(
      .post, path,
      body: .accept(limit: EventLimits.bodyBytes, contentTypes: Self.types, inflates: true), admit: admit
    ) { request, responder in handle(request, call: call, responder) }
  }

  /// A request without a header may have its key in the body.
  private func admit(_ head: HTTPRequestHead) -> Admission {
    do throws(HTTPFault) {
      guard let header = try KeyRing.authorization(of: head), let presented = try KeyRing.writeKey(in: header)
      else { return .accept() }
      let key = try keys.check(presented, for: .write)
      if let seconds = limiter?.delay(of: key.id) { throw .rateLimited(seconds) }
      return .accept(context: key)
    } catch {
      return .refuse(.segment(error))
    }
  }

  private func handle(_ request: HTTPRequest, call: String?, _ responder: Responder) {
    do throws(HTTPFault) {
      let decoded = try decode(request, call: call)
      let key =
        if let key = request.context as? ApiKey { key } else { try keys.check(decoded.writeKey, for: .write) }
      if let seconds = limiter?.charge(decoded.count, to: key.id) { throw .rateLimited(seconds) }
      let submission = Submission(
        decoded, app: key.app, receivedAt: Timestamp(microseconds: request.receivedAt), source: "http",
        secret: secret, categories: categories[key.app], replies: categories.replies(of: key.app),
        system: ForeignFormat.segment.rawValue)
      try submit(submission, app: key.app, request.requestID, responder)
    } catch {
      responder.respond(.segment(error))
    }
  }

  private func decode(_ request: HTTPRequest, call: String?) throws(HTTPFault) -> DecodedBatch {
    do throws(RequestFault) {
      return try decoders.decode { decoder throws(RequestFault) in
        try decoder.decode(request.body, call: call)
      }
    } catch {
      throw HTTPFault(error)
    }
  }

  private func submit(
    _ submission: Submission, app: AppID, _ requestID: String, _ responder: Responder
  ) throws(HTTPFault) {
    guard !submission.isEmpty else {
      observer.note(submission, [], app: app, requestID: requestID)
      return responder.respond(submission.segmentResponse([]))
    }
    let refusal = committer.submit(submission.batch) { [observer] result in
      switch result {
      case .success(let outcomes):
        observer.note(submission, outcomes, app: app, requestID: requestID)
        responder.respond(submission.segmentResponse(outcomes))
      case .failure(let error): responder.respond(.segment(HTTPFault(error)))
      }
    }
    if let refusal { throw HTTPFault(refusal) }
  }
}

extension Submission {
  /// 200, since what was rejected will not do later either; 400 where there is nothing else.
  func segmentResponse(_ outcomes: [AppendOutcome]) -> HTTPResponse {
    var verdicts = verdicts(outcomes)
    verdicts.rejected = verdicts.rejected.map(SegmentNames.told)
    let isUseful =
      verdicts.rejected.isEmpty || verdicts.accepted + verdicts.duplicates > 0 || !ignored.isEmpty
    var json = JSONText()
    json.object { json in
      json.member("success", isUseful)
      if !isUseful, let first = verdicts.rejected.first {
        json.member("code", first.code)
        json.member("message", first.message)
      }
      verdicts.write(to: &json)
      json.member("ignored", ignored.reduce(0) { $0 + $1.value })
    }
    return HTTPResponse(
      status: isUseful ? .ok : .badRequest, contentType: "application/json", body: json.utf8)
  }
}

extension HTTPResponse {
  /// An error with code and message where those clients look for them: one that does not find them sends again.
  static func segment(_ fault: HTTPFault) -> HTTPResponse {
    var json = JSONText()
    json.object { json in
      json.member("success", false)
      json.member("code", fault.code)
      json.member("message", fault.message)
    }
    var response = HTTPResponse(status: fault.status, contentType: "application/json", body: json.utf8)
    for field in fault.headers.fields { response.headers.append(field.name, field.value) }
    return response
  }
}
