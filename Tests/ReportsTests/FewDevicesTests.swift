import EngagementEvents
import Statistics
import Testing

@testable import EventStore
@testable import Postgres
@testable import Projections
@testable import Reports

/// A thousand notifications to one person are one person's.
struct FewDevicesTests {
  /// So many devices an arm, each in a bucket of its own, with so many of its notifications interacted with.
  private func report(_ rich: [Int], _ text: [Int], units: Int = 100, sharing: Bool = false) throws
    -> RateReport
  {
    var facts = CategoryFacts()
    facts.rich = ArmFacts(units: rich.count * units, devices: rich.count)
    facts.text = ArmFacts(units: text.count * units, devices: text.count)
    facts.devices = sharing ? rich.count : rich.count + text.count
    let start = sharing ? 0 : rich.count
    let cells =
      rich.enumerated().map { place, successes in
        RateCell(category: "news", isRich: true, bucket: place % 128, units: units, successes: successes)
      }
      + text.enumerated().map { place, successes in
        RateCell(
          category: "news", isRich: false, bucket: (place + start) % 128, units: units, successes: successes)
      }
    let app = App(id: AppID(1), name: "shop", zone: "UTC", windowSeconds: 86_400)
    return try RateReport(
      RateResult(
        query: RateQuery(app: app), checkpoint: .init(position: 1, watermark: nil), cells: cells,
        facts: ["news": facts], total: facts))
  }

  @Test func oneDeviceAnArmSaysNothingOfOthers() throws {
    let report = try report([500], [250], units: 1_000)
    let one = report.categories[0]
    #expect(one.verdict == .tooFew(reason: "1 device got rich ones, 10 needed"))
    #expect(report.headline == "No answer yet: 1 device got rich ones, 10 needed.")
    #expect(one.designEffect == nil && one.rich.designEffect == nil)
    #expect(one.differenceInterval == nil && one.upliftInterval == nil && one.pValue == nil)
    #expect(one.rich.interval == nil && one.alwaysValidUplift == nil && one.rich.rate == 0.5)
    #expect(!report.table.contains("1.00"), "\(report.table)")
    let json = String(decoding: report.json, as: UTF8.self)
    #expect(json.contains(#""designEffect" : null"#) && !json.contains(#""designEffect" : 1"#))
  }

  @Test(arguments: [2, 9]) func belowTenDevicesThereIsNoVerdict(_ count: Int) throws {
    let few = [Int](repeating: 20, count: count)
    let many = [Int](repeating: 10, count: 40)
    for (rich, text, name) in [(few, many, "rich"), (many, few, "text-only")] {
      let report = try report(rich, text)
      let reason = "\(count) devices got \(name) ones, 10 needed"
      #expect(report.categories[0].verdict == .tooFew(reason: reason))
      #expect(report.pooled.verdict == .tooFew(reason: reason))
      #expect(report.crude.verdict == .tooFew(reason: reason))
    }
  }

  @Test func tenDevicesHaveAVerdictByStudentsT() throws {
    let rich = (0..<10).map { 20 + $0 % 3 }
    let text = (0..<10).map { 10 + $0 % 3 }
    let report = try report(rich, text)
    #expect(report.categories[0].verdict == .richIsHigher && report.pooled.verdict == .richIsHigher)
    // Nothing shows that a device's notifications are alike, and little that they are not.
    let few = try #require(try FewClusters.inflation(10, of: 128, .ninetyFive))
    #expect(abs(try #require(report.categories[0].designEffect) - few) < 1e-12)
  }

  @Test func devicesThatAllDoTheSameHaveNoIntervalWithoutWidth() throws {
    let same = (rich: [Int](repeating: 50, count: 12), text: [Int](repeating: 25, count: 12))
    let report = try report(same.rich, same.text)
    #expect(report.pooled.upliftInterval == nil && report.pooled.verdict == .richIsHigher)
    #expect(report.headline.contains("25.00 points more interactions"), "\(report.headline)")
  }

  @Test func anEstimateOfDevicesIsNoFewerThanTheirBuckets() throws {
    var facts = CategoryFacts()
    facts.rich.devices = 0
    let cells = (0..<12).map { RateCell(category: "", isRich: true, bucket: $0, units: 9, successes: 1) }
    #expect(ArmDevices(facts, BucketedArms(cells)) == ArmDevices(rich: 12, text: 0))
  }

  /// A device that both arms reached is not two.
  @Test func sharedDevicesAreCountedInEachArm() throws {
    let report = try report(
      (0..<12).map { 20 + $0 % 5 }, (0..<12).map { 10 + $0 % 4 }, sharing: true)
    #expect(report.categories[0].verdict == .richIsHigher)
  }

  @Test func aDayOfOneDeviceHasNoInterval() throws {
    let cells = [RateCell(category: "", isRich: true, bucket: 3, units: 40, successes: 20)]
    let rates = try ArmRates(cells, level: .ninetyFive)
    #expect(rates.rich.rate == 0.5 && rates.rich.interval == nil)
    let single = [RateCell(category: "", isRich: true, bucket: 3, units: 1, successes: 1)]
    #expect(try ArmRates(single, level: .ninetyFive).rich.interval != nil)
  }
}
