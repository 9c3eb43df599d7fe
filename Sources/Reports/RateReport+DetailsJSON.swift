internal import Projections

extension RateReport {
  /// The details of a report as JSON has them.
  struct DetailsDocument: Encodable {
    let breakdowns: [Breakdown]
    let timesToFirstInteraction: [Times]

    init(_ details: RateDetails) {
      breakdowns = details.breakdowns.map(Breakdown.init)
      timesToFirstInteraction = details.times.map(Times.init)
    }

    struct Breakdown: Encodable {
      let dimension: String
      let isConfounder: Bool
      let totalVariationDistance: Known<Double>
      let groups: [Group]

      init(_ breakdown: RateDetails.Breakdown) {
        dimension = breakdown.dimension.rawValue
        isConfounder = breakdown.dimension.isConfounder
        totalVariationDistance = Known(breakdown.distance)
        groups = breakdown.groups.map(Group.init)
      }
    }

    struct Group: Encodable {
      let value: Known<String>
      let rich: Arm
      let text: Arm

      init(_ group: RateDetails.Group) {
        value = Known(group.value)
        rich = Arm(delivered: group.rich.units, events: group.rich.successes)
        text = Arm(delivered: group.text.units, events: group.text.successes)
      }
    }

    struct Arm: Encodable {
      let delivered: Int
      let events: Int
    }

    struct Times: Encodable {
      let category: Known<String>
      let rich: Known<Quartiles>
      let text: Known<Quartiles>

      init(_ times: RateDetails.InteractionTimes) {
        category = Known(times.category)
        rich = Known(times.rich.map(Quartiles.init))
        text = Known(times.text.map(Quartiles.init))
      }
    }

    struct Quartiles: Encodable {
      let interacted: Int
      let lowerQuartileSeconds: Double
      let medianSeconds: Double
      let upperQuartileSeconds: Double

      init(_ quartiles: RateDetails.Quartiles) {
        interacted = quartiles.units
        lowerQuartileSeconds = quartiles.lower
        medianSeconds = quartiles.median
        upperQuartileSeconds = quartiles.upper
      }
    }
  }
}
