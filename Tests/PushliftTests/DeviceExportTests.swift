import Foundation
import TestSupport
import Testing

/// `export --device`: what is kept of one device, and no other's.
@Suite(.store) struct DeviceExportTests {
  @Test func aDevicesOwnDataIsExportedWhole() throws {
    let sandbox = try Sandbox(database: try TestDatabase.current)
    _ = try sandbox.makeKey()
    let time = Day.text(daysAgo: 3) + "T10:00:00Z"
    let lines = [("d-1", "mine"), ("d-2", "another's")].enumerated().flatMap { number, device in
      ["action", "tapped"].enumerated().map { place, type in
        #"{"id":"11111111-1111-4111-8111-11111111111\#(number * 2 + place)","type":"\#(type)","notificationId":"n1","#
          + #""deviceId":"\#(device.0)","occurredAt":"\#(time)","actionId":"answer","replyText":"\#(device.1)"}"#
      }
    }
    try Data(lines.joined(separator: "\n").utf8).write(
      to: URL(fileURLWithPath: sandbox.folder + "/in.ndjson"))
    try sandbox.succeed("import", "in.ndjson", "--app", "shop")
    try sandbox.succeed("export", "--device", "d-1", "--output", "own.ndjson")
    let own = try String(contentsOfFile: sandbox.folder + "/own.ndjson", encoding: .utf8).split(
      separator: "\n")
    #expect(own.count == 2)
    #expect(own[0].contains(#""replyText":"mine""#))
    #expect(
      own[1].hasPrefix(#"{"deadLetter":{"receivedAt":"20"#) && own[1].contains(#""code":"unknown_value""#))
    for line in own {
      #expect(throws: Never.self) { try JSONSerialization.jsonObject(with: Data(line.utf8)) }
      #expect(!line.contains("another's"))
    }
    let mode = try FileManager.default.attributesOfItem(atPath: sandbox.folder + "/own.ndjson")[
      .posixPermissions]
    #expect(mode as? Int == 0o600)

    try sandbox.succeed("erase", "--device", "d-1")
    let left = try sandbox.succeed("export", "--device", "d-1").split(separator: "\n")
    #expect(left.count == 1 && left.allSatisfy { $0.hasPrefix(#"{"erasure" : {"begunAt" :"#) }, "\(left)")
    #expect(try sandbox.succeed("export", "--device", "nobody").isEmpty)
    #expect(try sandbox.succeed("export", "--device", "d-2").contains("another's"))
  }
}
