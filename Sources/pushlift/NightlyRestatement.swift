internal import Arguments

/// Compares days' files with what would be written now, and replaces those whose figures differ.
enum NightlyRestatement {
  /// - Parameter files: what would be written now for a day.
  /// - Returns: the days that were replaced.
  static func run(
    _ days: [CalendarDate], in folder: NightlyFolder, _ files: (CalendarDate) throws -> NightlyFiles
  ) throws -> [CalendarDate] {
    let restated = try days.filter { try restate(try files($0), in: folder) }
    try Terminal.print("\(restated.count) of \(days.count) days restated")
    return restated
  }

  private static func restate(_ files: NightlyFiles, in folder: NightlyFolder) throws -> Bool {
    let day = files.day
    let path = folder.file(of: day)
    let former = try NightlyTable(path: path)
    let current = try NightlyTable(name: path, files.contents[.rates] ?? [])
    guard former.reportsTheSame(as: current) else {
      Terminal.complain(
        "\(path) is the report of another app, zone, window or metric: it is left as it is. Give the options that it was made with."
      )
      return false
    }
    var changes = former.changes(to: current)
    for kind in NightlyFiles.Kind.allCases where kind.isCompared && kind != .rates {
      // A folder from before there was such a file gets it with the next change.
      guard let former = try? NightlyTable(path: folder.file(kind, of: day)) else { continue }
      changes += try former.changes(to: NightlyTable(name: path, files.contents[kind] ?? []))
    }
    guard !changes.isEmpty else { return false }
    let kept = try folder.replace(with: files)
    try Terminal.print(
      "\(path) restated, position \(former["position"]) → \(current["position"]); before: \(kept)")
    for line in changes { try Terminal.print("  " + line) }
    return true
  }
}
