internal import Arguments
internal import EventStore
internal import Postgres
internal import Projections
internal import Reports

/// `pushlift maintain`.
enum MaintainCommand {
  private static let keepEvents = Option<Duration?>.optional(
    "keep-events", .duration(in: .seconds(86_400 * Int64(EventRetention.shortest)) ... .seconds(864_000_000)),
    help: "Drop events that are older, a week at a time. Without it all are kept.")

  private static let keepReplies = Option<Duration?>.optional(
    "keep-replies", .duration(in: .seconds(86_400) ... .seconds(864_000_000)),
    help: "Remove the texts of replies that came longer ago. Without it all are kept.")

  static let command = Command(
    "maintain", abstract: "Make partitions ahead, tidy up, and drop events that are no longer to be kept.",
    discussion: """
      Made to be run every night. Makes the log's partitions for the weeks to come (as serve and aggregate do, too), \
      removes what a killed rebuild has left, finishes erasures that were interrupted, and refreshes what Postgres knows of \
      the tables.

      With --keep-events a week's events go once all of them are older than that, by their own date and by their arrival, \
      and so do the texts of their replies. Figures stay. Nothing is dropped before it was aggregated. What is gone cannot \
      be looked back to with rates --as-of, and verify and rebuild take the units that have lost events as they are.

      With --keep-replies the texts of older replies go, and nothing else: their events and all figures stay.

      Needs a login that may act as pushlift_owner, as pushlift migrate does.
      """,
    examples: [
      "pushlift maintain", "pushlift maintain --keep-events 400d", "pushlift maintain --keep-replies 90d",
    ],
    options: SharedOptions.store + [keepEvents, keepReplies]
  ) { arguments in
    try await SharedOptions.withStore(arguments) { opened in
      let owner = try opened.store.connect(.owning)
      let made = try EventPartitions.prepare(on: owner)
      try Terminal.print(
        "\(Format.count(made, "partition")) made; the log has them up to \(try EventPartitions.lastDay(on: owner).text)"
      )
      try ProjectionRebuild.withoutRebuild(on: owner, ProjectionRebuild.removeLeftovers)
      let finished = try DeviceErasure.finish(on: owner)
      if finished > 0 {
        try Terminal.print("\(Format.count(finished, "erasure")) finished, interrupted before")
      }
      if let kept = arguments[keepEvents] {
        let days = Int32(kept.components.seconds / 86_400)
        let dropped = try EventRetention(keptDays: days).run(opened.store)
        for partition in dropped {
          try Terminal.print("\(partition.partition) dropped, \(Format.count(partition.events, "event"))")
        }
        if dropped.isEmpty { try Terminal.print("No week is older than \(days) days as a whole.") }
      }
      if let kept = arguments[keepReplies] {
        let days = Int32(kept.components.seconds / 86_400)
        let removed = try ReplyRetention.run(keptDays: days, on: owner)
        try Terminal.print(
          "\(Format.count(removed, "text of a reply", "texts of replies")) older than \(days) days removed")
      }
      // What was removed is to be gone from the tables' files, too.
      try owner.execute("vacuum (analyze) reply, dead_letter")
      try ProjectionStatistics.refresh(on: owner)
    }
  }
}
