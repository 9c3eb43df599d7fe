internal import Arguments
internal import EventStore
internal import Postgres
internal import Projections

/// `pushlift rebuild`.
enum RebuildCommand {
  static let command = Command(
    "rebuild", abstract: "Make what reports are made from anew, from all events.",
    discussion: """
      Fills tables of its own in bulk, reads what came in meanwhile, and swaps them for the former ones in a moment. Until \
      then reports, and pushlift aggregate, go on with those; killed, it leaves them as they are, and the next rebuild \
      removes what it has left. Needs a login that may act as pushlift_owner, as pushlift migrate does, and room for the \
      tables twice.
      """,
    options: SharedOptions.store
  ) { arguments in
    try await SharedOptions.withStore(arguments) { opened in
      let line = StageLine()
      let checkpoint = try ProjectionRebuild().run(opened.store) { stage in
        switch stage {
        case .filling(let table): line.show("filling \(table)")
        case .catchingUp: line.show("catching up")
        case .swapping: line.show("swapping")
        }
      }
      // They serve already; but what reports count from an index alone they can only do after a vacuum.
      line.show("vacuuming")
      try ProjectionStatistics.refresh(on: opened.store.connect(.owning))
      line.end()
      try Terminal.print("rebuilt up to position \(checkpoint.position)")
    }
  }
}
