import CMicroHTTPD

extension Exchange {
  /// The answer to a fault, which is logged on the way.
  func response(to fault: HTTPFault) -> HTTPResponse { core.response(to: noted(fault)) }

  /// The fault with the request's id, logged.
  func noted(_ fault: HTTPFault) -> HTTPFault {
    var fault = fault
    fault.requestID = requestID
    core.log(.refused(fault, path: path, clientAddress: clientAddress))
    return fault
  }

  /// Answers before the body is read, which ends the connection.
  func sendAtOnce(_ response: HTTPResponse, _ mhd: OpaquePointer) -> MHD_Result {
    guard connection.endReading() else { return .NO }
    connection.linger()
    return send(response, mhd)
  }

  /// Hands an answer to the library.
  func send(_ response: HTTPResponse, _ mhd: OpaquePointer) -> MHD_Result {
    if let flaw = Self.flaw(in: response) {
      return send(self.response(to: HTTPFault(.internalServerError, "unsendable_answer", flaw)), mhd)
    }
    guard let message = response.body.withUnsafeBytes({ cmhd_response($0.baseAddress, $0.count) }) else {
      return .NO
    }
    defer { MHD_destroy_response(message) }
    for field in response.headers.fields { MHD_add_response_header(message, field.name, field.value) }
    MHD_add_response_header(message, "X-Request-Id", requestID)
    if closesAfterwards || core.phase != .running { MHD_add_response_header(message, "Connection", "close") }
    logAnswer(response.status)
    return MHD_queue_response(mhd, UInt32(response.status.rawValue), message)
  }

  /// Tells the log of an answer that is handed over.
  func logAnswer(_ status: HTTPStatus) {
    core.log(
      .answered(
        method: method, path: path, status: status, clientAddress: clientAddress, requestID: requestID,
        duration: .microseconds(cmhd_monotonic_clock() - startedAt)))
  }

  /// Why an answer cannot be sent as it is; nil = it can.
  private static func flaw(in response: HTTPResponse) -> String? {
    if let field = response.headers.firstUnsendable {
      return "The answer's header \(field.name.prefix(64)) cannot be sent."
    }
    return (200...599).contains(response.status.rawValue)
      ? nil : "The answer's status \(response.status) is none."
  }
}
