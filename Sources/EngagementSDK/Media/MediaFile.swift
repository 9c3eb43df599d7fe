internal import EngagementEvents
package import Foundation

/// A file that iOS will take as an attachment, as far as can be told beforehand.
package struct MediaFile: Sendable {
  /// Its name ends as iOS wants it.
  package let url: URL
  let format: MediaFormat
  let attachment: Attachment

  /// Looks at what was downloaded, and gives it a name by which iOS knows what it is.
  ///
  /// - Parameter hint: what the address says it is; nil if it does not.
  /// - Throws: the reason to go without.
  init(_ loaded: LoadedMedia, hint: MediaFormat?, limits: MediaLimits) throws(MediaFault) {
    let claimed = loaded.contentType.flatMap { MediaFormat(contentType: $0) } ?? hint
    guard let handle = try? FileHandle(forReadingFrom: loaded.file), let bytes = try? MediaBytes(handle)
    else {
      throw MediaFault(.downloadFailed)
    }
    defer { try? handle.close() }
    let format = try Self.format(of: bytes, claimed: claimed)
    guard bytes.count <= limits.bytes(of: format.kind) else { throw MediaFault(.tooLarge, kind: format.kind) }
    let properties = MediaProperties(format, of: bytes)
    if let seconds = properties.seconds {
      guard seconds > 0, seconds.isFinite else { throw MediaFault(.invalid, kind: format.kind) }
      guard seconds <= limits.seconds ?? .infinity else { throw MediaFault(.tooLarge, kind: format.kind) }
    }
    do {
      attachment = try Attachment(
        kind: format.kind, bytes: bytes.count, width: properties.width, height: properties.height,
        seconds: properties.seconds)
    } catch { throw MediaFault(.invalid, kind: format.kind) }
    let named = loaded.file.renamed("\(EventID.makeRandom().text).\(format.fileExtensions[0])")
    guard rename(loaded.file.path, named.path) == 0 else {
      throw MediaFault(.downloadFailed, kind: format.kind)
    }
    // Young until the system has taken it, whatever time the loader has left on it.
    utimes(named.path, nil)
    url = named
    self.format = format
  }

  private static func format(of bytes: MediaBytes, claimed: MediaFormat?) throws(MediaFault) -> MediaFormat {
    if bytes.count == 0 { throw MediaFault(.invalid, kind: claimed?.kind) }
    let head = MediaHead(bytes.head(MediaHead.length))
    if let found = MediaFormat(head, hint: claimed) { return found }
    switch OtherFormat(head) {
    case nil:
      guard let claimed else { throw MediaFault(.unsupportedType) }
      // It says that it is a picture, and is none.
      if claimed.isAlwaysRecognised { throw MediaFault(.invalid, kind: claimed.kind) }
      return claimed
    // An error page most often.
    case .text?: throw MediaFault(claimed == nil ? .unsupportedType : .invalid, kind: claimed?.kind)
    case .media(let kind)?: throw MediaFault(.unsupportedType, kind: kind)
    case .file?: throw MediaFault(.unsupportedType, kind: claimed?.kind)
    }
  }

  /// Removes what killed processes left behind, and the system did not take. No extension lives for as long as that, and no file
  /// waits for as long to be taken.
  static func removeLeftovers(in folder: URL, olderThan age: TimeInterval = 3600) {
    let files = try? FileManager.default.contentsOfDirectory(
      at: folder, includingPropertiesForKeys: [.contentModificationDateKey])
    for file in files ?? [] {
      let values = try? file.resourceValues(forKeys: [.contentModificationDateKey])
      guard let modified = values?.contentModificationDate, -modified.timeIntervalSinceNow > age else {
        continue
      }
      try? FileManager.default.removeItem(at: file)
    }
  }
}

/// Why media is not attached.
struct MediaFault: Error, Equatable {
  let reason: FallbackReason
  /// What it would have been; nil where that is not known.
  let kind: MediaKind?

  init(_ reason: FallbackReason, kind: MediaKind? = nil) {
    self.reason = reason
    self.kind = kind
  }
}
