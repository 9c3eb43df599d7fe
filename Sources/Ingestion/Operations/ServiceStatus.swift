internal import EngagementEvents
internal import EventStore
internal import Synchronization

/// How the service stands at the moment.
final class ServiceStatus: Sendable {
  private let committer: GroupCommitter
  private let probe: StoreProbe
  private let commits: CommitHealth
  private let queueCapacity: Int
  private let isStopping = Atomic(false)

  init(committer: GroupCommitter, probe: StoreProbe, commits: CommitHealth, queueCapacity: Int) {
    self.committer = committer
    self.probe = probe
    self.commits = commits
    self.queueCapacity = queueCapacity
  }

  func beginStopping() { isStopping.store(true, ordering: .relaxed) }

  /// Whether the writers have their connections and Postgres answers.
  var canStore: Bool { committer.isReady && probe.isUp }

  /// Why not, as far as is known.
  var outage: StoreError? { committer.outage ?? probe.outage }

  var readiness: Readiness {
    var obstacles: [Readiness.Obstacle] = []
    if isStopping.load(ordering: .relaxed) { obstacles.append(.stopping) }
    if !canStore { obstacles.append(.storeAway) }
    if !commits.isGood { obstacles.append(.commitsFail) }
    let room = queueCapacity - committer.depth
    if room < min(EventLimits.eventsPerRequest, queueCapacity) { obstacles.append(.queueFull) }
    if !probe.reading.isSchemaCurrent { obstacles.append(.schemaOutdated) }
    return Readiness(obstacles: obstacles)
  }

  var gauges: ServiceMetrics.Gauges {
    ServiceMetrics.Gauges(
      queuedEvents: committer.depth, queueCapacity: queueCapacity, store: probe.reading,
      isStoreUp: probe.isUp, isReady: readiness.isReady)
  }
}
