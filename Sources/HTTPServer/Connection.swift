import CMicroHTTPD
import Synchronization

/// What is kept of a client's connection beside the library's own.
final class Connection: Sendable {
  let descriptor: Int32

  /// The peer's numeric address; "" where it has none.
  let peer: String

  /// Must live as long as the connection that presents it.
  private let certificate: Certificate?

  private struct State {
    /// On the monotonic clock; nil = the client is not the one being waited for.
    var deadline: Int64?
    var isExpired = false
    var isWithinRequest = false
    /// What the request in hand goes by in logs; nil until its head was read.
    var requestID: String?
    var lingers = false
    var reply: Reply?
    /// The request whose head is still being read, and the thread that reads it.
    var opening: Opening?
    /// Whether the request in hand was counted though no exchange was opened for it.
    var isCountedUnopened = false
  }

  /// The library's pointer to this connection, as bits, and the thread that it lives on.
  private struct Opening {
    let connection: UInt
    let thread: UInt
  }

  private let state: Mutex<State>

  init(descriptor: Int32, peer: String, certificate: Certificate?, deadline: Int64) {
    self.descriptor = descriptor
    self.peer = peer
    self.certificate = certificate
    state = Mutex(State(deadline: deadline))
  }

  var isEncrypted: Bool { certificate != nil }

  func beginRequest(_ mhd: OpaquePointer, deadline: Int64) {
    let opening = Opening(connection: UInt(bitPattern: mhd), thread: cmhd_thread())
    state.withLock {
      $0.deadline = deadline
      $0.isWithinRequest = true
      $0.opening = opening
    }
  }

  /// The request has its answer, though its head will never be handed over; it stays in hand until the library is done with it.
  func answerUnopened() {
    state.withLock {
      $0.opening = nil
      $0.isCountedUnopened = true
    }
  }

  /// The head has been handed over.
  func endOpening() { state.withLock { $0.opening = nil } }

  func identify(as requestID: String) { state.withLock { $0.requestID = requestID } }

  /// The connection as the library knows it, if the calling thread is just now about to hand over its head: a head that has been
  /// read whole is handed over before the thread turns to anything else.
  var isBeingOpenedHere: OpaquePointer? {
    guard let opening = state.withLock({ $0.opening }), opening.thread == cmhd_thread(),
      let mhd = OpaquePointer(bitPattern: opening.connection), cmhd_has_head(mhd) != 0
    else { return nil }
    return mhd
  }

  /// The whole request has been read; from now on the client waits.
  ///
  /// - Returns: false where its time ran out before: it has had its answer.
  func endReading() -> Bool {
    state.withLock {
      $0.deadline = nil
      return !$0.isExpired
    }
  }

  func wait(for reply: Reply) { state.withLock { $0.reply = reply } }

  /// - Returns: whether the request was answered unopened, and so is to be counted down now.
  func endRequest(deadline: Int64) -> Bool {
    state.withLock { state in
      state.deadline = deadline
      state.isWithinRequest = false
      state.requestID = nil
      state.opening = nil
      state.reply = nil
      defer { state.isCountedUnopened = false }
      return state.isCountedUnopened
    }
  }

  var awaitedReply: Reply? { state.withLock { $0.reply } }

  /// The client may still be sending when the connection is closed.
  func linger() { state.withLock { $0.lingers = true } }

  var lingers: Bool { state.withLock { $0.lingers } }

  /// Cuts the client off once its time has run out, after a last word where one can be said.
  ///
  /// - Parameter lastWords: given what the request goes by in logs.
  /// - Returns: the same, where its time ran out now.
  func expire(at now: Int64, lastWords: (String) -> [UInt8]) -> String? {
    state.withLock { state in
      guard let deadline = state.deadline, deadline <= now else { return nil }
      let requestID = state.requestID ?? RequestID.make()
      guard state.isWithinRequest, !isEncrypted, !state.isExpired else {
        state.deadline = nil
        cmhd_hang_up(descriptor)
        defer { state.isExpired = true }
        return state.isExpired ? nil : requestID
      }
      state.isExpired = true
      let bytes = lastWords(requestID)
      cmhd_send_plain(descriptor, bytes, bytes.count)
      cmhd_stop_sending(descriptor)
      // Hanging up at once would answer what is still on its way with a reset, which may overtake the last word.
      state.deadline = now + Self.parting
      return requestID
    }
  }

  private static let parting: Int64 = 2_000_000
}

/// A certificate chain and its key.
final class Certificate: Sendable {
  /// Immutable once loaded; GnuTLS shares credentials between threads.
  private nonisolated(unsafe) let handle: OpaquePointer

  /// - Parameters: both PEM.
  init(chain: String, key: String) throws(HTTPServerError) {
    var reason: UnsafePointer<CChar>?
    guard let handle = cmhd_certificate_load(chain, key, &reason) else {
      let text = reason.map { String(cString: $0) } ?? ""
      throw HTTPServerError(.certificateUnusable, text.isEmpty ? "GnuTLS does not say why." : text)
    }
    self.handle = handle
  }

  deinit { cmhd_certificate_free(handle) }

  func present(on connection: OpaquePointer) { cmhd_certificate_present(handle, connection) }
}
