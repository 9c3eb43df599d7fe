/// Where rates lie between 0 and the top of a picture.
struct RateScale: Sendable {
  /// Above 0, at most 1.
  let top: Double
  private let step: Double

  /// - Parameter limits: of intervals; a few that are far off do not press the rest together.
  init(rates: [Double], limits: [Double]) {
    let usual = limits.sorted().dropLast(limits.count / 10).last ?? 0
    let wanted = min(1, max((rates.max() ?? 0) * 1.15, usual, 0.000_1))
    var unit = 1.0
    while unit > wanted { unit /= 10 }
    step = [0.1, 0.2, 0.25, 0.5, 1, 2, 2.5].map { $0 * unit }.first { wanted / $0 <= 5 } ?? wanted
    top = min(1, (wanted / step - 1e-9).rounded(.up) * step)
  }

  var ticks: [(rate: Double, label: String)] {
    // As few decimals as tell one step from the next.
    let digits = (0...4).first { places in
      var scaled = step * 100
      for _ in 0..<places { scaled *= 10 }
      return abs(scaled - scaled.rounded()) < 1e-6
    }
    return (0...Int((top / step + 1e-9).rounded(.down))).map { number in
      (Double(number) * step, Format.percent(Double(number) * step, digits: digits ?? 4))
    }
  }
}
