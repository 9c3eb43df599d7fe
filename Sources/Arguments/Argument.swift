/// A positional argument. `Value` is what reading it gives: `T`, `T?` or `[T]`, as with `Option`.
package struct Argument<Value: Sendable>: DeclaredArgument {
  package let definition: ArgumentDefinition

  /// An argument that must be given.
  package init(_ name: String, _ parser: ValueParser<Value>, help: String) {
    definition = ArgumentDefinition(name: name, help: help, count: 1...1) { texts throws(InvalidText) in
      guard let text = texts.first else { preconditionFailure("a required argument is read after its check") }
      return try parser.value(of: text)
    }
  }

  /// An argument that may be left out; reading it then gives nil.
  package static func optional<Wrapped>(
    _ name: String, _ parser: ValueParser<Wrapped>, help: String
  ) -> Argument<Wrapped?> where Value == Wrapped? {
    Argument(
      definition: ArgumentDefinition(name: name, help: help, count: 0...1) {
        texts throws(InvalidText) -> Wrapped? in
        try texts.first.map(parser.value)
      })
  }

  /// All the arguments that remain, at least `minimum` of them; it must be a command's last.
  package static func repeated<Element>(
    _ name: String, _ parser: ValueParser<Element>, minimum: Int = 0, help: String
  ) -> Argument<[Element]> where Value == [Element] {
    Argument(
      definition: ArgumentDefinition(name: name, help: help, count: minimum...Int.max) {
        texts throws(InvalidText) -> [Element] in
        var elements: [Element] = []
        for text in texts { elements.append(try parser.value(of: text)) }
        return elements
      })
  }

  private init(definition: ArgumentDefinition) {
    self.definition = definition
  }
}

/// What a command's list of arguments holds: an `Argument` of any value.
package protocol DeclaredArgument: Sendable {
  var definition: ArgumentDefinition { get }
}

/// A positional argument without its value's type.
package struct ArgumentDefinition: Sendable {
  package let name: String
  package let help: String
  /// How many words it takes.
  package let count: ClosedRange<Int>
  let resolve: @Sendable ([String]) throws(InvalidText) -> any Sendable

  /// `<name>`.
  package var spelling: String { "<" + name + ">" }
}
