import EngagementEvents
import Foundation
import Testing

@testable import EngagementSDK

/// What is read from a payload, and what is told of the rest.
struct PayloadReaderTests {
  private func reader(_ json: String, _ change: (inout PayloadKeys) -> Void = { _ in }) throws
    -> PayloadReader
  {
    let object = try #require(JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
    var keys = PayloadKeys()
    keys.notificationID = "note_id"
    change(&keys)
    return PayloadReader(object, keys: keys)
  }

  @Test(arguments: [
    ("8326526386", "8326526386"), ("0", "0"), ("-7", "-7"), ("1", "1"),
    ("9223372036854775807", "9223372036854775807"), (#""8326526386""#, "8326526386"),
    ("8326526386.0", "8326526386"), ("9007199254740993", "9007199254740993"), (#"" a ""#, " a "),
  ])
  func aNumberIsAnId(json: String, id: String) throws {
    let payload = try reader(#"{"note_id": \#(json)}"#)
    #expect(payload.reference(requestID: "r", category: "").id == id)
    #expect(payload.faults.isEmpty)
  }

  /// Apps put numbers of Swift in local notifications.
  @Test func numbersOfSwiftAreTakenAsWell() {
    var keys = PayloadKeys()
    keys.notificationID = "id"
    func id(_ value: Any) -> String? { PayloadReader(["id": value], keys: keys).notificationID }
    #expect(id(8_326_526_386) == "8326526386")
    #expect(id(Int64.min) == "-9223372036854775808")
    #expect(id(UInt64.max) == "18446744073709551615")
    #expect(id(UInt8(3)) == "3")
    #expect(id(NSNumber(value: 1)) == "1")
    for odd: Any in [true, false, NSNumber(value: true), 1.5, Double.nan, Double.infinity, 1e300] {
      #expect(id(odd) == nil, "\(odd)")
    }
  }

  @Test(arguments: [
    ("true", "a truth value"), ("false", "a truth value"), ("1.5", "no exact integer"),
    ("1e300", "no exact integer"), ("9007199254740994.0", "no exact integer"), ("[1]", "a list"),
    (#"{"a": 1}"#, "an object"),
  ])
  func whatIsNoIdIsTold(json: String, what: String) throws {
    let payload = try reader(#"{"note_id": \#(json)}"#)
    #expect(payload.reference(requestID: "r", category: "").id == "r")
    #expect(payload.faults.map(\.code) == [.invalidPayload])
    #expect(payload.faults.first?.message == "the payload's note_id is \(what); send a string or an integer")
  }

  /// Nothing there is nothing odd.
  @Test(arguments: ["{}", #"{"note_id": null}"#, #"{"note_id": ""}"#, #"{"experiment": null}"#])
  func whatIsAbsentIsNotTold(json: String) throws {
    let payload = try reader(json)
    #expect(payload.reference(requestID: "r", category: "").id == "r")
    #expect(payload.experiment == nil)
    #expect(payload.faults.isEmpty)
    #expect(payload.mediaFaults.isEmpty)
  }

  @Test(arguments: [
    (#"{"name": "x", "arm": 1}"#, "x", "1"), (#"{"name": 7, "arm": "b"}"#, "7", "b"),
    (#"{"name": 7, "arm": -1}"#, "7", "-1"),
  ])
  func armsMayBeNumbers(json: String, name: String, arm: String) throws {
    let payload = try reader(#"{"experiment": \#(json)}"#)
    #expect(payload.experiment == (try ExperimentAssignment(name: name, arm: arm)))
    #expect(payload.faults.isEmpty)
    let flat = try reader(#"{"experiment.name": 7, "experiment.arm": "b"}"#)
    #expect(flat.experiment == (try ExperimentAssignment(name: "7", arm: "b")))
    #expect(flat.faults.isEmpty)
  }

  @Test(arguments: [
    (#"{"name": "x", "arm": true}"#, "experiment.arm is a truth value"),
    (#"{"name": "x", "arm": 0.5}"#, "experiment.arm is no exact integer"),
    (#"{"name": "x"}"#, "experiment.arm is missing"), (#"{"arm": "x"}"#, "experiment.name is missing"),
    (#"{"name": "x", "arm": null}"#, "experiment.arm is missing"), ("{}", "experiment is an object"),
    (#""x""#, "experiment is a string"), ("7", "experiment is a number"), ("[]", "experiment is a list"),
    (#"{"name": "x", "arm": "\#(String(repeating: "a", count: 129))"}"#, "experiment.arm"),
  ])
  func anExperimentThatIsNoneIsTold(json: String, words: String) throws {
    let payload = try reader(#"{"experiment": \#(json)}"#)
    #expect(payload.experiment == nil)
    #expect(payload.faults.map(\.code) == [.invalidPayload])
    #expect(payload.faults.first?.message.contains(words) == true, "\(payload.faults)")
  }

  @Test func mediaThatIsNoTextIsTold() throws {
    let odd = try reader(#"{"media-url": ["https://e.com/a.png"], "media-type": 1}"#)
    #expect(odd.media == nil)
    #expect(
      odd.mediaFaults.map(\.message) == ["the payload's media-url is a list; send a string"])
    let typed = try reader(#"{"media-url": "https://e.com/a.png", "media-type": 1}"#)
    #expect(typed.media?.kind == .image)
    #expect(typed.mediaFaults.map(\.message) == ["the payload's media-type is a number; send a string"])
    // The first that has a text wins, whatever the others hold.
    let second = try reader(#"{"image": {"url": "https://e.com/a.gif"}}"#) {
      $0.media = ["image", "image.url"]
    }
    #expect(second.media?.kind == .gif)
    #expect(second.mediaFaults.isEmpty)
  }

  /// As Batch, Airship and others nest them.
  @Test(arguments: [
    (#"{"com.batch": {"at": {"u": "https://e.com/a.gif"}}}"#, "com.batch.at.u"),
    (
      #"{"com.urbanairship.media_attachment": {"url": "https://e.com/a.gif"}}"#,
      "com.urbanairship.media_attachment.url"
    ),
    (#"{"a": {"b.c": {"d": "https://e.com/a.gif"}}}"#, "a.b.c.d"),
    (#"{"a": {"b": "x"}, "a.b": {"c": "https://e.com/a.gif"}}"#, "a.b.c"),
    (#"{"a.b": {"d": 1}, "a": {"b": {"c": "https://e.com/a.gif"}}}"#, "a.b.c"),
    (#"{"a.b.c": "https://e.com/a.gif", "a": {"b": {"c": "https://e.com/b.png"}}}"#, "a.b.c"),
  ])
  func keysMayHaveDotsInTheirNames(json: String, key: String) throws {
    let payload = try reader(json) { $0.media = [key] }
    #expect(payload.media?.url?.absoluteString == "https://e.com/a.gif")
    #expect(try reader(json) { $0.media = [key + ".e"] }.media == nil)
  }
}
