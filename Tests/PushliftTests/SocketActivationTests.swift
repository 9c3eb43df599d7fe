import Foundation
import HTTPServer
import TestSupport
import Testing

/// A server on a socket that outlives it, as systemd hands it over.
@Suite(.database) struct SocketActivationTests {
  /// A socket of the tests' own, closed with this object.
  private final class Listener {
    let descriptor: Int32
    let port: UInt16

    init(family: Int32 = AF_INET, listening: Bool = true) throws {
      descriptor = socket(family, Int32(SOCK_STREAM.rawValue), 0)
      try #require(descriptor >= 0)
      var address = sockaddr_in()
      guard family == AF_INET else {
        port = 0
        return
      }
      address.sin_family = sa_family_t(AF_INET)
      address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
      var length = socklen_t(MemoryLayout<sockaddr_in>.size)
      let descriptor = descriptor
      withUnsafeMutablePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          _ = bind(descriptor, $0, length)
          _ = getsockname(descriptor, $0, &length)
        }
      }
      port = UInt16(bigEndian: address.sin_port)
      if listening { try #require(listen(descriptor, 64) == 0) }
    }

    deinit { close(descriptor) }
  }

  @Test func whoComesDuringARestartWaits() throws {
    let sandbox = try Sandbox(database: try TestDatabase.current)
    let key = try sandbox.makeKey()
    let events = try sandbox.events(notifications: 20, until: Day.text(daysAgo: 1))
    let listener = try Listener()
    let client = HTTPClient(port: listener.port)
    // Nobody serves yet: --host and --port are not heeded.
    let early = BackgroundWork { try client.post(events, key: key) }
    let first = try sandbox.start(["serve", "--host", "0.0.0.0", "--port", "1"], socket: listener.descriptor)
    #expect(try early.value().status == 200)
    #expect(try first.client().port == listener.port)
    #expect(!first.err.contains("unencrypted"))
    first.send(SIGTERM)
    #expect(try first.output(within: .seconds(30)).status == 0)

    let between = BackgroundWork { try client.post(events, key: key) }
    let second = try sandbox.start(["serve", "--open-dashboard"], socket: listener.descriptor)
    #expect(try between.value().text.hasPrefix(#"{"accepted":0,"duplicates":\#(events.count),"#))
    second.send(SIGTERM)
    #expect(try second.output(within: .seconds(30)).status == 0)
  }

  @Test func aSocketThatWillNotDoIsToldOf() throws {
    let sandbox = try Sandbox(database: try TestDatabase.current)
    for listener in [try Listener(family: AF_UNIX), try Listener(listening: false)] {
      let server = try sandbox.start(["serve"], socket: listener.descriptor)
      let output = try server.output(within: .seconds(30))
      #expect(output.status == 1)
      #expect(output.err.contains("none of TCP: let ListenStream be a port"), "\(output.err)")
    }
  }

  @Test func onlyOnesOwnSocketIsTaken() throws {
    #expect(try InheritedSocket.find([:])?.port == nil)
    #expect(try InheritedSocket.find(["LISTEN_PID": "1", "LISTEN_FDS": "1"])?.port == nil)
    let error = #expect(throws: HTTPServerError.self) {
      _ = try InheritedSocket.find(["LISTEN_PID": "\(getpid())", "LISTEN_FDS": "2"])
    }
    #expect(error?.description.contains("one ListenStream") == true)
  }
}
