import EngagementEvents

extension SimulationTruth {
  /// The truth as a JSON object with a line for each category, to lie beside the file of events.
  ///
  /// `seed` is a string, since JSON's readers keep integers only up to 2⁵³. `expanded` and `dismissed` are null where
  /// the category cannot measure them.
  package var json: String {
    let rows = categories.map { "    " + $0.json }.joined(separator: ",\n")
    return """
      {
        "seed": "\(seed)",
        "notifications": \(plan.notifications),
        "devices": \(plan.deviceCount),
        "days": \(plan.days),
        "end": "\(plan.end.rfc3339)",
        "windowSeconds": \(SimulationPlan.windowMicroseconds / 1_000_000),
        "deviceCorrelation": \(plan.deviceCorrelation),
        "fallbackShare": \(plan.fallbackShare),
        "experiment": \(plan.experiment.map { $0.name.jsonString } ?? "null"),
        "categories": [
      \(rows)
        ]
      }

      """
  }
}

extension SimulationTruth.CategoryTruth {
  fileprivate var json: String {
    let fields = [
      "\"category\": \(plan.category.text.jsonString)", "\"textRate\": \(plan.textRate)",
      "\"richRate\": \(plan.richRate)", "\"uplift\": \(plan.uplift)", "\"upliftAsShown\": \(upliftAsShown)",
      "\"text\": \(json(of: text))", "\"rich\": \(json(of: rich))",
    ]
    return "{" + fields.joined(separator: ", ") + "}"
  }

  private func json(of counts: SimulationTruth.ArmCounts) -> String {
    let fields: [(String, Int?)] = [
      ("delivered", counts.delivered), ("fallbacks", counts.fallbacks), ("interacted", counts.interacted),
      ("expanded", plan.hasContentExtension ? counts.expanded : nil), ("opened", counts.opened),
      ("acted", counts.acted), ("replied", counts.replied),
      ("dismissed", plan.dismissalRate == nil ? nil : counts.dismissed),
      ("matureDelivered", counts.matureDelivered), ("matureInteracted", counts.matureInteracted),
      ("orphans", counts.orphans),
    ]
    return "{" + fields.map { "\"\($0)\": \($1.map(String.init) ?? "null")" }.joined(separator: ", ") + "}"
  }
}

extension String {
  /// The text as a JSON string: quotation marks around it, and only what JSON demands escaped.
  fileprivate var jsonString: String {
    var quoted = "\""
    for scalar in unicodeScalars {
      switch scalar {
      case "\"", "\\": quoted += "\\\(scalar)"
      case "\u{0}"..<"\u{20}":
        let digits = String(scalar.value, radix: 16)
        quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + "\""
  }
}
