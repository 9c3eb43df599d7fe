extension ValueParser where Value == Double {
  /// A share as a percentage or a fraction: `8%` and `0.08` mean the same. A negative one has its sign in front.
  ///
  /// - Parameters:
  ///   - name: what the share is, with its article, as in `a rate`.
  ///   - range: of the fraction.
  package static func share(_ name: String, in range: ClosedRange<Double>) -> Self {
    ValueParser(
      placeholder: "share",
      parse: { text throws(ValueError) in
        let isPercentage = text.hasSuffix("%")
        var digits = isPercentage ? text.dropLast() : text[...]
        while digits.last == " " { digits.removeLast() }
        guard digits.utf8.allSatisfy({ "0123456789+-.".utf8.contains($0) }),
          let number = Double(String(digits)),
          case let share = isPercentage ? number / 100 : number, range.contains(share)
        else {
          throw ValueError(
            expected: "\(name) from \(percentage(range.lowerBound)) to \(percentage(range.upperBound)), "
              + "written with % or as a share of 1")
        }
        return share
      },
      describe: percentage)
  }
}

/// Up to two decimals: `95%`, `99.99%`.
@Sendable private func percentage(_ share: Double) -> String {
  let hundredths = Int((share * 10_000).rounded())
  let (whole, rest) = (hundredths / 100, abs(hundredths % 100))
  let decimals = rest == 0 ? "" : rest % 10 == 0 ? ".\(rest / 10)" : rest < 10 ? ".0\(rest)" : ".\(rest)"
  return "\(whole)\(decimals)%"
}
