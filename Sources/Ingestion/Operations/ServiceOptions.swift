/// How the service treats its clients and its log, beyond how it listens.
package struct ServiceOptions: Sendable {
  /// Events a second that each key may send; nil = as many as come.
  package var eventsPerSecond: Int?

  /// Events that may wait to be committed; further ones are answered 503.
  package var queueCapacity: Int

  package var log: ServiceLog

  package init(eventsPerSecond: Int? = nil, queueCapacity: Int = 20_000, log: ServiceLog = .silent) {
    self.eventsPerSecond = eventsPerSecond
    self.queueCapacity = queueCapacity
    self.log = log
  }
}
