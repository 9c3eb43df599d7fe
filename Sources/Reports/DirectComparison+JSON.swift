internal import Foundation
internal import Statistics

extension DirectComparison {
  /// The comparison as JSON, keys sorted, ended by a line break. What is undefined or unlimited is null, with a reason.
  package var json: [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    // Every number was checked to be finite, and nothing else can fail.
    guard let data = try? encoder.encode(document) else {
      preconditionFailure("the comparison holds no odd number")
    }
    return Array(data) + [UInt8(ascii: "\n")]
  }

  /// A tree of values, since a derived encoding would leave out what is null.
  private indirect enum Value: Encodable {
    case null, number(Double), text(String), list([Value]), object([String: Value])

    init(_ number: Double?) { self = number.flatMap { $0.isFinite ? .number($0) : nil } ?? .null }

    init(_ text: String?) { self = text.map(Value.text) ?? .null }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      switch self {
      case .null: try container.encodeNil()
      case .number(let number): try container.encode(number)
      case .text(let text): try container.encode(text)
      case .list(let values): try container.encode(values)
      case .object(let members): try container.encode(members)
      }
    }
  }

  private var document: Value {
    .object([
      "confidence": Value(confidence), "designEffect": Value(designEffect),
      "rich": arm(counts.rich, richIntervals), "text": arm(counts.text, textIntervals),
      "difference": estimate(difference, differenceIntervals),
      "uplift": estimate(uplift, upliftIntervals),
      "tests": .list(
        tests.map {
          .object(["method": .text($0.method), "pValue": Value($0.pValue), "reason": Value($0.reason)])
        }),
      "verdict": .text(verdict.words), "reason": Value(verdict.reason), "claim": .text(claim.rawValue),
    ])
  }

  private func arm(_ counts: Proportion, _ intervals: [MethodInterval]) -> Value {
    .object([
      "delivered": Value(counts.trials), "events": Value(counts.successes),
      "rate": estimate(counts.rate, intervals),
    ])
  }

  private func estimate(_ value: Double?, _ intervals: [MethodInterval]) -> Value {
    .object([
      "value": Value(value),
      "intervals": .list(
        intervals.map { method in
          .object([
            "method": .text(method.method), "lower": Value(method.interval?.lower),
            "upper": Value(method.interval?.upper), "reason": Value(whyNone(value, method.interval)),
          ])
        }),
    ])
  }
}
