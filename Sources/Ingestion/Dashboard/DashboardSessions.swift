internal import EventStore
internal import HTTPServer
internal import Synchronization

/// Who is logged in, by a random token that only the browser has: a cookie that is lost tells no key.
///
/// They lie in memory alone and end with the process.
final class DashboardSessions: Sendable {
  private struct Session {
    let keyID: String
    /// On the monotonic clock.
    let expiresAt: Int64
  }

  /// How many one key may have at a time; the oldest makes room.
  private static let limit = 32

  /// By the token's digest, so that finding one tells nothing by the time it takes.
  private let sessions = Mutex<[[UInt8]: Session]>([:])
  let lifetime: Duration

  init(lifetime: Duration = .seconds(43_200)) { self.lifetime = lifetime }

  /// - Returns: the token.
  func begin(for key: ApiKey) -> String {
    var generator = SystemRandomNumberGenerator()
    let token = Digest.hexadecimal((0..<32).map { _ in UInt8.random(in: .min ... .max, using: &generator) })
    let now = Clock.monotonicMicroseconds
    let session = Session(keyID: key.id, expiresAt: now + lifetime.components.seconds * 1_000_000)
    sessions.withLock { sessions in
      sessions = sessions.filter { $0.value.expiresAt > now }
      let own = sessions.filter { $0.value.keyID == key.id }
      if own.count >= Self.limit, let oldest = own.min(by: { $0.value.expiresAt < $1.value.expiresAt }) {
        sessions[oldest.key] = nil
      }
      sessions[Self.digest(token)] = session
    }
    return token
  }

  /// The id of the key that the token was given for; nil where the session has ended.
  func keyID(of token: String) -> String? {
    guard let session = sessions.withLock({ $0[Self.digest(token)] }),
      session.expiresAt > Clock.monotonicMicroseconds
    else { return nil }
    return session.keyID
  }

  func end(_ token: String) { sessions.withLock { $0[Self.digest(token)] = nil } }

  private static func digest(_ token: String) -> [UInt8] { Digest.blake2b256(Array(token.utf8)) }
}

/// The cookie that holds the token.
enum DashboardCookie {
  private static let name = "pushlift_session"

  /// - Parameter isSecure: whether the browser came over HTTPS, so that it never sends it over anything else.
  static func set(_ token: String, for lifetime: Duration, isSecure: Bool) -> String {
    "\(name)=\(token); Path=/dashboard; Max-Age=\(lifetime.components.seconds); HttpOnly; SameSite=Strict"
      + (isSecure ? "; Secure" : "")
  }

  static func clear(isSecure: Bool) -> String { set("", for: .zero, isSecure: isSecure) }

  /// The token that a request bears.
  static func token(_ head: HTTPRequestHead) -> String? {
    for line in head.headers.values(of: "Cookie") {
      for pair in line.split(separator: ";") {
        let parts = pair.drop { $0 == " " }.split(separator: "=", maxSplits: 1)
        if parts.count == 2, parts[0] == name, parts[1].utf8.count == 64 { return String(parts[1]) }
      }
    }
    return nil
  }
}
