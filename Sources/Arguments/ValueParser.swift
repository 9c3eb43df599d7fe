/// How the text of one value on the command line becomes a `Value`, and how a `Value` is shown again in help.
package struct ValueParser<Value: Sendable>: Sendable {
  /// What stands for the value in help, without the angle brackets: `duration` is shown as `<duration>`.
  package let placeholder: String
  /// Whether the text may hold a password, so that an error must not repeat it.
  package let isSecret: Bool
  private let parse: @Sendable (String) throws(ValueError) -> Value
  let describe: @Sendable (Value) -> String

  /// - Parameters:
  ///   - parse: throws a `ValueError` that says what was expected.
  ///   - describe: the inverse of `parse`; it writes the default value in help.
  package init(
    placeholder: String,
    isSecret: Bool = false,
    parse: @escaping @Sendable (String) throws(ValueError) -> Value,
    describe: @escaping @Sendable (Value) -> String
  ) {
    self.placeholder = placeholder
    self.isSecret = isSecret
    self.parse = parse
    self.describe = describe
  }

  /// The same parser under another placeholder, such as `.text.named("category")`.
  package func named(_ placeholder: String) -> Self {
    ValueParser(placeholder: placeholder, isSecret: isSecret, parse: parse, describe: describe)
  }

  /// The value of a text, or which text was not one.
  package func value(of text: String) throws(InvalidText) -> Value {
    do {
      return try parse(text)
    } catch {
      throw InvalidText(text: text, expectation: error.expectation)
    }
  }
}

/// A text that is no value, and what was expected in its place.
package struct InvalidText: Error {
  package let text: String
  /// Completes the sentence "expected …".
  package let expectation: String
}

/// Why a text is not a value of the wanted type. The text itself and the option are added by whoever reports it.
package struct ValueError: Error, Hashable {
  /// Completes the sentence "expected …", for example `a duration such as 90s, 5m, 24h or 30d`.
  package let expectation: String

  package init(expected expectation: String) {
    self.expectation = expectation
  }
}
