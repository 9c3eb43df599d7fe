extension OpenAPIDocument {
  /// Who needs a key.
  enum KeyRule {
    case never, always, onlyFromElsewhere, asWriteKey
  }

  /// An operation with the answers of its own, and the errors that it shares with others.
  static func operation(
    _ id: String, _ summary: String, _ answers: [Int: JSONValue], errors: ErrorCatalogue.Codes...,
    needsKey: KeyRule = .never, description: String? = nil, body: JSONValue? = nil
  ) -> JSONValue {
    var answers = answers
    let codes = ErrorCatalogue.merged([ErrorCatalogue.general] + errors)
    for (status, codes) in codes where answers[status] == nil {
      answers[status] = errorAnswer(status, codes)
    }
    for status in ErrorCatalogue.unreadable where answers[status] == nil {
      answers[status] = page(ErrorCatalogue.meaning(of: status), beside: [:])
    }
    var members: [(String, JSONValue)] = [("operationId", .string(id)), ("summary", .string(summary))]
    if let description { members.append(("description", .string(description))) }
    let key: JSONValue = ["key": []]
    switch needsKey {
    case .never: members.append(("security", []))
    case .always: members.append(("security", [key]))
    case .asWriteKey: members.append(("security", [["writeKey": []], key]))
    case .onlyFromElsewhere: members.append(("security", [[:], key]))
    }
    if let body { members.append(("requestBody", body)) }
    let sorted = answers.sorted { $0.key < $1.key }
    members.append(("responses", .object(sorted.map { (String($0.key), withRequestID($0.value)) })))
    return .object(members)
  }

  static func json(_ description: String, _ schema: JSONValue, example: JSONValue? = nil) -> JSONValue {
    let content: JSONValue = example.map { ["schema": schema, "example": $0] } ?? ["schema": schema]
    return ["description": .string(description), "content": ["application/json": content]]
  }

  static func json(_ description: String, _ component: String, _ example: JSONValue) -> JSONValue {
    json(description, reference(component), example: example)
  }

  static func reference(_ component: String) -> JSONValue { ["$ref": "#/components/schemas/\(component)"] }

  /// The body of an error with one of these codes.
  static func error(_ codes: [[String]]) -> JSONValue {
    [
      "type": "object", "required": ["error"],
      "properties": [
        "error": [
          "type": "object", "required": ["code", "message"],
          "properties": ["code": ["enum": .strings(codes.joined())], "message": ["type": "string"]],
        ]
      ],
    ]
  }

  private static func errorAnswer(_ status: Int, _ codes: [String]) -> JSONValue {
    let example: JSONValue = [
      "error": [
        "code": .string(codes.first ?? ""), "message": .string(ErrorCatalogue.meaning(of: status)),
      ]
    ]
    var answer = json(ErrorCatalogue.meaning(of: status), error([codes]), example: example)
    if ErrorCatalogue.unreadable.contains(status) {
      answer = page(ErrorCatalogue.meaning(of: status), beside: answer["content"] ?? [:])
    }
    switch status {
    case 401: return answer.merging(headers("WWW-Authenticate", "Bearer"))
    case 405: return answer.merging(headers("Allow", "The methods of the path."))
    case 429, 503: return answer.merging(headers("Retry-After", "Seconds to wait."))
    default: return answer
    }
  }

  static func page(_ description: String, beside content: JSONValue) -> JSONValue {
    [
      "description": .string(description),
      "content": content.merging(["text/html": ["schema": ["type": "string"]]]),
    ]
  }

  static func headers(_ name: String, _ description: String) -> JSONValue {
    ["headers": [name: ["description": .string(description), "schema": ["type": "string"]]]]
  }

  /// Every answer tells the request's id.
  private static func withRequestID(_ answer: JSONValue) -> JSONValue {
    let id: JSONValue = [
      "X-Request-Id": [
        "description": "The id that the log knows the request by; the client's own where it sent a fit one.",
        "schema": ["type": "string"],
      ]
    ]
    let headers = id.merging(answer["headers"] ?? [:])
    return .object(answer.members.filter { $0.name != "headers" }).merging(["headers": headers])
  }
}
