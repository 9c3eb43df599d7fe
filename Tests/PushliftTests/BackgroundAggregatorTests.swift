import EventStore
import Foundation
import Ingestion
import Postgres
import Synchronization
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

  @Test func aFailureThatLastsIsToldAgainAndAgain() throws {
    let lines = Mutex<[String]>([])
    let log = ServiceLog(format: .json) { line in
      lines.withLock { $0.append(String(decoding: line, as: UTF8.self)) }
    }
    let nowhere = EventStore(
      database: try ConnectionConfiguration("host=127.0.0.1 port=1 user=nobody"), secret: .test)
    let aggregator = BackgroundAggregator(
      nowhere, interval: .milliseconds(2), complaintInterval: .milliseconds(10), log: log)
    aggregator.start()
    poll(upTo: .seconds(20), "it is told three times") { lines.withLock { $0.count } >= 3 }
    aggregator.beginStopping()
    #expect(aggregator.waitUntilStopped(for: .seconds(20)))
    let line = try #require(lines.withLock { $0.last })
    #expect(line.contains("aggregation failed") && line.contains(#""error.code":"unavailable""#), "\(line)")
    #expect(line.contains("error.message") && line.contains("pushlift.remedy"), "\(line)")
  }
}
