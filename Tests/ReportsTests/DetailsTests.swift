import Foundation
import Reports
import Testing

@testable import Projections

/// The details of a report as table and JSON show them.
struct DetailsTests {
  private func breakdown(
    _ dimension: RateDetails.Dimension, _ rows: [(value: String?, rich: Int, text: Int)]
  ) -> RateDetails.Breakdown {
    RateDetails.Breakdown(
      dimension: dimension,
      groups: rows.map { row in
        var group = RateDetails.Group(value: row.value)
        group.rich.units = row.rich
        group.text.units = row.text
        group.rich.successes = row.rich / 10
        return group
      })
  }

  private func report(_ breakdowns: [RateDetails.Breakdown]) throws -> RateReport {
    var sample = SampleReport()
    sample.add("news", rich: (1_000, 100), text: (1_000, 80))
    let times = RateDetails.InteractionTimes(
      category: nil, rich: .init(units: 100, lower: 2.25, median: 95, upper: 5_400), text: nil)
    sample.details = RateDetails(breakdowns: breakdowns, times: [times])
    return try sample.report()
  }

  @Test(arguments: [
    ([(100, 100), (300, 300)], 0.0), ([(100, 0), (0, 300)], 1.0), ([(75, 50), (25, 50)], 0.25),
  ])
  func theDistanceIsThatOfShares(_ rows: [(Int, Int)], _ distance: Double) {
    let groups = breakdown(.hour, rows.map { ("\($0.0)", $0.0, $0.1) })
    #expect(abs((groups.distance ?? -1) - distance) < 1e-12)
  }

  @Test func anEmptyArmHasNoDistance() {
    #expect(breakdown(.hour, [("01", 5, 0)]).distance == nil)
  }

  @Test func theTableShowsWhatDiffers() throws {
    let table = try report([
      breakdown(.appVersion, [(nil, 100, 100), ("2.0", 300, 900), ("3.0", 600, 0)]),
      breakdown(.source, [(nil, 1_000, 1_000)]), breakdown(.hour, [("00", 500, 500), ("01", 500, 500)]),
      breakdown(.shownMedia, [("image", 1_000, 0), ("none", 0, 1_000)]),
    ]).table
    let lines = Set(table.split(separator: "\n").map { $0.split(separator: " ").joined(separator: " ") })
    #expect(lines.contains("app version (not told) 100 10.0 % 10.00 % 100 10.0 % 0.00 %"), "\(table)")
    #expect(lines.contains("3.0 600 60.0 % 10.00 % 0 0.0 % –"), "\(table)")
    // What nobody told is left out; what makes the arms is no confounder.
    #expect(!table.contains("reported by"))
    #expect(table.contains("make-up differs: app version 60.0 % ⚠, hour of delivery 0.0 %.\n"))
    #expect(lines.contains("(all) rich 100 2.3 s 95 s 90.0 min"), "\(table)")
  }

  @Test func withoutASecondArmThereIsNoMakeUpToCompare() throws {
    let table = try report([breakdown(.hour, [("00", 5, 0), ("01", 5, 0)])]).table
    #expect(table.contains("One arm is empty, so that there is nothing to compare its make-up with.\n"))
    #expect(!table.contains("differs: ."))
  }

  /// A value may be called as what stands where there is none.
  @Test func aValueIsNotTakenForAStandIn() throws {
    let names = ["(none)", "(not told)", "(others)", ""]
    let table = try report([
      breakdown(.appVersion, [(nil, 1, 1)] + names.map { (String?($0), 1, 1) })
    ]).table
    for name in ["\"(none)\"", "\"(not told)\"", "\"(others)\"", " (none) ", " (not told) "] {
      #expect(table.contains(name), "\(name) in \(table)")
    }
  }

  @Test func manyGroupsAreShownAsTheLargestAndTheRest() throws {
    let rows = (0..<100).map { (String?("v\($0)"), $0 + 1, $0 + 1) }
    let table = try report([breakdown(.appVersion, rows)]).table
    #expect(table.contains(" v99 "))
    #expect(!table.contains(" v50 "))
    #expect(table.contains("(others)"))
    // All are in the JSON, and in the distance.
    let json = String(decoding: try report([breakdown(.appVersion, rows)]).json, as: UTF8.self)
    #expect(json.contains("\"v50\""))
  }

  @Test func theJSONHasNullWithoutDetails() throws {
    let document =
      try JSONSerialization.jsonObject(with: Data(SampleReport().report().json)) as? [String: Any]
    #expect(document?["details"] is NSNull)
    let full =
      try JSONSerialization.jsonObject(
        with: Data(report([breakdown(.hour, [("00", 5, 5)])]).json)) as? [String: Any]
    let details = try #require(full?["details"] as? [String: Any])
    #expect((details["breakdowns"] as? [[String: Any]])?.first?["totalVariationDistance"] as? Double == 0)
    #expect((details["timesToFirstInteraction"] as? [[String: Any]])?.first?["category"] is NSNull)
  }
}
