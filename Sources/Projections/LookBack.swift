internal import EventStore
internal import Postgres

/// What the store said when it had read up to an earlier position, worked out once more from the log.
struct LookBack {
  private let query: RateQuery
  private let position: Int64

  init(_ query: RateQuery, _ position: Int64) {
    self.query = query
    self.position = position
  }

  /// Fills the temporary tables that stand for the serving ones, in the transaction that reads them.
  func prepare(on connection: borrowing Connection) throws -> EngagementProjection.Checkpoint {
    let read = try EngagementProjection.checkpoint(on: connection).position
    guard (0...read).contains(position) else {
      throw StoreError(
        .invalidValue, "Position \(position) has not been aggregated: the last one is \(read).",
        remedy: "Choose one from 0 to \(read).")
    }
    try requireKeptEvents(on: connection)
    let watermark = try ProjectionReplay(tables: .replayed, position: position, app: query.app.id)
      .fill(on: connection)
    return EngagementProjection.Checkpoint(position: position, watermark: watermark)
  }

  /// A unit that was first delivered over a day after the last dropped event arrived has lost nothing: no event is dated more
  /// than a day ahead of its arrival, and what precedes the delivery does not count.
  private func requireKeptEvents(on connection: borrowing Connection) throws {
    guard let firstKept = try RetiredEvents.firstWholeDay(query.zone, on: connection) else { return }
    if let first = query.firstDay, first >= firstKept { return }
    throw StoreError(
      .invalidValue,
      "Events were dropped since (pushlift maintain --keep-events), so that days before \(firstKept.text) cannot be looked back to.",
      remedy: "Choose --from \(firstKept.text) or later.")
  }
}
