import EventStore
import Foundation
import Ingestion
import Postgres
import TestSupport
import Testing

@testable import pushlift

/// What runs beside the server.
@Suite(.store) struct BackgroundAggregatorTests {
  /// A server that runs for months has its partitions, whether or not it aggregates.
  @Test(arguments: [true, false]) func partitionsAreMadeAheadWhileItRuns(aggregates: Bool) throws {
    let store = try EventStore.prepared()
    let superuser = try store.connectAsSuperuser()
    let last = try EventPartitions.lastDay(on: superuser)
    let name = try superuser.value(
      of: "select 'event_' || to_char(\(last)::date, 'IYYY\"w\"IW')", as: String.self)
    let aggregator = BackgroundAggregator(
      store, interval: .milliseconds(10), aggregates: aggregates, upkeepInterval: .milliseconds(20),
      log: .standardError(level: .error, format: .text))
    aggregator.start()
    try superuser.execute("drop table \(identifier: name)")
    try poll(upTo: .seconds(20), "the partition is there again") {
      try EventPartitions.lastDay(on: superuser) == last
    }
    aggregator.beginStopping()
    #expect(aggregator.waitUntilStopped(for: .seconds(20)))
  }
}
