import CMicroHTTPD

/// One request on its way through: created with the request line, let go of when the library is done with it.
///
/// Belongs to the thread of its connection; what other threads may touch lies in its `Reply`.
final class Exchange {
  let core: ServerCore
  let connection: Connection
  let target: String
  var startedAt: Int64 = 0
  var method = HTTPMethod.get
  var path = ""
  var clientAddress: String
  var requestID = ""
  var isCounted = false
  var closesAfterwards = false
  private var stage = Stage.head
  private var route: Route?
  private var head: HTTPRequestHead?
  private var context: (any Sendable)?
  private var reader: BodyReader?
  private var refusal: HTTPResponse?
  private var reply: Reply?

  private enum Stage {
    case head
    case body
    /// The refusal is ready, and a small rest of the request is swallowed so that the connection can go on.
    case discarding
    case waiting
  }

  init(core: ServerCore, connection: Connection, target: String) {
    self.core = core
    self.connection = connection
    self.target = target
    clientAddress = connection.peer
  }

  /// The library's callback: once for the head, then for each piece of the body, then once more, and again after each suspension.
  ///
  /// - Returns: NO closes the connection without a word.
  func advance(
    _ mhd: OpaquePointer, _ line: RequestLine, _ piece: UnsafeRawBufferPointer,
    _ unread: UnsafeMutablePointer<Int>
  ) -> MHD_Result {
    switch stage {
    case .head:
      return open(mhd, line)
    case .body where piece.count > 0:
      unread.pointee = 0
      return read(piece, mhd)
    case .discarding where piece.count > 0:
      unread.pointee = 0
      return .YES
    case .body:
      guard connection.endReading() else { return .NO }
      return answer(mhd)
    case .discarding:
      guard connection.endReading(), let refusal else { return .NO }
      return send(refusal, mhd)
    case .waiting:
      return deliver(mhd)
    }
  }

  // MARK: the head

  private func open(_ mhd: OpaquePointer, _ line: RequestLine) -> MHD_Result {
    let receivedAt = cmhd_wall_clock()
    startedAt = cmhd_monotonic_clock()
    connection.endOpening()
    let opened: OpenedHead
    do {
      opened = try readHead(mhd, line, receivedAt: receivedAt)
    } catch {
      // Where this request ends is in doubt, so nothing behind it is read.
      return sendAtOnce(response(to: error), mhd)
    }
    core.countRequest(1)
    isCounted = true
    // How chunks end is read leniently by the library; what follows them is not trusted to be a request.
    closesAfterwards = opened.framing == .chunked
    do {
      guard let refusal = try admit(opened) else { return .YES }
      return turnDown(refusal, opened, mhd)
    } catch {
      return turnDown(response(to: error), opened, mhd)
    }
  }

  /// - Returns: what to answer instead of reading the body; nil = the body is welcome.
  private func admit(_ opened: OpenedHead) throws(HTTPFault) -> HTTPResponse? {
    let head = opened.head
    if core.phase != .running { throw ServerCore.stopping }
    let route: Route
    switch try core.routes.match(head.method, head.path) {
    case .options(let allow): return HTTPResponse(status: .noContent, headers: ["Allow": allow])
    case .route(let found): route = found
    }
    if let expectation = head.headers["Expect"], !expectation.equalsIgnoringCase("100-continue") {
      throw HTTPFault(
        .expectationFailed, "expectation_failed", "The only expectation met here is 100-continue.")
    }
    switch route.admit(head) {
    case .accept(let context): self.context = context
    case .refuse(let response): return response
    case .reject(let fault): throw fault
    }
    reader = try BodyReader(
      plan: BodyPlan(policy: route.body, headers: head.headers, framing: opened.framing))
    self.route = route
    self.head = head
    stage = .body
    return nil
  }

  /// Small bodies are swallowed, so that the client keeps its connection: a new one costs both sides more.
  private func turnDown(_ refusal: HTTPResponse, _ opened: OpenedHead, _ mhd: OpaquePointer) -> MHD_Result {
    let isSmall: Bool
    switch opened.framing {
    case .none: isSmall = true
    case .length(let length): isSmall = length <= Self.swallowedLimit
    case .chunked: isSmall = false
    }
    guard isSmall, opened.head.headers["Expect"] == nil else { return sendAtOnce(refusal, mhd) }
    self.refusal = refusal
    stage = .discarding
    return .YES
  }

  private static let swallowedLimit = 64 * 1024

  // MARK: the body

  private func read(_ piece: UnsafeRawBufferPointer, _ mhd: OpaquePointer) -> MHD_Result {
    do {
      try reader?.append(piece)
      return .YES
    } catch {
      return breakOff(with: error, mhd)
    }
  }

  /// Within a body the library takes no response, so this one is sent past it.
  private func breakOff(with fault: HTTPFault, _ mhd: OpaquePointer) -> MHD_Result {
    guard connection.endReading() else { return .NO }
    let bytes = core.rawResponse(to: noted(fault))
    // Whoever has the answer finds it counted.
    logAnswer(fault.status)
    cmhd_send(mhd, bytes, bytes.count)
    connection.linger()
    return .NO
  }

  // MARK: the answer

  private func answer(_ mhd: OpaquePointer) -> MHD_Result {
    guard let route, let head else { return .NO }
    let body: [UInt8]
    let contentType = reader?.plan.contentType ?? ""
    do {
      body = try reader?.finish() ?? []
    } catch {
      return send(response(to: error), mhd)
    }
    let reply = Reply()
    self.reply = reply
    connection.wait(for: reply)
    if core.phase == .closing { reply.settle(.fault(ServerCore.stopping)) }
    stage = .waiting
    let request = HTTPRequest(head: head, body: body, contentType: contentType, context: context)
    route.handle(request, Responder(reply: reply))
    return deliver(mhd)
  }

  private func deliver(_ mhd: OpaquePointer) -> MHD_Result {
    switch reply?.take(orSuspend: mhd) {
    case .response(let response): send(response, mhd)
    case .fault(let fault): send(response(to: fault), mhd)
    case nil: .YES
    }
  }
}
