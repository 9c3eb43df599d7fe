import Reports
import Testing

/// Tables on a terminal that is not wide.
struct WidthTests {
  private func table() -> TextTable {
    var table = TextTable([("category", .left), ("rate", .right), ("interval", .left), ("verdict", .left)])
    table.append(["a category with a rather long name", "10.72 %", "10.33 % to 11.13 %", "rich is higher"])
    table.append(["chat", "8.03 %", "7.67 % to 8.39 %", "no difference shown"])
    return table
  }

  @Test func wordsAreCutOffAndFiguresNever() {
    let full = table().lines
    #expect(table().lines(fitting: nil) == full)
    #expect(table().lines(fitting: 200) == full)
    for width in [80, 70, 60] {
      let lines = table().lines(fitting: width)
      #expect(lines.allSatisfy { $0.count <= width }, "\(lines)")
      #expect(lines[1].contains("…"))
      #expect(lines[1].contains("10.72 %  10.33 % to 11.13 %"))
    }
    // Below what the figures take, they stay whole all the same.
    #expect(table().lines(fitting: 10)[1].contains("10.33 % to 11.13 %"))
  }

  @Test func aSparklineRisesWithItsNumbers() {
    #expect(Sparkline.text([0, 0.1, nil, 0.4, 0.8], upTo: 0.8) == "▁▂ ▅█")
    #expect(Sparkline.text([0, 0], upTo: 0) == "  ")
    #expect(Sparkline.text([], upTo: 1) == "")
  }
}
