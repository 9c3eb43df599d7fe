import CMicroHTTPD
import Synchronization

/// Answers one request, from any thread, at once or later; the connection is suspended meanwhile.
///
/// Only the first answer counts. A responder that is let go of without one answers 500, so that no client waits for ever.
package final class Responder: Sendable {
  private let reply: Reply

  init(reply: Reply) { self.reply = reply }

  deinit {
    reply.settle(
      .fault(
        HTTPFault(
          .internalServerError, "no_answer", "The server lost track of this request; send it again later.")))
  }

  package func respond(_ response: HTTPResponse) { reply.settle(.response(response)) }

  /// Answers with the server's `errorBody`.
  package func respond(_ fault: HTTPFault) { reply.settle(.fault(fault)) }
}

/// An answer that is to come, between the thread that serves the connection and whoever answers.
final class Reply: Sendable {
  enum Answer: Sendable {
    case response(HTTPResponse)
    case fault(HTTPFault)
  }

  private enum State {
    case open
    /// The connection, as bits: it lies in the library's hands until it is resumed, and is not touched before.
    case suspended(UInt)
    case settled(Answer)
    case taken
  }

  private let state = Mutex(State.open)

  /// Keeps the first answer, and wakes the connection if it sleeps.
  func settle(_ answer: Answer) {
    state.withLock { state in
      switch state {
      case .open:
        state = .settled(answer)
      case .suspended(let connection):
        state = .settled(answer)
        MHD_resume_connection(OpaquePointer(bitPattern: connection))
      case .settled, .taken:
        break
      }
    }
  }

  /// The answer, if it is there; if not, the connection sleeps until it is.
  ///
  /// Called on the connection's own thread.
  func take(orSuspend connection: OpaquePointer) -> Answer? {
    let bits = UInt(bitPattern: connection)
    return state.withLock { state in
      if case .settled(let answer) = state {
        state = .taken
        return answer
      }
      guard case .open = state else { return nil }
      state = .suspended(bits)
      MHD_suspend_connection(OpaquePointer(bitPattern: bits))
      return nil
    }
  }
}
