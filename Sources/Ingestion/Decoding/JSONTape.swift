import CSimdjson
import EngagementEvents

/// The tokens of one JSON value: each array, object and key is followed by what it holds.
///
/// A view of the reader's memory, valid until it parses again.
struct JSONTape {
  private let tokens: UnsafeBufferPointer<csj_token>
  /// The first string or key that holds U+0000.
  let nullCharacter: Int?
  /// A key that stands in its object for the second time.
  let duplicateKey: Int?

  /// What a value is.
  enum Kind {
    case null, boolean, integer, naturalBeyondInteger, number, wideNumber, string, array, object

    /// The word for it in a message.
    var name: String {
      switch self {
      case .null: "null"
      case .boolean: "a Boolean"
      case .integer, .naturalBeyondInteger, .number, .wideNumber: "a number"
      case .string: "a string"
      case .array: "an array"
      case .object: "an object"
      }
    }
  }

  init(_ tape: csj_tape) {
    tokens = UnsafeBufferPointer(start: tape.tokens, count: Int(tape.count))
    nullCharacter = tape.null_character == UInt32.max ? nil : Int(tape.null_character)
    duplicateKey = tape.duplicate_key == UInt32.max ? nil : Int(tape.duplicate_key)
  }

  /// The index of the whole value.
  static let root = 0

  func kind(_ index: Int) -> Kind {
    switch csj_kind(UInt32(tokens[index].kind)) {
    case CSJ_NULL: .null
    case CSJ_FALSE, CSJ_TRUE: .boolean
    case CSJ_INT64: .integer
    case CSJ_UINT64: .naturalBeyondInteger
    case CSJ_DOUBLE: .number
    case CSJ_WIDE: .wideNumber
    case CSJ_ARRAY: .array
    case CSJ_OBJECT: .object
    default: .string
    }
  }

  /// The index behind the value with all that it holds; for a key, behind its value.
  func end(_ index: Int) -> Int { Int(tokens[index].next) }

  /// The elements of an array or the members of an object.
  func count(_ index: Int) -> Int { Int(tokens[index].length) }

  /// The known name of a key, or nil.
  func name(_ key: Int) -> FieldName? { FieldName(word: tokens[key].word) }

  /// Whether a token is a key, and no value.
  func isKey(_ index: Int) -> Bool { csj_kind(UInt32(tokens[index].kind)) == CSJ_KEY }

  /// Whether a key is this name.
  func isKey(_ key: Int, _ name: StaticString) -> Bool {
    let token = tokens[key]
    guard Int(token.length) == name.utf8CodeUnitCount else { return false }
    let bytes = UnsafeRawBufferPointer(start: token.value.text, count: Int(token.length))
    return bytes.elementsEqual(UnsafeRawBufferPointer(start: name.utf8Start, count: bytes.count))
  }

  /// Of a string or a key; of a wide number as it is written.
  func text(_ index: Int) -> String {
    let token = tokens[index]
    let bytes = UnsafeRawBufferPointer(start: token.value.text, count: Int(token.length))
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Lends the bytes of a string.
  func withText<Result>(_ index: Int, _ body: (Span<UInt8>) -> Result) -> Result {
    let token = tokens[index]
    let bytes = UnsafeRawBufferPointer(start: token.value.text, count: Int(token.length))
    return body(Span(_unsafeBytes: bytes))
  }

  func boolean(_ index: Int) -> Bool { csj_kind(UInt32(tokens[index].kind)) == CSJ_TRUE }
  func integer(_ index: Int) -> Int64 { tokens[index].value.int64 }
  func natural(_ index: Int) -> UInt64 { tokens[index].value.uint64 }

  /// An integer of any size as it is written; nil for any other value.
  func digits(_ index: Int) -> String? {
    switch kind(index) {
    case .integer: String(integer(index))
    case .naturalBeyondInteger: String(natural(index))
    case .wideNumber: text(index).contains { ".eE".contains($0) } ? nil : text(index)
    default: nil
    }
  }

  func number(_ index: Int) -> Double { tokens[index].value.number }

  /// The path of a token, as a fault names it.
  func path(to target: Int) -> FieldPath {
    var path = FieldPath()
    var index = JSONTape.root
    while index != target {
      switch kind(index) {
      case .object:
        var key = index + 1
        while target >= end(key) { key = end(key) }
        path.append(key: text(key))
        index = target == key ? target : key + 1
      default:
        var element = index + 1
        var position = 0
        while target >= end(element) {
          element = end(element)
          position += 1
        }
        path.append(position: position)
        index = element
      }
    }
    return path
  }
}
