import EngagementEvents
import EventStore
import Foundation
import HTTPServer
import TestSupport
import Testing

@testable import Ingestion

/// Whether `/openapi.json` tells what the service does.
@Suite(.store) struct OpenAPITests {
  private static let check = SchemaCheck(document: OpenAPIDocument.document)

  @Test func everyRouteIsDescribed() throws {
    let service = try TestService()
    let served = try JSONValue.parse(try service.client.get("/openapi.json").body)
    let paths = try #require(served["paths"]).members
    #expect(Set(paths.map(\.name)) == IngestionServer.paths)
    for path in paths {
      let options = try service.client.exchange(
        Array("OPTIONS \(path.name) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".utf8))
      let methods = Set(path.value.members.map { $0.name.uppercased() })
      let all = methods.union(["OPTIONS"]).union(methods.contains("GET") ? ["HEAD"] : [])
      #expect(options["Allow"] == all.sorted().joined(separator: ", "), "\(path.name)")
    }
  }

  /// Each status and code that the sources can answer stands in the description, and none beside.
  @Test func everyErrorOfTheSourcesIsDescribed() throws {
    let sources = try Self.sources()
    let statuses = Dictionary(
      uniqueKeysWithValues: sources.matches(of: /static let (\w+) = HTTPStatus\(rawValue: (\d+)\)/).map {
        (String($0.output.1), Int($0.output.2) ?? 0)
      })
    var found: Set<String> = []
    for match in sources.matches(of: /(?:HTTPFault|self\.init)\(\s*\.(\w+),\s*([^,]*"[a-z_]+")/) {
      let status = try #require(statuses[String(match.output.1)])
      for code in match.output.2.matches(of: /"([a-z_]+)"/) { found.insert("\(status) \(code.output.1)") }
    }
    #expect(found.count > 20)
    for code in RequestFault.Code.allCases {
      found.insert("\(RequestFault(code: code, message: "").status) \(code.rawValue)")
    }
    let described = ErrorCatalogue.merged([
      ErrorCatalogue.general, ErrorCatalogue.unknownPath, ErrorCatalogue.keys, ErrorCatalogue.events,
      ErrorCatalogue.devices,
    ]).flatMap { status, codes in codes.map { "\(status) \($0)" } }
    #expect(found == Set(described))
    #expect(described.count == Set(described).count)
  }

  private static func sources() throws -> String {
    let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../Sources")
    return try ["HTTPServer", "Ingestion"].flatMap { room -> [String] in
      let folder = root.appending(path: room)
      let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
      return try names.filter { $0.hasSuffix(".swift") }.map {
        try String(contentsOf: folder.appending(path: $0), encoding: .utf8)
      }
    }.joined()
  }

  @Test func everyExampleFitsItsSchema() throws {
    var count = 0
    func visit(_ value: JSONValue) {
      if let schema = value["schema"], let example = value["example"] {
        count += 1
        #expect(Self.check.faults(example, schema) == [], "\(String(decoding: example.utf8, as: UTF8.self))")
      }
      for member in value.members { visit(member.value) }
      if case .array(let elements) = value { elements.forEach(visit) }
    }
    visit(OpenAPIDocument.document)
    #expect(count > 30)
    // The check itself can tell.
    #expect(Self.check.faults(["accepted": -1], OpenAPIDocument.reference("Verdicts")).count == 2)
  }

  @Test func theExamplesOfEventsAreTaken() throws {
    let service = try TestService()
    let first = try service.post(OpenAPIDocument.batchExample.utf8)
    #expect(first.status == 200)
    #expect(first.body == OpenAPIDocument.allStored.utf8)
    let lines = OpenAPIDocument.eventExamples.flatMap { $0.utf8 + [UInt8(ascii: "\n")] }
    let second = try service.post(lines, ["Content-Type": "application/x-ndjson"])
    #expect(second.text == #"{"accepted":0,"duplicates":3,"rejected":[]}"#)
  }

  /// The schema and the decoder agree on which fields an event must have, may have, and must not have.
  @Test(arguments: EventType.allCases) func theSchemaAgreesWithTheDecoder(type: EventType) throws {
    let example = try #require(
      OpenAPIDocument.eventExamples.first { $0["type"] == .string(type.rawValue) })
    let schema = OpenAPIDocument.reference("Event")
    let samples: [EventField: JSONValue] = [
      .sequence: 1, .source: "app", .experiment: ["name": "a", "arm": "b"], .category: "c",
      .attachments: [["kind": "gif", "seconds": .number(0.5), "width": 1, "height": .null]],
      .intended: ["video"], .fallback: "tooLarge", .customInterface: true, .actions: ["x"],
      .interruptionLevel: "passive", .relevanceScore: .number(0.25), .threadId: "t", .appVersion: "1",
      .locale: "de", .actionId: "like", .replyText: "",
    ]
    for field in EventField.allCases {
      let rest = example.members.filter { $0.name != field.rawValue }
      var variants: [JSONValue] = [.object(rest)]
      for value in [samples[field], .null, "\u{0}", ["nonsense": 1], .integer(-1)] {
        guard let value else { continue }
        variants.append(.object(rest).merging([field.rawValue: value]))
      }
      for variant in variants {
        let fits = Self.check.faults(variant, schema).isEmpty
        let decoded = try EventBatchDecoder().decode(JSONValue.array([variant]).utf8, format: .json)
        let isTaken = if case .event = decoded.results[0] { true } else { false }
        // What a schema cannot say: no U+0000 in any text.
        let isSpecial = variant[field.rawValue] == "\u{0}"
        #expect(isSpecial ? !isTaken : fits == isTaken, "\(String(decoding: variant.utf8, as: UTF8.self))")
      }
    }
  }

  @Test func answersFitTheirSchemas() throws {
    let service = try TestService()
    let event = Event(1).json
    let bodies = [
      "[]", "[\(event)]", "[\(event),{}]", "[{},1,null,\"\"]", "{}", "", "[", "{\"events\":1}",
      "{\"events\":[],\"events\":[]}", "{\"sentAt\":1,\"events\":[]}", "{\"sentAt\":\"now\",\"events\":[]}",
      "\u{FEFF}[]",
      "[\(Event(2).with("x", "1").json)]",
      "[\(Event(3).with("category", "\" a\"").json)]",
      "[" + Array(repeating: "{}", count: 2_501).joined(separator: ",") + "]",
    ]
    let answers =
      try bodies.map { try service.post($0) } + [
        service.post("[]", key: "nobody"), service.post("[]", ["Content-Type": "text/plain"]),
        service.post("[]", ["Content-Encoding": "gzip"]), service.post("[]", ["Expect": "wonders"]),
        service.post("x", ["Content-Type": "application/json; charset=latin1"]),
      ]
    for answer in answers { try Self.expectDescribed(answer, "/v1/events", "post") }
    #expect(Set(answers.map(\.status)) == [200, 207, 400, 401, 413, 415, 417, 422])
    for path in ["/healthz", "/readyz", "/openapi.json"] {
      try Self.expectDescribed(try service.client.get(path), path, "get")
    }
  }

  private static func expectDescribed(_ answer: HTTPAnswer, _ path: String, _ method: String) throws {
    let responses = OpenAPIDocument.document["paths"]?[path]?[method]?["responses"]
    let content = try #require(responses?[String(answer.status)]?["content"], "\(path) \(answer.status)")
    let type = try #require(answer["Content-Type"])
    let schema = try #require(content[type]?["schema"], "\(path) \(answer.status) \(type)")
    #expect(check.faults(try JSONValue.parse(answer.body), schema) == [], "\(answer.text)")
    #expect(answer["X-Request-Id"] != nil)
  }
}
