internal import EventStore
internal import Foundation
internal import HTTPServer
internal import Reports

/// What a browser says of where a request comes from.
extension HTTPRequestHead {
  /// Whether a page of this very server sent a form, and not one of another site behind the reader's back.
  var isFromOwnPage: Bool {
    if let site = headers["Sec-Fetch-Site"] { return site == "same-origin" }
    // Older browsers, and those that do not trust a plain connection, tell the origin of every form.
    guard let origin = headers["Origin"], let host = headers["Host"] else { return false }
    return origin.lowercased() == "http://\(host.lowercased())"
      || origin.lowercased() == "https://\(host.lowercased())"
  }

  /// Whether a link of another site led here. A strict cookie then stays at home.
  var isFromOtherSite: Bool { ["cross-site", "same-site"].contains(headers["Sec-Fetch-Site"]) }

  /// A proxy on this machine that nobody declared makes all the world look local; its header gives it away.
  var isLocal: Bool {
    let isForwarded = ["X-Forwarded-For", "Forwarded", "X-Real-IP"].contains { headers[$0] != nil }
    return !isForwarded && Loopback.contains(clientAddress)
  }

  /// Whether the browser was given a name that only this machine has. A site elsewhere can let its own name lead here, and
  /// would then be taken for the page's own.
  var isAddressedLocally: Bool {
    guard let host = headers["Host"]?.lowercased() else { return false }
    let name =
      host.hasPrefix("[") ? host.dropFirst().prefix { $0 != "]" } : host.prefix { $0 != ":" }
    return name == "localhost" || Loopback.contains(String(name))
  }

  /// Whether the browser speaks HTTPS, be it with a proxy in front. Who lies about it harms only his own cookie.
  func isSecure(servesTLS: Bool) -> Bool {
    servesTLS || headers["X-Forwarded-Proto"]?.lowercased() == "https"
  }
}

extension HTTPResponse {
  /// A page that may do nothing but be looked at and send its own forms back.
  static func page(_ status: HTTPStatus, _ html: [UInt8], _ headers: HTTPFields = [:]) -> HTTPResponse {
    var all = headers
    for (name, value) in pageHeaders { all.append(name, value) }
    return HTTPResponse(status: status, headers: all, body: html)
  }

  /// To another page, with GET.
  static func seeOther(_ location: String, _ headers: HTTPFields) -> HTTPResponse {
    var all = headers
    all.append("Location", location)
    all.append("Cache-Control", "no-store")
    return HTTPResponse(status: .seeOther, headers: all)
  }

  private static let pageHeaders: [(String, String)] = {
    let hash = Data(Digest.sha256(Array(DashboardPage.styleElement.utf8))).base64EncodedString()
    let policy =
      "default-src 'none'; style-src 'sha256-\(hash)'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
    return [
      ("Content-Type", "text/html; charset=utf-8"), ("Content-Security-Policy", policy),
      ("Cache-Control", "no-store"), ("X-Content-Type-Options", "nosniff"), ("X-Frame-Options", "DENY"),
      // Not "no-referrer", under which browsers hide where a form comes from.
      ("Referrer-Policy", "same-origin"), ("Cross-Origin-Opener-Policy", "same-origin"),
      ("Cross-Origin-Resource-Policy", "same-origin"),
    ]
  }()
}
