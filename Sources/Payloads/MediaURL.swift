internal import EngagementEvents

/// Where the media of a payload lies, and what it seems to be.
struct MediaURL {
  enum Fault {
    /// No URL at all.
    case invalid
    /// One that lacks its scheme.
    case noScheme
    /// A scheme that nothing can be fetched by.
    case scheme(String)
    /// A web page.
    case page
    /// A file of this extension, which is neither image nor audio nor video.
    case foreign(String)
    /// Nothing tells what it is.
    case unknownKind
  }

  let kind: PayloadReport.MediaKind
  /// Nil where it can be attached.
  let fault: Fault?
  let isPlainHTTP: Bool
  let isRelative: Bool
  /// Blanks, or what cannot be seen.
  let hasSpaceAround: Bool
  /// Lower case, without the dot; nil where the path has none.
  let fileExtension: String?

  /// - Parameters:
  ///   - hint: what a field beside it says; nil where none does, or says nothing that is known.
  ///   - keyKind: what the key's own name says.
  init(_ text: String, hint: PayloadReport.MediaKind?, keyKind: PayloadReport.MediaKind?) {
    let url = Self.trimmed(text)
    hasSpaceAround = url != text
    let parts = URLParts(url)
    isPlainHTTP = parts.scheme == "http"
    fileExtension = parts.fileExtension
    let known = fileExtension.flatMap { MediaFormats.kinds[$0] }
    isRelative = parts.scheme == nil && !parts.lacksScheme && (url.hasPrefix("/") || known != nil)
    let isPage = parts.isPage
    let foreign = fileExtension.flatMap { MediaFormats.foreign.contains($0) ? $0 : nil }
    switch parts.scheme {
    case _ where url.isEmpty || url.unicodeScalars.contains(where: \.isInvisible): fault = .invalid
    case nil: fault = parts.lacksScheme ? .noScheme : isRelative ? foreign.map { .foreign($0) } : .invalid
    case "http", "https":
      fault = parts.path == nil ? .invalid : isPage ? .page : foreign.map { .foreign($0) }
    case let other?: fault = .scheme(other)
    }
    let hasPath = parts.path.map { $0.count > 1 } ?? false
    let implied = hint ?? (hasPath && !isPage ? keyKind : nil)
    if fault == nil {
      kind = known ?? implied ?? .unknown
    } else {
      kind = isPage ? .unknown : known ?? .unknown
    }
  }

  /// Why it cannot be attached; nil where it can.
  var obstacle: Fault? { fault ?? (kind == .unknown ? .unknownKind : nil) }

  private static func trimmed(_ text: String) -> String {
    let scalars = text.unicodeScalars
    guard let first = scalars.firstIndex(where: { !$0.isInvisible }),
      let last = scalars.lastIndex(where: { !$0.isInvisible })
    else { return "" }
    return String(scalars[first...last])
  }

  /// The kind that a word beside the media names, such as `image/png`, `mp4` or `video`; nil where it is no such word.
  static func kind(named word: String) -> PayloadReport.MediaKind? {
    let word = word.lowercased()
    if let kind = MediaFormats.named(word).flatMap({ MediaFormats.kinds[$0] }) { return kind }
    for (part, kind) in [
      ("image", PayloadReport.MediaKind.image), ("photo", .image), ("picture", .image), ("gif", .image),
      ("video", .video), ("mpeg4", .video), ("movie", .video), ("audio", .audio), ("sound", .audio),
    ] where word.contains(part) { return kind }
    return nil
  }
}

/// What an address is made of, as far as it tells of media.
private struct URLParts {
  /// In small letters; nil where there is none.
  let scheme: String?
  /// Without query and fragment; nil where there is no host, or none that can be.
  let path: String?
  let fileExtension: String?
  private let host: String

  init(_ url: String) {
    scheme = Self.scheme(of: url)
    var rest = Substring(url.prefix { $0 != "?" && $0 != "#" })
    var host = ""
    var isSound = true
    if let scheme {
      rest = rest.dropFirst(scheme.count + 1)
      isSound = rest.hasPrefix("//")
      rest = rest.dropFirst(2)
      host = String(rest.prefix { $0 != "/" })
      isSound = isSound && Self.isHost(host)
      rest = rest.dropFirst(host.count)
    }
    self.host = host.lowercased()
    path = isSound ? String(rest) : nil
    let last = path?.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
    fileExtension = last.lastIndex(of: ".").map { last[last.index(after: $0)...].lowercased() }.flatMap {
      (1...5).contains($0.count) ? $0 : nil
    }
  }

  /// `example.com/photo.jpg`.
  var lacksScheme: Bool {
    guard scheme == nil, let path, let slash = path.firstIndex(of: "/") else { return false }
    let labels = path[..<slash].utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard labels.count > 1, let last = labels.last, last.count > 1, last.allSatisfy({ $0 >= 0x41 }) else {
      return false
    }
    return labels.allSatisfy { label in
      !label.isEmpty && label.allSatisfy { PayloadParser.isAlphanumeric($0) || $0 == UInt8(ascii: "-") }
    }
  }

  private static let pages: Set = ["html", "htm", "php", "asp", "aspx", "jsp", "xhtml"]
  private static let sites: Set = [
    "youtu.be", "youtube.com", "m.youtube.com", "vimeo.com", "player.vimeo.com", "dailymotion.com",
    "tiktok.com", "instagram.com", "facebook.com", "twitter.com", "x.com",
  ]

  /// By its file extension, or as one of a site that shows videos among other things.
  var isPage: Bool {
    if let fileExtension { return Self.pages.contains(fileExtension) }
    guard let path else { return false }
    return Self.sites.contains(host.hasPrefix("www.") ? String(host.dropFirst(4)) : host)
      || path == "/watch" || path.hasPrefix("/watch/")
  }

  /// What stands before the first colon, in small letters; nil where that is no scheme.
  private static func scheme(of url: String) -> String? {
    guard let colon = url.utf8.firstIndex(of: UInt8(ascii: ":")) else { return nil }
    let scheme = url.utf8[..<colon]
    guard let first = scheme.first, first >= 0x41, PayloadParser.isAlphanumeric(first),
      scheme.allSatisfy({ PayloadParser.isAlphanumeric($0) || "+.-".utf8.contains($0) })
    else { return nil }
    return Substring(scheme).lowercased()
  }

  /// Whether it can be a host, with a port that there is.
  private static func isHost(_ text: String) -> Bool {
    let host = text.split(separator: "@", omittingEmptySubsequences: false).last ?? ""
    guard !host.isEmpty, !host.contains("\\") else { return false }
    guard let colon = host.lastIndex(of: ":"), !host.hasSuffix("]") else { return true }
    let port = host[host.index(after: colon)...]
    guard colon > host.startIndex, port.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return false }
    return port.isEmpty || UInt16(port) != nil
  }
}
