public import Foundation

/// The way to the server.
public protocol Transport: Sendable {
  /// Sends a request, and gives the answer, whatever its status.
  ///
  /// - Throws: where no whole answer came; the request may have arrived all the same.
  func send(_ request: UploadRequest) async throws -> UploadResponse

  /// Lets go of what it holds; nothing is sent afterwards.
  func invalidate()
}

extension Transport {
  /// Does nothing: for those that hold nothing.
  public func invalidate() {}
}

/// A `POST` to the server.
public struct UploadRequest: Sendable {
  /// Where to.
  public var url: URL
  /// The headers, among them the key.
  public var headers: [String: String]
  /// The body, compressed where `Content-Encoding` says so.
  public var body: Data

  /// Makes a request of its parts.
  public init(url: URL, headers: [String: String], body: Data) {
    self.url = url
    self.headers = headers
    self.body = body
  }
}

/// What the server, or whoever stands in its place, answered.
public struct UploadResponse: Sendable {
  /// The HTTP status.
  public var status: Int
  /// The headers.
  public var headers: [String: String]
  /// The body.
  public var body: Data

  /// Makes an answer of its parts.
  public init(status: Int, headers: [String: String] = [:], body: Data = Data()) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  /// The header of a name, whose case does not matter.
  func header(_ name: String) -> String? {
    headers.first { $0.key.caseInsensitiveCompare(name) == .orderedSame }?.value
  }
}
