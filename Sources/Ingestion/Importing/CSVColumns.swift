internal import EngagementEvents
internal import ForeignEvents

/// What the columns of a CSV file stand for, by its header.
struct CSVColumns {
  /// Nil for those that are left out.
  let columns: [CSVColumn?]
  let hasID: Bool

  static let names = CSVColumn.ofExports.map(\.name)
  private static let required: [EventField] = [.type, .notificationId, .deviceId, .occurredAt]

  /// - Throws: `ImportError.columns`, which names what is missing, unknown or there twice.
  init(
    _ header: [[UInt8]], file: String, derivesIDs: Bool, ignoresUnknown: Bool
  ) throws(ImportError) {
    let names = header.map { String(decoding: $0.trimmed, as: UTF8.self) }
    let found = names.map { name in CSVColumn.ofExports.first { $0.name == name } }
    let unknown = zip(names, found).enumerated().filter { $1.1 == nil }.map { place, pair in
      pair.0.isEmpty ? "column \(place + 1), which has no name" : Self.shown(pair.0) + Self.hint(pair.0)
    }
    if names.first?.hasPrefix("{") == true || names.first?.hasPrefix("[") == true {
      throw ImportError(.columns, "\(file) looks like JSON, not CSV: give --format ndjson, an event a line.")
    }
    if !unknown.isEmpty, !ignoresUnknown {
      throw ImportError(
        .columns,
        "\(file): these columns are unknown: \(Self.listed(unknown, separator: "; ")). Known are \(Self.names.joined(separator: ", ")). "
          + "Rename them, or leave them out with --ignore-unknown-columns.")
    }
    let known = Set(found.compactMap(\.self))
    let twice = Set(
      names.indices.filter { found[$0] != nil && names[..<$0].contains(names[$0]) }.map { names[$0] })
    if !twice.isEmpty {
      throw ImportError(
        .columns,
        "\(file): these columns stand twice: \(twice.sorted().joined(separator: ", ")). Keep one of each.")
    }
    hasID = known.contains(.field(.id))
    var missing = Self.required.filter { !known.contains(.field($0)) }.map(\.rawValue)
    if !hasID, !derivesIDs {
      missing.insert("id (or let --derive-ids make one of each row's content)", at: 0)
    }
    guard missing.isEmpty else {
      throw ImportError(
        .columns,
        "\(file): these columns are missing: \(missing.joined(separator: ", ")). The header has: "
          + Self.listed(names.map { $0.isEmpty ? "''" : Self.shown($0) }, separator: ", ") + ".")
    }
    columns = found
  }

  /// A file that is no CSV has no short names.
  private static func shown(_ name: String) -> String { EventFault.escape(name) }

  private static func listed(_ items: [String], separator: String) -> String {
    let rest = items.count - 20
    return items.prefix(20).joined(separator: separator) + (rest > 0 ? "\(separator)and \(rest) more" : "")
  }

  /// Names that differ only in case and punctuation are probably meant.
  private static func hint(_ name: String) -> String {
    func bare(_ name: String) -> String { String(name.lowercased().filter { $0.isLetter || $0.isNumber }) }
    guard let meant = names.first(where: { bare($0) == bare(name) }) else { return "" }
    return " (did you mean \(meant)?)"
  }
}
