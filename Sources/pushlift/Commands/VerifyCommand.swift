internal import Arguments
internal import EventStore
internal import Postgres
internal import Projections
internal import Reports

/// `pushlift verify`.
enum VerifyCommand {
  static let command = Command(
    "verify", abstract: "Prove that the figures are what the events say.",
    discussion: """
      Works out afresh from all events what reports are made from, beside the tables that are there, and compares the two \
      row for row; and counts the events of each partition against those that were read. Tells what differs and leaves \
      with 1. Events come in and are aggregated meanwhile; it takes about as long as a rebuild, and as much room.
      """,
    options: SharedOptions.store
  ) { arguments in
    try await SharedOptions.withStore(arguments) { opened in
      let connection = try opened.store.connect(.asking)
      let stage = StageLine()
      let result = try ProjectionCheck.run(on: connection) { stage.show("checking \($0)") }
      stage.end()
      for line in lines(result) { try Terminal.print(line) }
      guard result.isSound else {
        throw StoreError(
          .database, "The figures are not what the events say.",
          remedy: "pushlift rebuild makes them anew; then see what had changed them.")
      }
    }
  }

  private static func lines(_ result: ProjectionCheck.Result) -> [String] {
    var lines: [String] = []
    for table in result.tables {
      let count = Format.count(table.rows, "row")
      guard table.differing > 0 else {
        lines.append("\(table.name): \(count), all as they should be")
        continue
      }
      lines.append("\(table.name): \(count), \(Format.count(table.differing)) not as they should be")
      lines += table.differences.map { "  " + TextTable.visible($0) }
      let untold = table.differing - table.differences.count
      if untold > 0 { lines.append("  and \(Format.count(untold)) more") }
    }
    for week in result.weeks {
      let place = week.partitions.isEmpty ? "no partition" : week.partitions.joined(separator: ", ")
      lines.append(
        "event, week of \(week.week.text) (\(place)): \(Format.count(week.present, "event")) "
          + "\(week.present == 1 ? "is" : "are") there, \(Format.count(week.read)) \(week.read == 1 ? "was" : "were") read"
      )
    }
    if let fault = result.watermarkFault { lines.append("projection_checkpoint: \(fault)") }
    if result.sealedUnits > 0 {
      lines.append(
        result.sealedUnits == 1
          ? "1 unit has lost events to --keep-events and was taken as it is"
          : "\(Format.count(result.sealedUnits)) units have lost events to --keep-events and were taken as they are"
      )
    }
    lines.append(
      "\(Format.count(result.events, "event")) in \(Format.count(result.partitions, "partition")), up to position "
        + "\(result.position)")
    if result.waitingEvents > 0 {
      lines.append(
        "\(Format.count(result.waitingEvents, "event")) \(result.waitingEvents == 1 ? "is" : "are") not aggregated yet"
      )
    }
    return lines
  }
}
