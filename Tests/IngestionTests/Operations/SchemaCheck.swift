import Foundation

@testable import Ingestion

/// Holds a JSON value against a JSON Schema; knows the keywords that the description uses, and complains of any other.
struct SchemaCheck {
  /// The document that references point into.
  let document: JSONValue

  /// What is wrong, each with the place; empty where the value fits.
  func faults(_ value: JSONValue, _ schema: JSONValue, at place: String = "$") -> [String] {
    schema.members.flatMap { keyword -> [String] in
      let fits: Bool
      switch (keyword.name, keyword.value, value) {
      case ("$ref", .string(let target), _): return faults(value, resolve(target), at: place)
      case ("anyOf", .array(let options), _):
        let all = options.map { faults(value, $0, at: place) }
        return all.contains(where: \.isEmpty) ? [] : all.min { $0.count < $1.count } ?? []
      case ("properties", _, .object(let members)):
        return members.flatMap { member in
          keyword.value[member.name].map { faults(member.value, $0, at: "\(place).\(member.name)") } ?? []
        }
      case ("items", _, .array(let elements)):
        return elements.enumerated().flatMap { faults($1, keyword.value, at: "\(place)[\($0)]") }
      case ("required", .array(let names), .object(let members)):
        fits = names.allSatisfy { name in members.contains { .string($0.name) == name } }
      case ("additionalProperties", .bool(false), .object(let members)):
        fits = members.allSatisfy { schema["properties"]?[$0.name] != nil }
      case ("type", .string(let name), _): fits = value.isOf(type: name)
      case ("type", .array(let names), _):
        fits = names.contains { if case .string(let name) = $0 { value.isOf(type: name) } else { false } }
      case ("const", _, _): fits = value == keyword.value
      case ("enum", .array(let choices), _): fits = choices.contains(value)
      case ("minLength", .integer(let limit), .string(let text)): fits = text.unicodeScalars.count >= limit
      case ("maxLength", .integer(let limit), .string(let text)): fits = text.unicodeScalars.count <= limit
      case ("maxItems", .integer(let limit), .array(let elements)): fits = elements.count <= limit
      case ("minimum", _, _): fits = value.double.map { $0 >= keyword.value.double ?? .nan } ?? true
      case ("maximum", _, _): fits = value.double.map { $0 <= keyword.value.double ?? .nan } ?? true
      case ("format", .string("uuid"), .string(let text)): fits = UUID(uuidString: text) != nil
      case ("format", .string("date-time"), .string(let text)): fits = text.wholeMatch(of: Self.time) != nil
      case ("description", _, _), ("properties", _, _), ("items", _, _), ("required", _, _),
        ("additionalProperties", _, _), ("minLength", _, _), ("maxLength", _, _), ("maxItems", _, _),
        ("format", _, _):
        fits = true
      default: return ["\(place): the keyword \(keyword.name) is unknown"]
      }
      return fits ? [] : ["\(place): \(keyword.name)"]
    }
  }

  private static var time: Regex<Substring> {
    /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)/
  }

  private func resolve(_ target: String) -> JSONValue {
    target.split(separator: "/").dropFirst().reduce(document) { $0[String($1)] ?? ["not resolved": true] }
  }
}

extension JSONValue {
  fileprivate func isOf(type: String) -> Bool {
    switch (type, self) {
    case ("null", .null), ("boolean", .bool), ("integer", .integer), ("string", .string), ("array", .array),
      ("object", .object), ("number", .integer), ("number", .number):
      true
    default: false
    }
  }

  fileprivate var double: Double? {
    switch self {
    case .integer(let value): Double(value)
    case .number(let value): value
    default: nil
    }
  }
}

extension JSONValue: Decodable {
  /// The members of an object come in any order.
  public init(from decoder: any Decoder) throws {
    let value = try decoder.singleValueContainer()
    if value.decodeNil() {
      self = .null
    } else if let bool = try? value.decode(Bool.self) {
      self = .bool(bool)
    } else if let integer = try? value.decode(Int.self) {
      self = .integer(integer)
    } else if let number = try? value.decode(Double.self) {
      self = .number(number)
    } else if let string = try? value.decode(String.self) {
      self = .string(string)
    } else if let array = try? value.decode([JSONValue].self) {
      self = .array(array)
    } else {
      self = .object(try value.decode([String: JSONValue].self).map { ($0.key, $0.value) })
    }
  }

  static func parse(_ bytes: [UInt8]) throws -> JSONValue {
    try JSONDecoder().decode(JSONValue.self, from: Data(bytes))
  }
}
