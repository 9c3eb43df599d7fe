import CZlib
import Testing

@testable import HTTPServer

@Suite struct InflatingTests {
  static let plain = Array(#"{"events":[{"id":"日本"},{"id":"日本"},{"id":"日本"}]}"#.utf8)

  static func post(_ body: [UInt8], _ encoding: String = "gzip") -> [UInt8] {
    Array(request("POST", "/echo", ["Content-Encoding: \(encoding)", "Content-Length: \(body.count)"]).utf8)
      + body
  }

  private func answer(to body: [UInt8], _ encoding: String = "gzip") async throws -> RawResponse {
    let server = try TestServer()
    let client = try server.client()
    await client.send(Self.post(body, encoding))
    return try await client.response()
  }

  @Test(arguments: ["gzip", "x-gzip", "GZIP", "identity, gzip"])
  func gzipIsUndone(_ encoding: String) async throws {
    #expect(try await answer(to: gzip(Self.plain), encoding).body == Self.plain)
  }

  @Test(arguments: ["identity", ""])
  func identityLeavesTheBodyAsItIs(_ encoding: String) async throws {
    #expect(try await answer(to: Self.plain, encoding).body == Self.plain)
  }

  @Test func membersBehindOneAnotherAreOneBody() async throws {
    let members = gzip(Self.plain) + gzip([]) + gzip(Self.plain)
    #expect(try await answer(to: members).body == Self.plain + Self.plain)
  }

  @Test func aBodyThatArrivesByteByByteInflatesTheSame() throws {
    var inflater = try Inflater()
    var output: [UInt8] = []
    for byte in gzip(Self.plain) + gzip(Self.plain) {
      try withUnsafeBytes(of: byte) { try inflater.inflate($0, into: &output, limit: 1000) }
    }
    let isComplete = inflater.isComplete
    #expect(isComplete)
    #expect(output == Self.plain + Self.plain)
  }

  @Test(
    arguments: [
      ("plain", plain), ("cut after 20 bytes", Array(gzip(plain).prefix(20))),
      ("cut in the header", Array(gzip(plain).prefix(5))), ("without its checksum", gzip(plain).dropLast(8)),
      ("without its last byte", gzip(plain).dropLast(1)), ("empty", []),
      ("rubbish behind", gzip(plain) + Array("rubbish".utf8)), ("zeros behind", gzip(plain) + [0, 0, 0, 0]),
      ("a wrong checksum", gzip(plain).dropLast(8) + [1, 2, 3, 4] + gzip(plain).suffix(4)),
      ("a second member cut", gzip(plain) + gzip(plain).dropLast(3)),
    ] as [(String, [UInt8])])
  func aBrokenStreamIsRefused(_ name: String, _ body: [UInt8]) async throws {
    let response = try await answer(to: body)
    #expect(response.status == 400)
    #expect(response.text.contains("malformed_gzip"))
    #expect(!response.text.contains("events"))
  }

  @Test(arguments: ["br", "deflate", "gzip, gzip", "gzip, br", "compress", "zstd", "gzip;q=1"])
  func otherEncodingsAreRefused(_ encoding: String) async throws {
    let response = try await answer(to: gzip(Self.plain), encoding)
    #expect(response.status == 415)
    #expect(response["Accept-Encoding"] == "gzip")
  }

  @Test func theLimitHoldsAfterInflating() async throws {
    let atLimit = [UInt8](repeating: 0x61, count: TestServer.limit)
    #expect(try await answer(to: gzip(atLimit)).body == atLimit)
    #expect(try await answer(to: gzip(atLimit + [0x61])).status == 413)
  }

  /// A megabyte that stands for a gigabyte: not more than the limit and one step of it may ever be made.
  @Test func aBombCostsNoMemory() throws {
    let member = gzip([UInt8](repeating: 0, count: 1_000_000))
    let bomb = [UInt8](repeatElement(member, count: 1000).joined())
    #expect(bomb.count < 1_100_000)
    var inflater = try Inflater()
    var output: [UInt8] = []
    let limit = 4 << 20
    #expect(throws: HTTPFault.self) {
      try bomb.withUnsafeBytes { try inflater.inflate($0, into: &output, limit: limit) }
    }
    #expect(output.count > limit)
    #expect(output.count <= limit + 32 * 1024)
  }

  @Test func aBombIsRefusedOverTheWire() async throws {
    let server = try TestServer()
    let client = try server.client()
    // 90 KB as sent, 90 MB when inflated, and the sender waits for its answer in between.
    let bomb = [UInt8](repeatElement(gzip([UInt8](repeating: 0, count: 1_000_000)), count: 90).joined())
    #expect(bomb.count < TestServer.limit)
    await client.send(Self.post(bomb))
    let (text, last) = await client.receiveAll()
    #expect(text.hasPrefix("HTTP/1.1 413 "))
    #expect(last == .end)
  }
}

/// gzip as a client would send it.
func gzip(_ bytes: [UInt8]) -> [UInt8] {
  // On the heap, since zlib keeps a pointer back to it.
  let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
  stream.initialize(to: z_stream())
  let size = Int32(MemoryLayout<z_stream>.size)
  deflateInit2_(stream, 6, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION, size)
  defer {
    deflateEnd(stream)
    stream.deallocate()
  }
  var input = bytes
  return input.withUnsafeMutableBufferPointer { input in
    let bound = Int(deflateBound(stream, UInt(input.count)))
    return [UInt8](unsafeUninitializedCapacity: bound) { output, count in
      stream.pointee.next_in = input.baseAddress
      stream.pointee.avail_in = UInt32(input.count)
      stream.pointee.next_out = output.baseAddress
      stream.pointee.avail_out = UInt32(bound)
      let status = deflate(stream, Z_FINISH)
      precondition(status == Z_STREAM_END)
      count = bound - Int(stream.pointee.avail_out)
    }
  }
}
