internal import Foundation

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

/// The transport over URLSession: no cookies, no cache, no redirects, which would make a `GET` of a `POST`.
public struct URLSessionTransport: Transport {
  private let session: URLSession
  private let timeout: Duration

  /// - Parameter timeout: for how long a server may be silent.
  public init(timeout: Duration = .seconds(30)) {
    self.timeout = timeout
    session = Self.makeSession(timeout)
  }

  private static func makeSession(_ timeout: Duration) -> URLSession {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.timeoutIntervalForRequest = timeout / .seconds(1)
    configuration.httpCookieStorage = nil
    configuration.urlCache = nil
    configuration.httpShouldSetCookies = false
    return URLSession(configuration: configuration, delegate: NoRedirects(), delegateQueue: nil)
  }

  /// Sends a request, and gives the answer, whatever its status.
  public func send(_ request: UploadRequest) async throws -> UploadResponse {
    var posted = URLRequest(url: request.url)
    posted.httpMethod = "POST"
    posted.httpBody = request.body
    for (name, value) in request.headers { posted.setValue(value, forHTTPHeaderField: name) }
    #if canImport(FoundationNetworking)
      // A session, and so a connection, a request: where one that is used again turns out to be closed, this Foundation
      // opens another, sends the body to neither, and waits for the time-out.
      let session = Self.makeSession(timeout)
      defer { session.finishTasksAndInvalidate() }
    #endif
    let (body, response) = try await session.data(for: posted)
    guard let response = response as? HTTPURLResponse else { throw URLError(.badServerResponse) }
    var headers: [String: String] = [:]
    for (name, value) in response.allHeaderFields {
      if let name = name as? String, let value = value as? String { headers[name] = value }
    }
    return UploadResponse(status: response.statusCode, headers: headers, body: body)
  }
}

extension URLSessionTransport {
  /// Lets go of the session, which else lives as long as the process.
  public func invalidate() { session.finishTasksAndInvalidate() }
}

/// Leaves a redirect as the answer that it is.
private final class NoRedirects: NSObject, URLSessionTaskDelegate {
  func urlSession(
    _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
    newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
  ) {
    completionHandler(nil)
  }
}
