internal import EngagementEvents
public import Foundation
internal import Synchronization

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

/// The loader over URLSession: piece by piece into a file, so that media costs no memory, and no piece beyond the limit.
public struct URLSessionMediaLoader: MediaLoader {
  /// The one there is.
  public init() {}

  /// Downloads a file.
  public func load(
    _ url: URL, into folder: URL, limit: @escaping @Sendable (_ contentType: String?) -> Int64
  ) async throws -> LoadedMedia {
    // In the folder from its first byte on: what a killed process leaves there is removed some day.
    let file = folder.appendingPathComponent(EventID.makeRandom().text)
    guard FileManager.default.createFile(atPath: file.path, contents: nil) else {
      throw EngagementError.file("create", file.path)
    }
    do {
      let download = Download(to: try FileHandle(forWritingTo: file), limit: limit)
      return LoadedMedia(file: file, contentType: try await download.run(url))
    } catch {
      unlink(file.path)
      throw error
    }
  }
}

/// One download, up to its end or to the first thing that is wrong with it.
private final class Download: NSObject, URLSessionDataDelegate, Sendable {
  private struct State {
    var continuation: CheckedContinuation<String?, any Error>?
    var contentType: String?
    var count: Int64 = 0
    var limit: Int64 = 0
  }

  private let file: FileHandle
  private let limit: @Sendable (String?) -> Int64
  private let state = Mutex(State())

  init(to file: FileHandle, limit: @escaping @Sendable (String?) -> Int64) {
    self.file = file
    self.limit = limit
  }

  /// - Returns: the answer's `Content-Type`.
  func run(_ url: URL) async throws -> String? {
    let session = URLSession(configuration: .ephemeral, delegate: self, delegateQueue: nil)
    let task = session.dataTask(with: url)
    defer {
      #if !canImport(FoundationNetworking)
        task.cancel()
      #endif
      // Foundation on Linux traps where a task is cancelled while data arrives. There the rest is thrown away instead.
      session.finishTasksAndInvalidate()
    }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        state.withLock { $0.continuation = continuation }
        task.resume()
        // Called off before there was anything to end.
        if Task.isCancelled { end(.failure(CancellationError())) }
      }
    } onCancel: {
      end(.failure(CancellationError()))
    }
  }

  /// Ends it with the first outcome; whatever comes later is thrown away.
  private func end(_ outcome: Result<String?, any Error>) {
    let continuation = state.withLock { $0.continuation.take() }
    guard let continuation else { return }
    try? file.close()
    continuation.resume(with: outcome)
  }

  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
  ) {
    let type = response.mimeType
    let limit = limit(type)
    state.withLock {
      $0.contentType = type
      $0.limit = limit
    }
    let status = (response as? HTTPURLResponse)?.statusCode ?? 200
    if !(200...299).contains(status) {
      end(.failure(MediaLoadError.status(status)))
    } else if response.expectedContentLength > limit {
      // What is announced need not be waited for.
      end(.failure(MediaLoadError.tooLarge))
    }
    completionHandler(.allow)
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    let isWanted = state.withLock { state in
      state.count += Int64(data.count)
      return state.continuation != nil
    }
    guard isWanted else { return }
    let (count, limit) = state.withLock { ($0.count, $0.limit) }
    guard count <= limit else { return end(.failure(MediaLoadError.tooLarge)) }
    do { try file.write(contentsOf: data) } catch { end(.failure(error)) }
  }

  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    let contentType = state.withLock { $0.contentType }
    end(error.map { .failure($0) } ?? .success(contentType))
  }
}
