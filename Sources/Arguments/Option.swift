/// A named option, defined once and listed by every command that takes it.
///
/// `Value` is what reading it gives: `T` for a required option or one with a default, `T?` for an optional one,
/// `[T]` for a repeatable one, `Bool` for a flag.
package struct Option<Value: Sendable>: DeclaredOption {
  package let definition: OptionDefinition

  /// An option that has a default, shown in help.
  /// - Parameters:
  ///   - name: the long name without the dashes.
  ///   - short: a letter for the one-dash form.
  ///   - environment: the variable that is read when the option is not given; an empty variable counts as unset.
  package init(
    _ name: String, short: Character? = nil, _ parser: ValueParser<Value>, default value: Value,
    environment: String? = nil, help: String
  ) {
    definition = OptionDefinition(
      name: name, short: short, valueName: parser.placeholder, help: help,
      defaultText: parser.describe(value), environment: environment, isSecret: parser.isSecret
    ) { texts throws(InvalidText) in
      try texts.last.map(parser.value) ?? value
    }
  }

  /// An option that must be given, or set by its environment variable.
  package static func required(
    _ name: String, short: Character? = nil, _ parser: ValueParser<Value>, environment: String? = nil,
    help: String
  ) -> Option<Value> {
    Option(
      definition: OptionDefinition(
        name: name, short: short, valueName: parser.placeholder, help: help, environment: environment,
        isRequired: true, isSecret: parser.isSecret
      ) { texts throws(InvalidText) in
        guard let text = texts.last else { preconditionFailure("a required option is read after its check") }
        return try parser.value(of: text)
      })
  }

  /// An option that may be left out; reading it then gives nil.
  package static func optional<Wrapped>(
    _ name: String, short: Character? = nil, _ parser: ValueParser<Wrapped>, environment: String? = nil,
    help: String
  ) -> Option<Wrapped?> where Value == Wrapped? {
    Option(
      definition: OptionDefinition(
        name: name, short: short, valueName: parser.placeholder, help: help, environment: environment,
        isSecret: parser.isSecret
      ) { texts throws(InvalidText) -> Wrapped? in
        try texts.last.map(parser.value)
      })
  }

  /// An option that may be given any number of times; reading it gives the values in order.
  package static func repeated<Element>(
    _ name: String, short: Character? = nil, _ parser: ValueParser<Element>, environment: String? = nil,
    help: String
  ) -> Option<[Element]> where Value == [Element] {
    Option(
      definition: OptionDefinition(
        name: name, short: short, valueName: parser.placeholder, help: help, environment: environment,
        isRepeatable: true, isSecret: parser.isSecret
      ) { texts throws(InvalidText) -> [Element] in
        var elements: [Element] = []
        for text in texts { elements.append(try parser.value(of: text)) }
        return elements
      })
  }

  private init(definition: OptionDefinition) {
    self.definition = definition
  }
}

extension Option where Value == Bool {
  /// An option without a value: true when given. Its environment variable, if any, takes `1`/`true` or `0`/`false`.
  package static func flag(
    _ name: String, short: Character? = nil, environment: String? = nil, help: String
  ) -> Option<Bool> {
    Option(
      definition: OptionDefinition(
        name: name, short: short, valueName: nil, help: help, environment: environment
      ) { texts throws(InvalidText) in
        switch texts.last {
        case nil, "0", "false": false
        case OptionDefinition.flagGiven, "1": true
        case let text?: throw InvalidText(text: text, expectation: "1, true, 0 or false")
        }
      })
  }
}

/// What a command's list of options holds: an `Option` of any value.
package protocol DeclaredOption: Sendable {
  var definition: OptionDefinition { get }
}

/// An option without its value's type: all that scanning and help need of it.
package struct OptionDefinition: Sendable {
  /// The long name without the dashes.
  package let name: String
  package let short: Character?
  /// The value's placeholder; nil for a flag.
  package let valueName: String?
  package let help: String
  /// The default as one would type it; nil where there is none.
  package let defaultText: String?
  package let environment: String?
  package let isRequired: Bool
  package let isRepeatable: Bool
  package let isSecret: Bool
  /// From the texts given, none to many, to the value.
  let resolve: @Sendable ([String]) throws(InvalidText) -> any Sendable

  /// The text that stands for a flag that was given.
  static let flagGiven = "true"

  /// `--name`.
  package var spelling: String { "--" + name }

  init(
    name: String, short: Character?, valueName: String?, help: String, defaultText: String? = nil,
    environment: String?, isRequired: Bool = false, isRepeatable: Bool = false, isSecret: Bool = false,
    resolve: @escaping @Sendable ([String]) throws(InvalidText) -> any Sendable
  ) {
    self.name = name
    self.short = short
    self.valueName = valueName
    self.help = help
    self.defaultText = defaultText
    self.environment = environment
    self.isRequired = isRequired
    self.isRepeatable = isRepeatable
    self.isSecret = isSecret
    self.resolve = resolve
  }
}
