/// A status code, 200–599.
package struct HTTPStatus: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
  package let rawValue: Int

  package init(rawValue: Int) { self.rawValue = rawValue }

  package var description: String { String(rawValue) }

  package static let ok = HTTPStatus(rawValue: 200)
  package static let noContent = HTTPStatus(rawValue: 204)
  package static let multiStatus = HTTPStatus(rawValue: 207)
  package static let seeOther = HTTPStatus(rawValue: 303)
  package static let badRequest = HTTPStatus(rawValue: 400)
  package static let unauthorized = HTTPStatus(rawValue: 401)
  package static let forbidden = HTTPStatus(rawValue: 403)
  package static let notFound = HTTPStatus(rawValue: 404)
  package static let methodNotAllowed = HTTPStatus(rawValue: 405)
  package static let requestTimeout = HTTPStatus(rawValue: 408)
  package static let contentTooLarge = HTTPStatus(rawValue: 413)
  package static let unsupportedMediaType = HTTPStatus(rawValue: 415)
  package static let expectationFailed = HTTPStatus(rawValue: 417)
  package static let unprocessableContent = HTTPStatus(rawValue: 422)
  package static let tooManyRequests = HTTPStatus(rawValue: 429)
  package static let headerFieldsTooLarge = HTTPStatus(rawValue: 431)
  package static let internalServerError = HTTPStatus(rawValue: 500)
  package static let notImplemented = HTTPStatus(rawValue: 501)
  package static let serviceUnavailable = HTTPStatus(rawValue: 503)
  package static let versionNotSupported = HTTPStatus(rawValue: 505)
}
