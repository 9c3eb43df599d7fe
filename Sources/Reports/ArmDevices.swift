internal import Projections

/// How many devices each arm has, so far as is known: an estimate never says fewer than there are buckets with some.
struct ArmDevices: Sendable, Hashable {
  let rich: Int
  let text: Int

  var least: Int { min(rich, text) }

  init(_ facts: CategoryFacts, _ buckets: BucketedArms) {
    rich = max(facts.rich.devices, buckets.filled(isRich: true))
    text = max(facts.text.devices, buckets.filled(isRich: false))
  }

  init(rich: Int, text: Int) {
    self.rich = rich
    self.text = text
  }
}
