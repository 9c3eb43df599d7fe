internal import Arguments
internal import Statistics

/// The options and values that say how sure to be, shared by reports and calculators.
enum CalculatorOptions {
  static let confidence = Option<Double>(
    "confidence", .share("a confidence", in: 0.5...0.9999), default: 0.95,
    help: "How sure the intervals and the verdict are to be.")

  static let designEffect = Option<Double?>.optional(
    "design-effect", .number(in: 1...1_000),
    help: "How many times wider repeats on a device make a variance, as reports show it (deff).")

  static let split = Option<Split?>.optional(
    "split", .split,
    help: "The shares that an experiment means to have rich and text-only, such as 50:50 or 1:9.")

  /// The chosen level.
  static func level(_ arguments: ParsedArguments) throws -> ConfidenceLevel {
    try ConfidenceLevel(arguments[confidence])
  }
}

/// The sizes that the rich and the text-only arm are meant to have; only their ratio counts.
struct Split: Sendable, Hashable {
  let rich: Double
  let text: Double

  static let even = Split(rich: 1, text: 1)
}

extension ValueParser where Value == Split {
  static var split: Self {
    ValueParser(
      placeholder: "rich:text",
      parse: { text throws(ValueError) in
        let parts = text.split(separator: ":", omittingEmptySubsequences: false).map { part in
          part.utf8.allSatisfy { "0123456789.".utf8.contains($0) } ? Double(String(part)) : nil
        }
        guard parts.count == 2, let rich = parts[0], let text = parts[1], (1e-6...1e9).contains(rich),
          (1e-6...1e9).contains(text)
        else { throw ValueError(expected: "two positive shares, rich first, such as 50:50 or 1:9") }
        return Split(rich: rich, text: text)
      },
      describe: { "\($0.rich):\($0.text)" })
  }
}

extension ValueParser where Value == Proportion {
  /// `420/5000`: units with the event, of units delivered.
  static var counts: Self {
    ValueParser(
      placeholder: "events/delivered",
      parse: { text throws(ValueError) in
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, let events = count(parts[0]), let delivered = count(parts[1]) else {
          throw ValueError(
            expected: "two whole numbers, those that interacted / those delivered, such as 420/5000")
        }
        guard events <= delivered, let counts = try? Proportion(successes: events, trials: delivered) else {
          throw ValueError(
            expected:
              "no more that interacted than were delivered, such as 420/5000: count each notification once")
        }
        return counts
      },
      describe: { "\(Int($0.successes))/\(Int($0.trials))" })
  }

  /// Whole, not negative, and exact as a `Double`.
  private static func count(_ text: Substring) -> Int64? {
    guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let count = Int64(text), count <= 1 << 53
    else { return nil }
    return count
  }
}
