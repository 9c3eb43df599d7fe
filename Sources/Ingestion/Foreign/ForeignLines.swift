internal import EngagementEvents
internal import ForeignEvents
internal import Foundation

/// The events of another system's file, a record a line.
struct ForeignLines: ImportItems {
  private let file: String
  private var lines: LineReader
  private let translator: Translator
  private let decoder = ForeignDecoder()
  private(set) var times: LocalTime
  private(set) var campaigns: CampaignTally

  /// - Parameter campaigns: of the files before.
  init(
    _ source: ByteSource, _ translator: Translator, zone: TimeZone?, campaigns: CampaignTally
  ) throws(ImportError) {
    file = source.name
    lines = try LineReader(source)
    self.translator = translator
    times = LocalTime(zone: zone)
    self.campaigns = campaigns
  }

  mutating func next() throws(ImportError) -> ImportItem? {
    guard case .event(let line, let record, _)? = try lines.next() else { return nil }
    let translation: Translation
    let list: StaticString?
    do {
      (translation, list) = try decoder.withRecord(record) { node in
        let translation = translator.translate(node)
        if case .ignored = translation { return (translation, Self.list(in: node)) }
        return (translation, nil)
      }
    } catch {
      return .fault(
        line: line, RowFault(field: error.field, code: error.code.rawValue, message: error.message))
    }
    if let list {
      throw ImportError(
        .format,
        "\(file), line \(line) is a list of records (“\(list)”), not one record. Import it as: "
          + "jq -c '.\(list)[]' FILE | pushlift import - --format \(translator.format.rawValue)")
    }
    return try ImportItem(
      translation, of: translator.format.rawValue, file: file, line: line, &times, &campaigns)
  }
}

extension ForeignLines {
  /// The list that a body as it is posted has its records in, which is easily taken for a file of them; nil for none.
  private static func list(in node: TapeNode) -> StaticString? {
    let names: [StaticString] = ["events", "batch"]
    return names.first { node.member($0)?.kind == .list }
  }
}

extension ImportItem {
  /// The event in the contract's form, with an id and a time that tells its zone.
  ///
  /// - Throws: `ImportError.missingZone`.
  init(
    _ translation: Translation, of system: String, file: String, line: Int, _ times: inout LocalTime,
    _ campaigns: inout CampaignTally
  ) throws(ImportError) {
    switch translation {
    case .ignored(let what): self = .ignored(what)
    case .event(let event):
      campaigns.note(event)
      let time: String?
      switch event.occurredAt {
      case nil: time = nil
      case .instant(let instant): time = instant.rfc3339
      case .text(let text):
        do throws(RowFault) {
          time = try times.occurredAt(text)
        } catch {
          self = try .fault(error, file: file, line: line)
          return
        }
      }
      let id = event.identity.map { EventID($0, of: system) }
      self = .event(line: line, json: event.json(id: id, occurredAt: time), lacks: event.lacks)
    }
  }

  /// A fault of a row, or of the file where its times tell no zone.
  static func fault(_ fault: RowFault, file: String, line: Int) throws(ImportError) -> ImportItem {
    guard fault.code == EventFault.Code.missingTimeZone.rawValue else { return .fault(line: line, fault) }
    throw ImportError(.missingZone, "\(file), line \(line): \(fault.message)")
  }
}
