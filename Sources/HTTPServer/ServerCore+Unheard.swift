import CMicroHTTPD

extension ServerCore {
  /// Called as the library begins to answer a request itself, since it cannot make out its head.
  ///
  /// Of a `Content-Length` that is none or too large, libmicrohttpd 0.9.75 sends status and headers twice, which a client
  /// takes for a body. Its head is read by then, so this answers first, in the server's own form, and lets nothing follow.
  /// Heads that the library cannot read at all (a request line or fields too long or malformed, another version) are
  /// its own to answer; which connection they are of it does not tell.
  ///
  /// - Parameter line: the library's `Error processing request (HTTP response code is 400 …`.
  func answerInstead(of line: String) {
    let status = line.split { !$0.isNumber }.first.flatMap { Int($0) } ?? HTTPStatus.badRequest.rawValue
    guard let (connection, mhd) = connections.beingOpenedHere() else {
      return log(.unreadable(status: status))
    }
    guard connection.endReading() else { return }
    // In hand until the library has let go of it: stopped meanwhile, it would trip over an answer that it could not queue.
    countRequest(1)
    connection.answerUnopened()
    var fault =
      status == HTTPStatus.contentTooLarge.rawValue
      ? HTTPFault(.contentTooLarge, "body_too_large", "The body is larger than any that is taken; split it.")
      : Framing.malformed(Framing.badLength)
    let requestID = RequestID.make()
    fault.requestID = requestID
    let bytes = rawResponse(to: fault)
    cmhd_send(mhd, bytes, bytes.count)
    connection.linger()
    cmhd_stop_sending(connection.descriptor)
    log(.refused(fault, path: "", clientAddress: connection.peer))
    log(
      .answered(
        method: HTTPMethod(rawValue: "_OTHER"), path: "", status: fault.status,
        clientAddress: connection.peer,
        requestID: requestID, duration: .zero))
  }
}
