import EngagementEvents
import Foundation
import TestSupport
import Testing

@testable import EngagementSDK

/// Downloads over real connections.
struct MediaLoaderTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func load(
    from server: SocketServer, path: String = "/a",
    limit: @escaping @Sendable (String?) -> Int64 = { _ in 1 << 20 }
  ) async throws -> LoadedMedia {
    try await URLSessionMediaLoader().load(
      URL(string: "http://127.0.0.1:\(server.port)\(path)")!, into: folder.url, limit: limit)
  }

  private static func answer(_ body: [UInt8], status: String = "200 OK", type: String = "image/png")
    -> [UInt8]
  {
    Array(
      "HTTP/1.1 \(status)\r\nContent-Type: \(type)\r\nContent-Length: \(body.count)\r\nConnection: close\r\n\r\n"
        .utf8)
      + body
  }

  @Test func aFileComesWithItsType() async throws {
    let server = try SocketServer { connection in
      _ = connection.readRequest()
      connection.write(Self.answer(MediaSample.png(bytes: 200_000)))
    }
    let loaded = try await load(from: server)
    #expect(loaded.contentType == "image/png")
    #expect(try [UInt8](Data(contentsOf: loaded.file)) == MediaSample.png(bytes: 200_000))
    #expect(loaded.file.path.hasPrefix(folder.url.path))
  }

  @Test(arguments: ["404 Not Found", "500 Oops", "403 No"]) func anErrorPageIsNoMedia(status: String)
    async throws
  {
    let server = try SocketServer { connection in
      _ = connection.readRequest()
      connection.write(Self.answer(MediaSample.png(), status: status))
    }
    let error = await #expect(throws: MediaLoadError.self) { try await load(from: server) }
    #expect(error == .status(Int(status.prefix(3))!))
  }

  /// Announced or not, what is too large is not downloaded to its end.
  @Test(arguments: [true, false]) func aDownloadStopsAtItsLimit(isAnnounced: Bool) async throws {
    let server = try SocketServer { connection in
      _ = connection.readRequest()
      let length = isAnnounced ? "Content-Length: 1000000000\r\n" : ""
      connection.write(Array("HTTP/1.1 200 OK\r\nContent-Type: image/png\r\n\(length)\r\n".utf8))
      // Far beyond the limit, but not for ever: whoever does not stop would fill the disk.
      for _ in 0..<64 { guard connection.write(MediaSample.png(bytes: 1 << 16)) else { return } }
    }
    let error = await #expect(throws: MediaLoadError.self) {
      try await load(from: server) { $0 == "image/png" ? 500_000 : 1 << 40 }
    }
    #expect(error == .tooLarge)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).isEmpty)
  }

  @Test func aDownloadThatBreaksOffIsNone() async throws {
    let server = try SocketServer { connection in
      _ = connection.readRequest()
      connection.write(Self.answer(MediaSample.png(bytes: 5_000)).dropLast(1_000))
    }
    await #expect(throws: (any Error).self) { try await load(from: server) }
  }

  @Test func aDownloadCanBeCalledOff() async throws {
    let server = try SocketServer { connection in
      _ = connection.readRequest()
      while connection.read() != nil {}
    }
    let folder = folder.url
    let task = Task {
      try await URLSessionMediaLoader().load(
        URL(string: "http://127.0.0.1:\(server.port)/a")!, into: folder, limit: { _ in 1 })
    }
    task.cancel()
    await #expect(throws: (any Error).self) { try await task.value }
  }
}
