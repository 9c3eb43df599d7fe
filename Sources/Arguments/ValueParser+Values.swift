extension ValueParser where Value == String {
  /// Any text, also the empty one (a category may be empty).
  package static var text: Self {
    ValueParser(placeholder: "text", parse: { text throws(ValueError) in text }, describe: { $0 })
  }

  /// A file or directory: not empty, without U+0000. `-` is kept as it is, for commands that read standard input.
  package static var path: Self {
    ValueParser(
      placeholder: "path",
      parse: { text throws(ValueError) in
        guard !text.isEmpty, !text.utf8.contains(0) else { throw ValueError(expected: "a path") }
        return text
      },
      describe: { $0 })
  }

  /// `scheme://rest` with one of the schemes, kept as written. It may hold a password, so errors do not repeat it.
  ///
  /// - Parameter example: what one looks like, for the error.
  package static func url(schemes: [String], example: String) -> Self {
    let expectation =
      "a URL that starts with " + schemes.map { $0 + "://" }.joinedAsChoice() + ", such as " + example
    return ValueParser(
      placeholder: "url", isSecret: true,
      parse: { text throws(ValueError) in
        guard let scheme = schemes.first(where: { text.lowercased().hasPrefix($0 + "://") }),
          text.utf8.count > scheme.utf8.count + 3,
          text.unicodeScalars.allSatisfy({ $0.value > 0x20 && $0.value != 0x7F })
        else { throw ValueError(expected: expectation) }
        return text
      },
      describe: { $0 })
  }
}

extension ValueParser where Value: FixedWidthInteger {
  /// A decimal integer within the range, a sign allowed.
  package static func integer(in range: ClosedRange<Value>) -> Self {
    let isOpenAbove = range.upperBound == .max
    let expectation =
      isOpenAbove
      ? "an integer of at least \(range.lowerBound)"
      : "an integer from \(range.lowerBound) to \(range.upperBound)"
    return ValueParser(
      placeholder: "integer",
      parse: { text throws(ValueError) in
        guard let value = Value(text), range.contains(value) else { throw ValueError(expected: expectation) }
        return value
      },
      describe: { "\($0)" })
  }
}

extension ValueParser where Value == Double {
  /// A finite decimal number within the range.
  package static func number(in range: ClosedRange<Double>) -> Self {
    ValueParser(
      placeholder: "number",
      parse: { text throws(ValueError) in
        // Double also reads "0x1p3", "nan" and "infinity", which nobody means on a command line.
        guard text.utf8.allSatisfy({ "0123456789+-.eE".utf8.contains($0) }),
          let value = Double(text), range.contains(value)
        else { throw ValueError(expected: "a number from \(range.lowerBound) to \(range.upperBound)") }
        return value
      },
      describe: { "\($0)" })
  }
}

extension ValueParser where Value: CaseIterable & RawRepresentable, Value.RawValue == String {
  /// One of the type's cases, by its raw value.
  package static var choice: Self {
    let names = Value.allCases.map(\.rawValue)
    return ValueParser(
      placeholder: names.joined(separator: "|"),
      parse: { text throws(ValueError) in
        guard let value = Value(rawValue: text) else {
          throw ValueError(expected: names.joinedAsChoice())
        }
        return value
      },
      describe: { $0.rawValue })
  }
}

extension Sequence<String> {
  /// `a`, `a or b`, `a, b or c`.
  func joinedAsChoice() -> String {
    let words = Array(self)
    guard words.count > 1, let last = words.last else { return words.first ?? "" }
    return words.dropLast().joined(separator: ", ") + " or " + last
  }
}
