internal import Arguments
internal import EngagementEvents
internal import EventStore
internal import Foundation
internal import Projections

/// The file `manifest.json` of a folder: what its reports are about, and the SHA-256 of every file.
struct NightlyManifest: Codable {
  struct File: Codable, Equatable {
    let name: String
    let bytes: Int
    /// 64 lower-case hexadecimal digits.
    let sha256: String
  }

  struct Day: Codable {
    let day: String
    let definitionVersion: Int?
    /// The last event read, and when it had arrived.
    let position: Int64?
    let watermark: String
    /// By name, those that hold and those that held before.
    let files: [File]
  }

  let app: String
  let metric: String
  let richMeans: String
  let zone: String
  let windowSeconds: Int
  /// In order.
  private(set) var days: [Day] = []

  init(_ query: RateQuery) {
    app = query.app.name
    metric = query.metric.id
    richMeans = query.armRule.rawValue
    zone = query.zone
    windowSeconds = query.windowSeconds
  }

  static func path(_ folder: NightlyFolder) -> String { folder.path + "/manifest.json" }

  /// The folder's; nil where it has none yet.
  static func read(_ folder: NightlyFolder) throws -> NightlyManifest? {
    guard FileManager.default.fileExists(atPath: path(folder)) else { return nil }
    do {
      return try JSONDecoder().decode(
        NightlyManifest.self, from: Data(contentsOf: URL(fileURLWithPath: path(folder))))
    } catch {
      throw NightlyError(
        "\(path(folder)) cannot be read as a manifest. Restore it, or remove it to have it made anew.")
    }
  }

  /// The folder's, or a new one for these reports.
  ///
  /// - Throws: `NightlyError` where the folder holds other reports.
  static func open(_ folder: NightlyFolder, for query: RateQuery) throws -> NightlyManifest {
    let wanted = NightlyManifest(query)
    guard let found = try read(folder) else { return wanted }
    guard found.subject.isExactly(wanted.subject) else {
      throw NightlyError(
        "\(folder.path) holds reports of \(found.subject), not of \(wanted.subject). Give the options that it was made with, or another --output."
      )
    }
    return found
  }

  /// What the reports are about, for people.
  private var subject: String {
    "\(app): \(metric), rich as \(richMeans), within \(windowSeconds) s, days of \(zone)"
  }

  /// The files that are listed for a day.
  private func files(of day: CalendarDate) -> [File] { days.first { $0.day == "\(day)" }?.files ?? [] }

  /// The names that are listed for a day.
  func names(of day: CalendarDate) -> Set<String> { Set(files(of: day).map(\.name)) }

  /// Takes in a day's files as they are now. What was kept of before stays as it was listed, since nothing ever changes it.
  mutating func update(_ day: CalendarDate, in folder: NightlyFolder) throws {
    let table = try NightlyTable(path: folder.file(of: day))
    let current = Set(NightlyFiles.Kind.allCases.map { NightlyFolder.name($0, day) })
    var files = files(of: day).filter { !current.contains($0.name) }
    let kept = Set(files.map(\.name))
    files += try folder.names(of: day).filter { !kept.contains($0) }.map { try Self.file($0, in: folder) }
    files.sort { $0.name < $1.name }
    days.removeAll { $0.day == "\(day)" }
    days.append(
      Day(
        day: "\(day)", definitionVersion: Int(table["definition_version"]),
        position: Int64(table["position"]),
        watermark: table["watermark"], files: files))
    days.sort { $0.day < $1.day }
  }

  /// Takes in what was written by a run that did not come to its end, and forgets the days that were removed.
  mutating func complete(in folder: NightlyFolder) throws {
    let begun = Set(try folder.begunDays().map { "\($0)" })
    days.removeAll { !begun.contains($0.day) }
    let listed = Set(days.map(\.day))
    for day in try folder.days() where !listed.contains("\(day)") { try update(day, in: folder) }
  }

  /// Those of a day's files that are missing, or are not what was written.
  func damaged(_ day: CalendarDate, in folder: NightlyFolder) throws -> Set<NightlyFiles.Kind> {
    let files = files(of: day)
    return Set(
      try NightlyFiles.Kind.allCases.filter { kind in
        guard folder.has(kind, of: day) else { return true }
        let listed = files.first { $0.name == NightlyFolder.name(kind, day) }
        return try listed.map { try Self.file($0.name, in: folder) != $0 } ?? false
      })
  }

  /// The same of all days but some, by name, in order.
  func damagedNames(in folder: NightlyFolder, except others: [CalendarDate]) throws -> [String] {
    try days.compactMap { CalendarDate($0.day) }.filter { !others.contains($0) }.flatMap { day in
      try damaged(day, in: folder).map { NightlyFolder.name($0, day) }.sorted()
    }
  }

  func write(to folder: NightlyFolder) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    let data = try encoder.encode(self) + [UInt8(ascii: "\n")]
    try OutputFile.write(Array(data), to: Self.path(folder))
  }

  private static func file(_ name: String, in folder: NightlyFolder) throws -> File {
    let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: "\(folder.path)/\(name)")))
    return File(name: name, bytes: bytes.count, sha256: Digest.hexadecimal(Digest.sha256(bytes)))
  }

  /// How the folder differs from what is written here, a line a file; empty where it does not.
  func differences(in folder: NightlyFolder) throws -> [String] {
    var lines: [String] = []
    let present = Set(try folder.names())
    let files = days.flatMap(\.files)
    let listed = Set(files.map(\.name))
    for day in days.compactMap({ CalendarDate($0.day) }) {
      // Of a manifest that was made anew when the file was lost.
      lines += NightlyFiles.Kind.allCases.map { NightlyFolder.name($0, day) }
        .filter { !present.contains($0) && !listed.contains($0) }.map { "\($0): missing" }
    }
    for file in files {
      guard present.contains(file.name) else {
        lines.append("\(file.name): missing")
        continue
      }
      let found = try Self.file(file.name, in: folder)
      guard found != file else { continue }
      lines.append(
        "\(file.name): changed, \(found.bytes) bytes with SHA-256 \(found.sha256) instead of \(file.bytes) with \(file.sha256)"
      )
    }
    return lines + present.subtracting(listed).sorted().map { "\($0): not in the manifest" }
  }
}
