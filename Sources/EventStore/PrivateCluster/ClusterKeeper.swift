internal import Foundation
internal import Synchronization

/// Starts pushlift's own Postgres again where it goes down under a process that uses it for long: one whose server was
/// killed is otherwise left waiting until somebody else comes and starts it.
package final class ClusterKeeper: Sendable {
  /// How a start went. Called on the keeper's thread, once for each start and once for failures of one text.
  package typealias Observer = @Sendable (Result<Void, any Error>) -> Void

  private let cluster: PrivateCluster
  private let observer: Observer
  private let isStopped = Mutex(false)
  private let wakeUp = DispatchSemaphore(value: 0)

  init(_ cluster: PrivateCluster, observer: @escaping Observer) {
    self.cluster = cluster
    self.observer = observer
    let thread = Thread { [self] in run() }
    thread.name = "pushlift-cluster"
    thread.start()
  }

  /// Looks no more. A start that is under way goes on.
  package func stop() {
    isStopped.withLock { $0 = true }
    wakeUp.signal()
  }

  private func run() {
    var delay = Backoff()
    var lastComplaint = ""
    while !isStopped.withLock({ $0 }) {
      var pause = 0.5
      do {
        if try cluster.revive() { observer(.success(())) }
        delay.reset()
        lastComplaint = ""
      } catch {
        let complaint = "\(error)"
        if complaint != lastComplaint { observer(.failure(error)) }
        lastComplaint = complaint
        pause = max(pause, delay.next())
      }
      _ = wakeUp.wait(timeout: .now() + pause)
    }
  }
}
