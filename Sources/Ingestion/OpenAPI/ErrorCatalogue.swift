internal import EventStore
internal import HTTPServer

/// The errors that the routes answer, by status and code.
enum ErrorCatalogue {
  /// Codes by status.
  typealias Codes = [Int: [String]]

  /// What any request may meet, before a route is asked or while it answers.
  static let general: Codes = [
    400: ["malformed_request", "malformed_target"],
    405: ["method_not_allowed"],
    408: ["request_timeout"],
    413: ["body_too_large"],
    417: ["expectation_failed"],
    431: ["too_many_headers"],
    500: ["no_answer", "unsendable_answer"],
    501: ["transfer_encoding_not_supported"],
    503: ["stopping"],
    505: ["version_not_supported"],
  ]

  /// What libmicrohttpd answers by itself, as a page of HTML, where it cannot make out a request.
  static let unreadable: Set = [400, 413, 414, 431, 505]

  /// Where there is no route at all.
  static let unknownPath: Codes = [404: ["not_found"]]

  /// What a route that asks for a key answers without a fitting one.
  static let keys: Codes = [401: ["unauthorized"], 403: ["forbidden"]]

  /// What the route for events answers beside all these.
  static let events: Codes = {
    var codes: Codes = [
      400: ["malformed_gzip"],
      415: ["content_type_not_supported", "charset_not_supported", "content_encoding_not_supported"],
      429: ["rate_limited"],
      503: ["overloaded", "store_unavailable"],
    ]
    for code in RequestFault.Code.allCases {
      codes[RequestFault(code: code, message: "").status, default: []].append(code.rawValue)
    }
    return codes
  }()

  /// What the handler of a route answers itself.
  static let ofHandlers: Set = [400, 401, 403, 413, 429, 503]

  /// What the route for devices answers beside these.
  static let devices: Codes = [400: ["invalid_device"]]

  /// Likewise, as the route for events does.
  static let away: Codes = [503: ["store_unavailable"]]

  static func merged(_ all: [Codes]) -> Codes {
    all.reduce(into: [:]) { merged, codes in merged.merge(codes) { $0 + $1 } }
  }

  /// What a status means to a client.
  static func meaning(of status: Int) -> String {
    switch status {
    case 400: "The request itself is at fault; the same bytes will not do later."
    case 401: "No key, or none that is known."
    case 403: "The key is for something else."
    case 404: "There is nothing at this path."
    case 405: "The path takes other methods; Allow names them."
    case 408: "The request took too long to arrive."
    case 413: "Too large; split it. Nothing is stored."
    case 414: "The request line is too long."
    case 415: "A content type, charset or encoding that is not taken here."
    case 417: "An expectation other than 100-continue."
    case 429: "The key sends more events than it may. Nothing is stored; send the same bytes again later."
    case 431: "Too many header fields, or too long ones."
    case 500: "A fault of the server; send the same again later."
    case 501: "A transfer encoding other than chunked."
    case 503:
      "Not now. Nothing is stored, unless the message says that it is not known; send the same bytes again later, which stores nothing twice."
    case 505: "A version of HTTP other than 1.1 and 1.0."
    default: ""
    }
  }
}
