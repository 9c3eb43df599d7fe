public import Foundation

/// The way to media.
public protocol MediaLoader: Sendable {
  /// Downloads a file.
  ///
  /// - Parameters:
  ///   - url: where it is.
  ///   - folder: where to put it, under any name.
  ///   - limit: the most bytes that media with this `Content-Type` may have; the download stops where there are more.
  /// - Throws: ``MediaLoadError``; any other error counts as a failed download.
  func load(
    _ url: URL, into folder: URL, limit: @escaping @Sendable (_ contentType: String?) -> Int64
  ) async throws -> LoadedMedia
}

/// What was downloaded.
public struct LoadedMedia: Sendable {
  /// The file, which whoever asked for it owns.
  public var file: URL
  /// The answer's `Content-Type`; nil without one.
  public var contentType: String?

  /// Makes it of its parts.
  public init(file: URL, contentType: String?) {
    self.file = file
    self.contentType = contentType
  }
}

/// Why a download gave nothing.
public enum MediaLoadError: Error, Sendable, Hashable {
  /// It is larger than the limit.
  case tooLarge
  /// The server answered with another status than success.
  case status(Int)
}
