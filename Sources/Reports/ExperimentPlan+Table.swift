internal import Statistics

extension ExperimentPlan {
  /// The plan for a terminal, ended by a line break.
  ///
  /// - Parameters:
  ///   - perDevice: how many notifications of its arm a device gets; nil leaves devices out.
  ///   - traffic: what the store delivers now; nil without a store.
  ///   - split: how an experiment would split that traffic; nil to leave it as it is.
  package func table(
    perDevice: Double? = nil, traffic: Traffic? = nil, split: (rich: Double, text: Double)? = nil
  ) -> String {
    var lines = traffic.map { [$0.sentence, ""] } ?? []
    lines += question + [""]
    lines += arms(perDevice)
    if let uplift, let traffic { lines += days(traffic, split, uplift) }
    return (lines + [""] + remarks(perDevice, isMeasured: traffic != nil)).joined(separator: "\n") + "\n"
  }

  private var question: [String] {
    let chance = "\(Format.percent(terms.power, digits: 0)) of the times that it is there"
    guard let uplift else {
      return ["With so few, not even a rich rate of 100 % would be found in \(chance)."]
    }
    let rates =
      "rich \(Format.percent(terms.base * (1 + uplift), digits: 2)) against text-only "
      + Format.percent(terms.base, digits: 2)
    return [
      "An uplift of \(Format.signedPercent(uplift)) (\(rates)) is found in \(chance),",
      "at \(Format.confidence(terms.level.value)) confidence, with:",
    ]
  }

  private func arms(_ perDevice: Double?) -> [String] {
    var table = TextTable(
      [("arm", .left), ("notifications", .right)] + (perDevice == nil ? [] : [("devices", .right)]))
    for (name, units) in [("rich", richUnits), ("text-only", textUnits), ("both", self.units)] {
      table.append(
        [name, Format.count(units)] + (perDevice.map { [Format.count((units / $0).rounded(.up))] } ?? []))
    }
    return table.lines
  }

  private func days(_ traffic: Traffic, _ split: (rich: Double, text: Double)?, _ uplift: Double) -> [String]
  {
    guard let days = traffic.days(for: self, split: split) else {
      return [
        "",
        "→ never at today's traffic: an arm gets nothing; --split says how an experiment would share it out",
      ]
    }
    let shared = split == nil ? "as it is" : "split so"
    return ["", "→ \(Format.count(days)) day\(days == 1 ? "" : "s") of this traffic, \(shared)"]
  }

  /// - Parameter isMeasured: whether the design effect is that of a store's devices.
  private func remarks(_ perDevice: Double?, isMeasured: Bool) -> [String] {
    var remarks: [String] = []
    if isBelowSupport {
      remarks.append(
        "A verdict needs \(Format.count(Verdict.minimalUnits)) delivered and "
          + "\(Format.count(Verdict.minimalExpectedEvents)) events to expect in either arm.")
    }
    remarks.append(
      terms.isNightly
        ? "Looked at every night by the always-valid interval, which takes \(Format.decimal(TwoProportionDesign.nightlyLooksInflation, digits: 1)) times as many."
        : "For one look, at the end. Whoever wants to look every night and stop early needs --nightly.")
    remarks.append(
      terms.designEffect > 1 || isMeasured
        ? "Design effect of repeats on a device: \(Format.decimal(terms.designEffect, digits: 2))."
        : "Notifications are taken as independent; where devices get several, say by how much that is wrong: --design-effect."
    )
    if perDevice != nil {
      remarks.append("Devices are counted as if each got notifications of one arm only.")
    }
    return remarks
  }
}
