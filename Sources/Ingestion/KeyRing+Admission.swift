internal import EventStore
internal import HTTPServer

extension KeyRing {
  /// Lets a request in that bears a key of this scope, before a byte of its body is read. The key travels with it.
  func admit(_ head: HTTPRequestHead, for scope: KeyScope) -> Admission {
    let key: ApiKey
    switch find(bearer: head) {
    case .success(let found): key = found
    case .failure(let fault): return .reject(fault)
    }
    guard key.scope == scope else {
      return .reject(
        HTTPFault(
          .forbidden, "forbidden",
          "This key is for \(key.scope.rawValue); this needs one for \(scope.rawValue)."))
    }
    return .accept(context: key)
  }

  /// The valid key of the Authorization header, whatever its scope.
  func find(bearer head: HTTPRequestHead) -> Result<ApiKey, HTTPFault> {
    guard let header = head.headers["Authorization"] else {
      return .failure(Self.unauthorized("Send the header Authorization: Bearer KEY."))
    }
    let parts = header.utf8.split(separator: UInt8(ascii: " ")).map(Substring.init)
    guard parts.count == 2, parts[0].lowercased() == "bearer" else {
      return .failure(Self.unauthorized("The Authorization header has to read Bearer KEY."))
    }
    guard let key = find(String(parts[1])) else {
      return .failure(Self.unauthorized("This key is unknown or revoked; make one with pushlift key create."))
    }
    return .success(key)
  }

  private static func unauthorized(_ message: String) -> HTTPFault {
    HTTPFault(.unauthorized, "unauthorized", message, headers: ["WWW-Authenticate": "Bearer"])
  }
}
