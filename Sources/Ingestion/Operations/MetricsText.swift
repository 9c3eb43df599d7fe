/// Writes metrics in Prometheus' text format, version 0.0.4.
struct MetricsText {
  static let contentType = "text/plain; version=0.0.4; charset=utf-8"

  private(set) var utf8: [UInt8] = []

  /// One time series of a metric.
  struct Sample {
    let labels: [(name: String, value: String)]
    let value: Double

    init(_ labels: [(name: String, value: String)] = [], _ value: Double) {
      self.labels = labels
      self.value = value
    }
  }

  mutating func counter(_ name: String, _ help: String, _ samples: [Sample]) {
    head(name, help, "counter")
    for sample in samples { line(name, sample.labels, sample.value) }
  }

  mutating func gauge(_ name: String, _ help: String, _ samples: [Sample]) {
    head(name, help, "gauge")
    for sample in samples { line(name, sample.labels, sample.value) }
  }

  mutating func histogram(_ name: String, _ help: String, _ histogram: Histogram) {
    head(name, help, "histogram")
    var total = 0
    for (bound, count) in zip(histogram.bounds.map(Self.text) + ["+Inf"], histogram.counts) {
      total += count
      line(name + "_bucket", [("le", bound)], Double(total))
    }
    line(name + "_sum", [], histogram.sum)
    line(name + "_count", [], Double(total))
  }

  private mutating func head(_ name: String, _ help: String, _ type: String) {
    utf8 += "# HELP \(name) \(Self.escaped(help, quotes: false))\n# TYPE \(name) \(type)\n".utf8
  }

  private mutating func line(_ name: String, _ labels: [(name: String, value: String)], _ value: Double) {
    utf8 += name.utf8
    if !labels.isEmpty {
      let list = labels.map { "\($0.name)=\"\(Self.escaped($0.value, quotes: true))\"" }
      utf8 += "{\(list.joined(separator: ","))}".utf8
    }
    utf8 += " \(Self.text(value))\n".utf8
  }

  /// Whole numbers without a point, all others with as many digits as they need.
  static func text(_ value: Double) -> String {
    if value == value.rounded(), abs(value) < 0x1p53 { return String(Int64(value)) }
    return value.isNaN ? "NaN" : value.isInfinite ? (value < 0 ? "-Inf" : "+Inf") : String(value)
  }

  /// Backslashes and line feeds, and in a label quotation marks, are all that would be misread.
  private static func escaped(_ text: String, quotes: Bool) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\": escaped += #"\\"#
      case "\n": escaped += #"\n"#
      case "\"" where quotes: escaped += #"\""#
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }
}
