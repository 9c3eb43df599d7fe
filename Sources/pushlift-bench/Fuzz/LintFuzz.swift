internal import EngagementEvents
internal import Foundation
internal import Payloads
internal import Simulation

/// Feeds broken files to the linters: none may crash them, find a fault outside of the file, or pass as a file of categories
/// that cannot be read as one.
struct LintFuzz {
  private(set) var executions = 0
  private(set) var valid = 0
  private var generator: SeededGenerator

  init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

  /// Breaks a file, lints it, and looks at what is said.
  ///
  /// - Throws: `BenchError` with the file where something is wrong.
  mutating func step() throws {
    executions += 1
    let isPayload = Bool.random(using: &generator)
    let seeds = isPayload ? LintSeeds.payloads : LintSeeds.categories
    var file = seeds[Int.random(in: seeds.indices, using: &generator)]
    ByteMutator.mutate(
      &file, changes: .random(in: 1...8, using: &generator), stretches: true, using: &generator)
    if isPayload {
      let report = PayloadLint(categories: ["social_post"]).report(on: file)
      try look(at: report.findings, report.text(file: "f", bytes: file), file)
      valid += report.isValid ? 1 : 0
    } else {
      let report = CategoryLint.report(on: file)
      try look(at: report.findings, report.text(file: "f", bytes: file), file)
      guard report.isValid else { return }
      valid += 1
      do { _ = try JSONDecoder().decode(CategoryRegistry.self, from: Data(file)) } catch {
        throw Self.finding("a valid file of categories cannot be read: \(error)", file)
      }
    }
  }

  private func look(at findings: [PayloadFinding], _ text: String, _ file: [UInt8]) throws {
    if let far = findings.first(where: { !(0...file.count).contains($0.offset) }) {
      throw Self.finding("\(far.code) is at \(far.offset)", file)
    }
    // A line for the verdict and one for each finding, unless a text of the file breaks them.
    if text.utf8.count(where: { $0 == 0x0A }) != findings.count + 1 {
      throw Self.finding("a finding takes more than a line", file)
    }
  }

  private static func finding(_ what: String, _ file: [UInt8]) -> BenchError {
    let digits = file.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    return BenchError("\(what); the file in hexadecimal: \(digits)")
  }
}
