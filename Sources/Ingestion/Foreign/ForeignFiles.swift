internal import EngagementEvents
package import ForeignEvents

extension ColumnMapping {
  /// Reads a mapping file, which is JSON.
  ///
  /// - Throws: `ImportError` that says what is wrong with it.
  package init(_ source: ByteSource) throws(ImportError) {
    var bytes = try source.beginning()
    _ = try source.next()
    while let piece = try source.next() {
      bytes += piece
      guard bytes.count <= 1 << 20 else {
        throw ImportError(.format, "\(source.name) is no mapping: it is too long.")
      }
    }
    let result: Result<ColumnMapping, Fault>
    do {
      result = try ForeignDecoder().withRecord(bytes, of: "the file") { node in
        do throws(Fault) { return .success(try ColumnMapping(node)) } catch { return .failure(error) }
      }
    } catch {
      throw ImportError(.format, "\(source.name) is no mapping: \(error.message).")
    }
    switch result {
    case .success(let mapping): self = mapping
    case .failure(let fault): throw ImportError(.columns, "\(source.name): \(fault.message).")
    }
  }
}

extension Campaigns {
  /// Reads a CSV file with the columns `campaign`, `category` and `media`: words between bars, or empty for text only.
  ///
  /// - Throws: `ImportError` for columns that are missing, media that are unknown, and a campaign that stands twice.
  package init(_ source: ByteSource) throws(ImportError) {
    self.init()
    var reader = try CSVReader(source)
    let names = try reader.header()?.cells.map { String(decoding: $0.trimmed, as: UTF8.self) } ?? []
    guard let id = names.firstIndex(of: "campaign"), let media = names.firstIndex(of: "media") else {
      let found =
        names.isEmpty
        ? "it is empty"
        : "its first line has: " + names.prefix(20).map(EventFault.quote).joined(separator: ", ")
      throw ImportError(
        .columns,
        "\(source.name) needs a first line with the columns campaign and media, and may have category, in these letters; \(found)."
      )
    }
    let category = names.firstIndex(of: "category")
    while let record = try reader.next() {
      let place = "\(source.name), line \(record.line)"
      if let fault = record.fault(columns: names.count) {
        throw ImportError(.format, "\(place): \(fault.message).")
      }
      let cells = record.cells.map { String(decoding: CSVRow.withoutGuard($0), as: UTF8.self) }
      let campaign = Campaign(
        category: category.flatMap { cells[$0].isEmpty ? nil : cells[$0] },
        media: try Self.media(cells[media], place))
      guard !cells[id].isEmpty else { throw ImportError(.format, "\(place): the campaign is empty.") }
      guard add(campaign, id: cells[id]) else {
        throw ImportError(
          .format, "\(place): the campaign \(EventFault.quote(cells[id])) stands twice. Keep one line of it.")
      }
    }
  }

  private static func media(_ text: String, _ place: String) throws(ImportError) -> [MediaKind] {
    var kinds: [MediaKind] = []
    for word in CSVCell.words(of: Array(text.utf8)) {
      do throws(EventFault) {
        kinds.append(try MediaKind(String(decoding: word, as: UTF8.self), field: "media"))
      } catch {
        throw ImportError(.format, "\(place): \(error.message), or none.")
      }
    }
    return kinds
  }
}
