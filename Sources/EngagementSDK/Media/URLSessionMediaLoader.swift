public import Foundation
internal import EngagementEvents
internal import Synchronization

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

/// The loader over URLSession, into a file, so that media costs no memory.
public struct URLSessionMediaLoader: MediaLoader {
  /// The one there is.
  public init() {}

  /// Downloads a file.
  public func load(
    _ url: URL, into folder: URL, limit: @escaping @Sendable (_ contentType: String?) -> Int64
  ) async throws -> LoadedMedia {
    let download = Download(to: folder.appendingPathComponent(EventID.makeRandom().text), limit: limit)
    let session = URLSession(configuration: .ephemeral, delegate: download, delegateQueue: nil)
    defer { session.finishTasksAndInvalidate() }
    let task = session.downloadTask(with: url)
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        download.begin(continuation)
        task.resume()
      }
    } onCancel: {
      task.cancel()
    }
  }
}

/// One download, heard to its end.
private final class Download: NSObject, URLSessionDownloadDelegate, Sendable {
  private struct State {
    var continuation: CheckedContinuation<LoadedMedia, any Error>?
    var outcome: Result<LoadedMedia, any Error>?
  }

  private let target: URL
  private let limit: @Sendable (String?) -> Int64
  private let state = Mutex(State())

  init(to target: URL, limit: @escaping @Sendable (String?) -> Int64) {
    self.target = target
    self.limit = limit
  }

  func begin(_ continuation: CheckedContinuation<LoadedMedia, any Error>) {
    state.withLock { $0.continuation = continuation }
  }

  func urlSession(
    _ session: URLSession, downloadTask: URLSessionDownloadTask, didWriteData bytesWritten: Int64,
    totalBytesWritten: Int64, totalBytesExpectedToWrite: Int64
  ) {
    // What is announced need not be waited for.
    guard max(totalBytesWritten, totalBytesExpectedToWrite) > limit(downloadTask.response?.mimeType) else { return }
    state.withLock { $0.outcome = .failure(MediaLoadError.tooLarge) }
    downloadTask.cancel()
  }

  func urlSession(
    _ session: URLSession, downloadTask: URLSessionDownloadTask, didFinishDownloadingTo location: URL
  ) {
    let response = downloadTask.response as? HTTPURLResponse
    let outcome = Result { () throws -> LoadedMedia in
      if let status = response?.statusCode, !(200...299).contains(status) { throw MediaLoadError.status(status) }
      try FileManager.default.moveItem(at: location, to: target)
      return LoadedMedia(file: target, contentType: response?.mimeType)
    }
    state.withLock { $0.outcome = $0.outcome ?? outcome }
  }

  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    let (continuation, outcome) = state.withLock { state in
      defer { state.continuation = nil }
      return (state.continuation, state.outcome ?? .failure(error ?? URLError(.unknown)))
    }
    continuation?.resume(with: outcome)
  }
}
