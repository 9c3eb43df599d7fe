package import EngagementEvents

/// What to simulate: the truth that the events are drawn from, and how disorderly they arrive.
package struct SimulationPlan: Sendable, Hashable {
  /// Notifications, each on one device: the units of the report.
  package var notifications: Int
  /// Devices that the notifications fall on, some much more often than others. Nil: a twentieth of the notifications.
  package var devices: Int?
  /// The categories; at least one with a share.
  package var categories: [SimulatedCategory]
  /// Correlation of interactions on the same device, 0 (devices are alike) to 0.5: each device has rates of its own,
  /// beta-distributed around the category's (a beta-binomial model).
  package var deviceCorrelation: Double
  /// Deliveries spread over so many days before `end`, with the rhythm of the hours of a day.
  package var days: Int
  /// When the observation ends: no delivery and no interaction is later.
  package var end: Timestamp
  /// Share of intended rich notifications that showed text, 0 to below 1.
  package var fallbackShare: Double
  /// Chance of an interaction after the 24 hours where there was none within, as a share of the unit's rate.
  package var afterWindowShare: Double
  /// Nil: the arm is drawn for each notification, by the category's share of rich. Otherwise for each device.
  package var experiment: SimulatedExperiment?
  /// How the events arrive.
  package var disorder: Disorder

  /// The window within which the rates of the categories hold, in microseconds; half-open, 24 hours.
  package static let windowMicroseconds: Int64 = 86_400_000_000

  package init(
    notifications: Int, devices: Int? = nil, categories: [SimulatedCategory] = SimulatedCategory.demo,
    deviceCorrelation: Double = 0.05, days: Int = 14, end: Timestamp, fallbackShare: Double = 0.06,
    afterWindowShare: Double = 0.05, experiment: SimulatedExperiment? = nil, disorder: Disorder = .usual
  ) {
    self.notifications = notifications
    self.devices = devices
    self.categories = categories
    self.deviceCorrelation = deviceCorrelation
    self.days = days
    self.end = end
    self.fallbackShare = fallbackShare
    self.afterWindowShare = afterWindowShare
    self.experiment = experiment
    self.disorder = disorder
  }

  /// 20,000 notifications on 1,000 devices in the two weeks before 2026-11-30T00:00:00Z, in the categories of
  /// `SimulatedCategory.demo`.
  package static let demo = SimulationPlan(
    notifications: 20_000, end: Timestamp(microseconds: 1_795_996_800_000_000))

  /// `devices`, or what nil stands for.
  package var deviceCount: Int { devices ?? max(1, notifications / 20) }
}

/// One arm for each device, drawn once and told with every event.
package struct SimulatedExperiment: Sendable, Hashable {
  package var name: String
  /// Share of devices in the arm `rich`, 0 to 1; the others are in `text`.
  package var richShare: Double

  package init(name: String, richShare: Double = 0.5) {
    self.name = name
    self.richShare = richShare
  }
}

/// How far the stream is from the order of what happened. Shares are from 0 to 1.
package struct Disorder: Sendable, Hashable {
  /// Events that arrive an hour to 29 days late.
  package var lateShare: Double
  /// Events that arrive twice, the same bytes.
  package var doubledShare: Double
  /// Every event arrives up to so many seconds after it happened, which shuffles neighbours.
  package var shuffleSeconds: Double
  /// Deliveries that arrive after the unit's first interaction, where there is one.
  package var deliveryLastShare: Double
  /// Deliveries that never arrive, in both arms alike: whatever else the unit reports is an orphan.
  package var lostDeliveryShare: Double

  package init(
    lateShare: Double, doubledShare: Double, shuffleSeconds: Double, deliveryLastShare: Double,
    lostDeliveryShare: Double
  ) {
    self.lateShare = lateShare
    self.doubledShare = doubledShare
    self.shuffleSeconds = shuffleSeconds
    self.deliveryLastShare = deliveryLastShare
    self.lostDeliveryShare = lostDeliveryShare
  }

  /// As networks do it: 2 % late, 3 % twice, shuffled within ten minutes, 3 % of deliveries last, 0.2 % lost.
  package static let usual = Disorder(
    lateShare: 0.02, doubledShare: 0.03, shuffleSeconds: 600, deliveryLastShare: 0.03,
    lostDeliveryShare: 0.002)

  /// Every event once, in the order of what happened.
  package static let none = Disorder(
    lateShare: 0, doubledShare: 0, shuffleSeconds: 0, deliveryLastShare: 0, lostDeliveryShare: 0)
}
