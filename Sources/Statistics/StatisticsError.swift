/// What was wrong with the numbers handed to this module.
///
/// Every function here is total on valid input: a result that the data cannot give is `nil`, with its meaning
/// in the function's documentation, and never NaN. This error is for input that no data could have produced.
package struct StatisticsError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The kind of fault, for code to branch on.
  package enum Code: String, Sendable, Hashable {
    /// NaN or infinity where a number was meant.
    case notFinite
    /// A count below zero.
    case negativeCount
    /// A count between 0 and 1e-6, or above 2^53: not a count, nor a count divided by a design effect.
    case countOutOfRange
    /// More successes than trials.
    case successesExceedTrials
    /// An exact test was asked of counts that are not whole numbers.
    case countNotWhole
    /// A confidence, significance, power or probability outside its open or closed unit interval.
    case probabilityOutOfRange
    /// Another parameter outside its documented domain.
    case parameterOutOfRange
    /// Two lists that must run in parallel have different lengths.
    case lengthsDiffer
    /// The work asked for grows with the size of the table, and this table is beyond the documented limit.
    case tableTooLarge
    /// A special function did not converge.
    case noConvergence
  }

  package let code: Code
  /// What was found, where, and what would be accepted instead.
  package let message: String

  package init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  package var description: String { "\(code.rawValue): \(message)" }
}

extension StatisticsError {
  /// Returns `value`, if it is finite and `isAccepted`; `domain` says in words what is.
  @discardableResult
  static func require(
    _ value: Double, _ name: String, _ domain: String, code: Code = .parameterOutOfRange,
    where isAccepted: (Double) -> Bool
  ) throws(StatisticsError) -> Double {
    guard value.isFinite else {
      throw StatisticsError(.notFinite, "\(name) is \(value); give \(domain)")
    }
    guard isAccepted(value) else {
      throw StatisticsError(code, "\(name) is \(value); give \(domain)")
    }
    return value
  }

  /// Returns `value`, if it lies strictly between 0 and 1.
  @discardableResult
  static func requireOpenUnit(_ value: Double, _ name: String) throws(StatisticsError) -> Double {
    try require(value, name, "a number strictly between 0 and 1", code: .probabilityOutOfRange) {
      $0 > 0 && $0 < 1
    }
  }

  /// Returns `value`, if it is positive.
  @discardableResult
  static func requirePositive(_ value: Double, _ name: String) throws(StatisticsError) -> Double {
    try require(value, name, "a positive number") { $0 > 0 }
  }

  /// Returns `value`, if it can be a count, or a count divided by a design effect.
  @discardableResult
  static func requireCount(_ value: Double, _ name: String) throws(StatisticsError) -> Double {
    try require(value, name, "a count of 0 or more", code: .negativeCount) { $0 >= 0 }
    return try require(value, name, "0, or a count from 1e-6 to 2^53", code: .countOutOfRange) {
      $0 == 0 || ($0 >= 1e-6 && $0 <= 0x1p53)
    }
  }
}
