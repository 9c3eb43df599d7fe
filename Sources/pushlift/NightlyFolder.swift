internal import Arguments
internal import Foundation

/// A folder of nightly files: `rates-2026-11-28.csv`, and `rates-2026-11-28.v1.csv` and so on for what it said before.
struct NightlyFolder {
  let path: String

  func file(of day: CalendarDate) -> String { "\(path)/rates-\(day).csv" }

  func has(_ day: CalendarDate) -> Bool { FileManager.default.fileExists(atPath: file(of: day)) }

  /// The days that have a file, in order.
  func days() throws -> [CalendarDate] {
    guard FileManager.default.fileExists(atPath: path) else { return [] }
    return try FileManager.default.contentsOfDirectory(atPath: path).compactMap { name in
      guard name.hasPrefix("rates-"), name.hasSuffix(".csv") else { return nil }
      return CalendarDate(String(name.dropFirst(6).dropLast(4)))
    }.sorted()
  }

  /// Writes a day's file, which appears whole.
  func write(_ bytes: [UInt8], of day: CalendarDate) throws {
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    try Data(bytes).write(to: URL(fileURLWithPath: file(of: day)), options: .atomic)
  }

  /// Puts another file in the place of a day's, and keeps the former one under the next version.
  ///
  /// At no moment is the day without a file, and a run that is killed and repeated keeps nothing twice.
  ///
  /// - Returns: the path of the former one.
  func replace(_ day: CalendarDate, with bytes: [UInt8]) throws -> String {
    let current = file(of: day)
    var version = 1
    while FileManager.default.fileExists(atPath: versioned(day, version)) { version += 1 }
    let isKept =
      version > 1 && FileManager.default.contentsEqual(atPath: current, andPath: versioned(day, version - 1))
    let former = versioned(day, isKept ? version - 1 : version)
    if !isKept { try FileManager.default.linkItem(atPath: current, toPath: former) }
    try write(bytes, of: day)
    return former
  }

  private func versioned(_ day: CalendarDate, _ version: Int) -> String {
    "\(path)/rates-\(day).v\(version).csv"
  }
}
