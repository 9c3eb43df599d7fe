/// Where the media of a payload lies, and what it seems to be.
struct MediaURL {
  enum Fault {
    /// No URL at all.
    case invalid
    /// A scheme that nothing can be fetched by.
    case scheme(String)
    /// A web page.
    case page
    /// Nothing tells what it is.
    case unknownKind
  }

  let kind: PayloadReport.MediaKind
  /// Nil where it can be attached.
  let fault: Fault?
  let isPlainHTTP: Bool
  let isRelative: Bool
  let hasSpaceAround: Bool
  /// Lower case, without the dot; nil where the path has none.
  let fileExtension: String?

  /// - Parameters:
  ///   - hint: what a field beside it says; nil where none does, or says nothing that is known.
  ///   - keyKind: what the key's own name says.
  init(_ text: String, hint: PayloadReport.MediaKind?, keyKind: PayloadReport.MediaKind?) {
    let trimmed = text.drop { $0.isWhitespace }
    let end = trimmed.lastIndex { !$0.isWhitespace }.map(trimmed.index(after:)) ?? trimmed.endIndex
    let url = String(trimmed[..<end])
    hasSpaceAround = url != text
    let scheme = Self.scheme(of: url)
    isPlainHTTP = scheme == "http"
    let path = Self.path(of: url, scheme: scheme)
    let last = path?.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
    fileExtension = last.lastIndex(of: ".").map { last[last.index(after: $0)...].lowercased() }.flatMap {
      (1...5).contains($0.count) ? $0 : nil
    }
    let known = fileExtension.flatMap { Self.kinds[$0] }
    isRelative = scheme == nil && (url.hasPrefix("/") || known != nil)
    let isPage = fileExtension.map(Self.pages.contains) ?? false
    let hasPath = path.map { $0.count > 1 } ?? false
    switch scheme {
    case _ where url.isEmpty || url.contains(where: \.isWhitespace): fault = .invalid
    case nil: fault = isRelative ? nil : .invalid
    case "http", "https": fault = path == nil ? .invalid : isPage ? .page : nil
    case let other?: fault = .scheme(other)
    }
    let implied = hint ?? (hasPath && !isPage ? keyKind : nil)
    if fault == nil {
      kind = known ?? implied ?? .unknown
    } else {
      kind = isPage ? .unknown : known ?? .unknown
    }
  }

  /// Why it cannot be attached; nil where it can.
  var obstacle: Fault? { fault ?? (kind == .unknown ? .unknownKind : nil) }

  /// What stands before the first colon, in small letters; nil where that is no scheme.
  private static func scheme(of url: String) -> String? {
    guard let colon = url.utf8.firstIndex(of: UInt8(ascii: ":")) else { return nil }
    let scheme = url.utf8[..<colon]
    guard let first = scheme.first, first >= 0x41, PayloadParser.isAlphanumeric(first),
      scheme.allSatisfy({ PayloadParser.isAlphanumeric($0) || "+.-".utf8.contains($0) })
    else { return nil }
    return Substring(scheme).lowercased()
  }

  /// The path without query and fragment; nil where there is no host.
  private static func path(of url: String, scheme: String?) -> String? {
    var rest = Substring(url.prefix { $0 != "?" && $0 != "#" })
    if let scheme {
      rest = rest.dropFirst(scheme.count + 1)
      guard rest.hasPrefix("//") else { return nil }
      rest = rest.dropFirst(2)
      let host = rest.prefix { $0 != "/" }
      guard !host.isEmpty, !host.contains("\\") else { return nil }
      rest = rest.dropFirst(host.count)
    }
    return String(rest)
  }

  /// What Apple's attachments take, and what is often sent in their place.
  static let kinds: [String: PayloadReport.MediaKind] = [
    "jpg": .image, "jpeg": .image, "png": .image, "gif": .image, "webp": .image, "heic": .image,
    "bmp": .image,
    "tif": .image, "tiff": .image, "svg": .image, "avif": .image,
    "mp3": .audio, "wav": .audio, "aif": .audio, "aiff": .audio, "aifc": .audio, "m4a": .audio, "aac": .audio,
    "caf": .audio, "ogg": .audio, "flac": .audio,
    "mp4": .video, "m4v": .video, "mpg": .video, "mpeg": .video, "mpeg2": .video, "avi": .video,
    "mov": .video,
    "webm": .video, "mkv": .video, "m3u8": .video,
  ]

  /// Those of the kinds that UNNotificationAttachment takes.
  static let supported: Set = [
    "jpg", "jpeg", "png", "gif", "mp3", "wav", "aif", "aiff", "m4a", "mp4", "m4v", "mpg", "mpeg", "mpeg2",
    "avi",
  ]

  private static let pages: Set = ["html", "htm", "php", "asp", "aspx", "jsp", "xhtml"]

  /// The kind that a word beside the media names, such as `image/png`, `mp4` or `video`; nil where it is no such word.
  static func kind(named word: String) -> PayloadReport.MediaKind? {
    let word = word.lowercased()
    if let kind = kinds[word] { return kind }
    for (part, kind) in [
      ("image", PayloadReport.MediaKind.image), ("photo", .image), ("picture", .image), ("gif", .image),
      ("video", .video), ("mpeg4", .video), ("movie", .video), ("audio", .audio), ("sound", .audio),
    ] where word.contains(part) { return kind }
    return kinds.first { word.hasSuffix("/" + $0.key) || word == "." + $0.key }?.value
  }
}
