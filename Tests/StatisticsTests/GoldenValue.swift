import Foundation

/// A JSON value, as the inputs and the expectations of `golden.csv` are written.
enum GoldenValue: Sendable, Hashable, Decodable {
  case null
  case bool(Bool)
  case number(Double)
  case string(String)
  case list([GoldenValue])
  case object([String: GoldenValue])

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let value = try? container.decode(Bool.self) {
      self = .bool(value)
    } else if let value = try? container.decode(Double.self) {
      self = .number(value)
    } else if let value = try? container.decode(String.self) {
      self = .string(value)
    } else if let value = try? container.decode([GoldenValue].self) {
      self = .list(value)
    } else {
      self = .object(try container.decode([String: GoldenValue].self))
    }
  }

  init(json: String) throws {
    self = try JSONDecoder().decode(GoldenValue.self, from: Data(json.utf8))
  }

  /// A number, where nil stands for "undefined".
  static func optional(_ value: Double?) -> GoldenValue {
    value.map(GoldenValue.number) ?? .null
  }
}

/// What a row asks for that the tests cannot give it.
struct GoldenError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}

extension GoldenValue {
  var members: [String: GoldenValue] {
    get throws {
      guard case .object(let members) = self else { throw GoldenError("\(self) is not an object") }
      return members
    }
  }

  var elements: [GoldenValue] {
    get throws {
      guard case .list(let elements) = self else { throw GoldenError("\(self) is not a list") }
      return elements
    }
  }

  var double: Double {
    get throws {
      guard case .number(let value) = self else { throw GoldenError("\(self) is not a number") }
      return value
    }
  }

  var numbers: [Double] {
    get throws { try elements.map { try $0.double } }
  }

  func has(_ key: String) throws -> Bool { try members[key] != nil }

  subscript(key: String) -> GoldenValue {
    get throws {
      guard let value = try members[key] else { throw GoldenError("no input named \(key)") }
      return value
    }
  }

  func number(_ key: String) throws -> Double { try self[key].double }

  func flag(_ key: String) throws -> Bool {
    guard case .bool(let value) = try self[key] else { throw GoldenError("\(key) is not a Boolean") }
    return value
  }

  func text(_ key: String) throws -> String {
    guard case .string(let value) = try self[key] else { throw GoldenError("\(key) is not a string") }
    return value
  }
}
