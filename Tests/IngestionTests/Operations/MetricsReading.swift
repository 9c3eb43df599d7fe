import TestSupport
import Testing

@testable import Ingestion

/// A scrape, read as strictly as Prometheus does.
struct MetricsReading {
  /// By the series as written: the name, and the labels in braces.
  private(set) var values: [String: Double] = [:]
  private(set) var types: [String: String] = [:]

  subscript(series: String) -> Double? { values[series] }

  var series: [String] { values.keys.sorted() }

  init(_ text: String) throws {
    #expect(text.hasSuffix("\n"))
    var current = ""
    for line in text.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
      let words = line.split(separator: " ", maxSplits: 3).map(String.init)
      if line.hasPrefix("# HELP ") {
        current = words[2]
        #expect(types[current] == nil, "each metric stands in one place")
        continue
      }
      if line.hasPrefix("# TYPE ") {
        #expect(words[2] == current)
        types[current] = words[3]
        continue
      }
      let name = try #require(line.prefixMatch(of: /[a-z_]+/)).output
      #expect(name.hasPrefix(current), "\(line) under \(current)")
      let match = try #require(
        line.wholeMatch(of: /([a-z_]+(?:\{(?:[a-z_]+="(?:[^"\\\n]|\\[\\"n])*",?)+\})?) (\S+)/), "\(line)")
      let series = String(match.output.1)
      #expect(values[series] == nil, "\(series) twice")
      values[series] = Double(match.output.2)
      #expect(values[series] != nil, "\(line)")
    }
  }
}

extension TestService {
  func metrics() throws -> MetricsReading {
    let answer = try client.get("/metrics")
    #expect(answer.status == 200)
    #expect(answer["Content-Type"] == "text/plain; version=0.0.4; charset=utf-8")
    return try MetricsReading(answer.text)
  }
}
