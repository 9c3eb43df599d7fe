/// How the service treats its clients and its log, beyond how it listens.
package struct ServiceOptions: Sendable {
  /// Events a second that each key may send; nil = as many as come.
  package var eventsPerSecond: Int?

  /// Events that may wait to be committed; further ones are answered 503.
  package var queueCapacity: Int

  package var log: ServiceLog

  /// Whether whoever is on this machine sees the dashboard of every app without a key.
  package var opensDashboard: Bool

  /// Reports that the dashboard works on at a time; further ones are answered 503.
  package var reportsAtOnce: Int

  package init(
    eventsPerSecond: Int? = nil, queueCapacity: Int = 20_000, log: ServiceLog = .silent,
    opensDashboard: Bool = false, reportsAtOnce: Int = 2
  ) {
    self.eventsPerSecond = eventsPerSecond
    self.queueCapacity = queueCapacity
    self.log = log
    self.opensDashboard = opensDashboard
    self.reportsAtOnce = reportsAtOnce
  }
}
