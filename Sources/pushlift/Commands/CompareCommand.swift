internal import Arguments
internal import Reports
internal import Statistics

/// `pushlift compare`.
enum CompareCommand {
  enum Format: String, CaseIterable, Sendable {
    case table, json
  }

  private static let rich = Argument<Proportion>(
    "rich", .counts, help: "Rich notifications: those that interacted / those delivered, such as 420/5000.")
  private static let text = Argument<Proportion>("text", .counts, help: "Text-only ones, likewise.")
  private static let format = Option<Format>(
    "format", .choice, default: .table, help: "How to print the comparison.")

  static let command = Command(
    "compare", abstract: "Compare two rates that you have counted yourself; no store is needed.",
    discussion: """
      Gives the rates, their difference and the uplift with the intervals, the test and the verdict of the reports, and \
      beside them those of other methods. Takes notifications as independent. Where devices get several, intervals are too \
      narrow by that; --design-effect widens them: give the deff that a report of your own traffic shows behind p.
      """,
    examples: [
      "pushlift compare 420/5000 310/5000",
      "pushlift compare 420/5000 310/5000 --design-effect 1.6 --confidence 99%",
      "pushlift compare 42/500 31/500 --format json",
    ],
    options: [CalculatorOptions.confidence, CalculatorOptions.designEffect, format], arguments: [rich, text]
  ) { arguments in
    let comparison = try DirectComparison(
      TwoProportions(rich: arguments[rich], text: arguments[text]),
      designEffect: arguments[CalculatorOptions.designEffect] ?? 1,
      level: try CalculatorOptions.level(arguments))
    switch arguments[format] {
    case .table: try Terminal.write(Array(comparison.table.utf8))
    case .json: try Terminal.write(comparison.json)
    }
  }
}
