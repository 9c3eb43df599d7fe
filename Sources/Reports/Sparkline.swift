/// A row of numbers as a line of blocks.
package enum Sparkline {
  private static let blocks = Array("▁▂▃▄▅▆▇█")

  /// - Parameters:
  ///   - values: nil leaves a blank.
  ///   - top: what the highest block means; the lowest is 0.
  package static func text(_ values: [Double?], upTo top: Double) -> String {
    String(
      values.map { value in
        guard let value, top > 0 else { return " " }
        let place = (value / top * Double(blocks.count)).rounded(.down)
        return blocks[min(max(Int(place), 0), blocks.count - 1)]
      })
  }
}
