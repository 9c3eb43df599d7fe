internal import Arguments
internal import Foundation

/// A folder of nightly files: `rates-2026-11-28.csv` and the others of that day, and `rates-2026-11-28.v1.csv` and so on
/// for what they said before.
struct NightlyFolder {
  let path: String

  /// - Parameter version: nil for the file that holds.
  static func name(_ kind: NightlyFiles.Kind, _ day: CalendarDate, version: Int? = nil) -> String {
    "\(kind.rawValue)-\(day)\(version.map { ".v\($0)" } ?? "").\(kind.fileExtension)"
  }

  func file(_ kind: NightlyFiles.Kind = .rates, of day: CalendarDate, version: Int? = nil) -> String {
    "\(path)/\(Self.name(kind, day, version: version))"
  }

  func has(_ kind: NightlyFiles.Kind = .rates, of day: CalendarDate) -> Bool {
    FileManager.default.fileExists(atPath: file(kind, of: day))
  }

  /// The names of a day's files, and of what they said before, in order.
  func names(of day: CalendarDate) throws -> [String] {
    try names().filter { Self.day(ofName: $0) == day }.sorted()
  }

  /// The names of all nightly files.
  func names() throws -> [String] {
    guard FileManager.default.fileExists(atPath: path) else { return [] }
    return try FileManager.default.contentsOfDirectory(atPath: path).filter { Self.day(ofName: $0) != nil }
  }

  /// The days that have any file, whether or not they are there as a whole.
  func begunDays() throws -> Set<CalendarDate> { Set(try names().compactMap(Self.day)) }

  /// The days that are there, in order.
  func days() throws -> [CalendarDate] { try begunDays().filter { has(of: $0) }.sorted() }

  /// Nil for a file that is none of ours.
  private static func day(ofName name: String) -> CalendarDate? {
    guard let match = name.wholeMatch(of: /([a-z]+)-(\d{4}-\d\d-\d\d)(\.v\d+)?\.([a-z]+)/),
      let kind = NightlyFiles.Kind(rawValue: String(match.1)), kind.fileExtension == match.4
    else { return nil }
    return CalendarDate(String(match.2))
  }

  /// Writes a day's files, or some of them, each of which appears whole, that by which the day counts as written last.
  func write(_ files: NightlyFiles, _ kinds: Set<NightlyFiles.Kind>? = nil) throws {
    for kind in NightlyFiles.Kind.allCases where kinds?.contains(kind) ?? true {
      guard let bytes = files.contents[kind] else { continue }
      try OutputFile.write(bytes, to: file(kind, of: files.day))
    }
  }

  /// Puts others in the place of a day's files, and keeps the former ones under the next version.
  ///
  /// At no moment is the day without its files, and a run that is killed and repeated keeps nothing twice.
  ///
  /// - Parameter taken: names that were given before, though their files may be gone.
  /// - Returns: the path of the former rates.
  func replace(with files: NightlyFiles, taken: Set<String>) throws -> String {
    let manager = FileManager.default
    var version = 1
    while manager.fileExists(atPath: file(of: files.day, version: version))
      || taken.contains(Self.name(.rates, files.day, version: version))
    {
      version += 1
    }
    let current = file(of: files.day)
    if version > 1, manager.contentsEqual(atPath: current, andPath: file(of: files.day, version: version - 1))
    {
      version -= 1
    }
    for kind in NightlyFiles.Kind.allCases {
      let former = file(kind, of: files.day, version: version)
      guard manager.fileExists(atPath: file(kind, of: files.day)), !manager.fileExists(atPath: former) else {
        continue
      }
      try manager.linkItem(atPath: file(kind, of: files.day), toPath: former)
    }
    try write(files)
    return file(of: files.day, version: version)
  }

  /// Makes the folder if need be, and lends it while no other run writes to it.
  func withLock<Value>(_ body: () throws -> Value) throws -> Value {
    try OutputFile.makeFolder(path)
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw OutputFileError(path) }
    defer { close(descriptor) }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      throw NightlyError("Another pushlift nightly is writing to \(path). Try again when it is done.")
    }
    return try body()
  }
}

/// Why a folder cannot be written to, or does not hold what it should.
struct NightlyError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
