internal import EngagementEvents
internal import Postgres

/// The devices of a batch that were erased, by their keys, with the date up to which what they sent is not stored.
///
/// To be read once the writer holds the `PositionBarrier`: an erasure that is not seen then waits for the writer's commit.
struct ErasedDevices {
  private let until: [UUID128: PostgresTimestamp]

  init(in batch: AppendBatch, on connection: borrowing Connection) throws {
    let keys = Self.keys(of: batch)
    let rows = try connection.query(
      SQL(
        """
        select key, max(until) from erasure, unnest(array[device_key, exported_key]) key
        where key is not null and (device_key = any(\(keys)) or exported_key = any(\(keys)))
        group by key
        """
      ).prepared
    ).map { row in (try row.value(0, as: UUID128.self), try row.value(1, as: PostgresTimestamp.self)) }
    until = Dictionary(rows) { first, _ in first }
  }

  /// Fails as for a data fault where a device of the batch was erased; one round trip with the statements behind it.
  static func refusal(of batch: AppendBatch) -> SQL { "select refuse_erased(\(keys(of: batch)))" }

  private static func keys(of batch: AppendBatch) -> ColumnBuilder<UUID128> {
    var keys = ColumnBuilder<UUID128>(reservingCapacity: batch.rows.count)
    for row in batch.rows { keys.append(row.deviceKey) }
    for key in batch.deadLetters.lazy.compactMap(\.deviceKey) { keys.append(key) }
    return keys
  }

  var isEmpty: Bool { until.isEmpty }

  /// The batch without what the devices sent before they were erased, and the places that its rows had.
  ///
  /// Nobody knows when a refused event was made, so that no letter of an erased device is kept.
  func spare(_ batch: AppendBatch) -> (batch: AppendBatch, places: [Int]) {
    let places = batch.rows.indices.filter { !isErased(batch.rows[$0]) }
    var spared = batch
    spared.rows = places.map { batch.rows[$0] }
    spared.indices = places.map { batch.indices[$0] }
    spared.deadLetters.removeAll { letter in letter.deviceKey.map { until[$0] != nil } ?? false }
    return (spared, places)
  }

  private func isErased(_ row: EventRow) -> Bool {
    guard let until = until[row.deviceKey] else { return false }
    return Timestamp(until) >= min(row.event.occurredAt.instant, row.timing.corrected)
  }
}
