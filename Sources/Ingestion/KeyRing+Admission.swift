internal import EventStore
internal import Foundation
internal import HTTPServer

extension KeyRing {
  /// Lets a request in that bears a key of this scope, before a byte of its body is read. The key travels with it.
  func admit(_ head: HTTPRequestHead, for scope: KeyScope) -> Admission {
    do {
      return .accept(context: try check(try find(bearer: head).get(), for: scope))
    } catch {
      return .reject(error)
    }
  }

  /// The key that was presented, if it is valid and may do this.
  ///
  /// - Throws: 401 or 403.
  func check(_ presented: String?, for scope: KeyScope) throws(HTTPFault) -> ApiKey {
    guard let presented else {
      throw Self.unauthorized("Send the key as the user of HTTP Basic, or as writeKey in the body.")
    }
    return try check(try valid(presented), for: scope)
  }

  private func check(_ key: ApiKey, for scope: KeyScope) throws(HTTPFault) -> ApiKey {
    guard key.scope == scope else {
      throw HTTPFault(
        .forbidden, "forbidden",
        "This key is for \(key.scope.rawValue); this needs one for \(scope.rawValue).")
    }
    return key
  }

  private func valid(_ presented: String) throws(HTTPFault) -> ApiKey {
    guard let key = find(presented) else {
      throw Self.unauthorized("This key is unknown or revoked; make one with pushlift key create.")
    }
    return key
  }

  /// The key of a Segment-compatible client: the user of HTTP Basic, whose password is empty, or a bearer's token.
  ///
  /// - Returns: nil where the user is empty.
  /// - Throws: 401 for anything else.
  static func writeKey(in header: String) throws(HTTPFault) -> String? {
    switch credentials(in: header) {
    case ("bearer", let key)?: return key
    case ("basic", let encoded)?:
      guard let data = Data(base64Encoded: encoded),
        let user = data.split(separator: UInt8(ascii: ":"), maxSplits: 1, omittingEmptySubsequences: false)
          .first
      else { fallthrough }
      return user.isEmpty ? nil : String(decoding: user, as: UTF8.self)
    default: throw unauthorized("The Authorization header has to be HTTP Basic with the key as the user.")
    }
  }

  /// The scheme in lower case, and what follows it; nil for any other form.
  private static func credentials(in header: String) -> (scheme: String, value: String)? {
    let parts = header.utf8.split(separator: UInt8(ascii: " ")).map(Substring.init)
    return parts.count == 2 ? (parts[0].lowercased(), String(parts[1])) : nil
  }

  /// The Authorization header; nil where there is none.
  ///
  /// - Throws: 401 where there are several: which of their keys is meant, a proxy may see otherwise.
  static func authorization(of head: HTTPRequestHead) throws(HTTPFault) -> String? {
    let headers = head.headers.values(of: "Authorization")
    guard headers.count <= 1 else { throw unauthorized("Send one Authorization header, not several.") }
    return headers.first
  }

  /// The valid key of the Authorization header, whatever its scope.
  func find(bearer head: HTTPRequestHead) -> Result<ApiKey, HTTPFault> {
    Result { () throws(HTTPFault) in
      guard let header = try Self.authorization(of: head) else {
        throw Self.unauthorized("Send the header Authorization: Bearer KEY.")
      }
      guard case ("bearer", let presented)? = Self.credentials(in: header) else {
        throw Self.unauthorized("The Authorization header has to read Bearer KEY.")
      }
      return try valid(presented)
    }
  }

  private static func unauthorized(_ message: String) -> HTTPFault {
    HTTPFault(.unauthorized, "unauthorized", message, headers: ["WWW-Authenticate": "Bearer"])
  }
}
