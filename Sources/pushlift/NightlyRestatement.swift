internal import Arguments

/// Compares days' files with what would be written now, and replaces those whose figures differ.
enum NightlyRestatement {
  private enum Outcome {
    case asItWas, restated
    /// What it shows of other days was written anew.
    case followed
    case repaired
  }

  /// - Parameters:
  ///   - manifest: takes in what was written.
  ///   - files: what would be written now for a day.
  /// - Returns: how many days were restated.
  static func run(
    _ days: [CalendarDate], in folder: NightlyFolder, _ manifest: inout NightlyManifest,
    _ files: (CalendarDate) throws -> NightlyFiles
  ) throws -> Int {
    var restated = 0
    var followed = 0
    for day in days {
      let outcome = try restate(try files(day), in: folder, manifest)
      switch outcome {
      case .asItWas: continue
      case .restated: restated += 1
      case .followed: followed += 1
      case .repaired: break
      }
      try manifest.update(day, in: folder)
    }
    if followed > 0 {
      try Terminal.print(
        "the trend and the page of \(followed) other \(followed == 1 ? "day" : "days") written anew, since they show what changed"
      )
    }
    try Terminal.print("\(restated) of \(days.count) days restated")
    return restated
  }

  private static func restate(
    _ files: NightlyFiles, in folder: NightlyFolder, _ manifest: NightlyManifest
  ) throws -> Outcome {
    let day = files.day
    let path = folder.file(of: day)
    let damaged = try manifest.damaged(day, in: folder)
    let current = try NightlyTable(name: path, files.contents[.rates] ?? [])
    let former = try? NightlyTable(path: path)
    guard let former, former.reportsTheSame(as: current) else {
      // The manifest says whose report it was.
      if damaged.contains(.rates) { return try repair(damaged, with: files, in: folder) }
      Terminal.complain(
        "\(path) is the report of another app, zone, window or metric: it is left as it is. Give the options that it was made with."
      )
      return .asItWas
    }
    let changes = try NightlyFiles.Kind.allCases.filter(\.isOfItsDay).flatMap { kind in
      try Self.changes(kind, to: files, in: folder) ?? []
    }
    guard changes.isEmpty else {
      let kept = try folder.replace(with: files, taken: manifest.names(of: day))
      try Terminal.print(
        "\(path) restated, position \(former["position"]) → \(current["position"]); before: \(kept)")
      for line in changes { try Terminal.print("  " + line) }
      return .restated
    }
    guard damaged.isEmpty else { return try repair(damaged, with: files, in: folder) }
    guard try Self.changes(.trend, to: files, in: folder)?.isEmpty == false else { return .asItWas }
    try folder.write(files, [.trend, .report])
    return .followed
  }

  /// What would be written of a kind now has instead of what there is; nil where there is nothing that can be read.
  private static func changes(
    _ kind: NightlyFiles.Kind, to files: NightlyFiles, in folder: NightlyFolder
  ) throws -> [String]? {
    let path = folder.file(kind, of: files.day)
    guard let former = try? NightlyTable(path: path) else { return nil }
    return try former.changes(to: NightlyTable(name: path, files.contents[kind] ?? []))
  }

  private static func repair(
    _ kinds: Set<NightlyFiles.Kind>, with files: NightlyFiles, in folder: NightlyFolder
  ) throws -> Outcome {
    for kind in NightlyFiles.Kind.allCases where kinds.contains(kind) {
      let path = folder.file(kind, of: files.day)
      let reason = folder.has(kind, of: files.day) ? "was not what had been written" : "was missing"
      try Terminal.print("\(path) written anew: it \(reason)")
    }
    // The trend of other days may have changed as well.
    try folder.write(files, kinds.union([.trend, .report]))
    return .repaired
  }
}
