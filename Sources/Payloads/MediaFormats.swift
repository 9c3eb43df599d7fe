/// The formats of media, by the extensions of their files.
enum MediaFormats {
  /// What Apple's attachments take, and what is often sent in their place.
  static let kinds: [String: PayloadReport.MediaKind] = [
    "jpg": .image, "jpeg": .image, "jpe": .image, "jfif": .image, "png": .image, "gif": .image,
    "webp": .image, "heic": .image,
    "bmp": .image,
    "tif": .image, "tiff": .image, "svg": .image, "avif": .image, "heif": .image, "ico": .image,
    "mp3": .audio, "wav": .audio, "wave": .audio, "aif": .audio, "aiff": .audio, "aifc": .audio,
    "m4a": .audio, "aac": .audio,
    "caf": .audio, "ogg": .audio, "flac": .audio,
    "mp4": .video, "m4v": .video, "m2v": .video, "mpe": .video, "mpg": .video, "mpeg": .video,
    "mpeg2": .video, "avi": .video,
    "mov": .video,
    "webm": .video, "mkv": .video, "m3u8": .video,
  ]

  /// Those of the kinds that UNNotificationAttachment takes.
  static let supported: Set = [
    "jpg", "jpeg", "jpe", "jfif", "png", "gif", "mp3", "wav", "wave", "aif", "aiff", "aifc", "m4a", "mp4",
    "m4v",
    "m2v", "mpe", "mpg", "mpeg", "mpeg2", "avi",
  ]

  /// Files that are surely something else.
  static let foreign: Set = [
    "pdf", "zip", "gz", "tar", "rar", "7z", "txt", "md", "csv", "json", "xml", "rtf", "doc", "docx", "xls",
    "xlsx", "ppt", "pptx", "js", "css", "apk", "ipa", "exe", "dmg", "ics", "vcf", "epub",
  ]

  /// Words of MIME and of Apple's types that are no extension.
  private static let words = [
    "x-wav": "wav", "wave": "wav", "vnd.wave": "wav", "waveform-audio": "wav", "x-aiff": "aiff",
    "aiff-audio": "aiff", "x-m4a": "m4a", "mpeg-4-audio": "m4a", "mpeg-4": "mp4", "quicktime": "mov",
    "quicktime-movie": "mov", "x-msvideo": "avi", "msvideo": "avi", "svg+xml": "svg", "x-matroska": "mkv",
    "x-caf": "caf", "vnd.apple.mpegurl": "m3u8", "x-icon": "ico",
  ]

  /// The extension of the format that a word names, be it one, a MIME type or one of Apple's such as `public.jpeg`; nil where
  /// it names none.
  static func named(_ word: String) -> String? {
    let word = word.lowercased()
    // Sound and moving pictures have names in common.
    switch word {
    case "audio/mpeg": return "mp3"
    case "audio/mp4": return "m4a"
    default: break
    }
    let type = word.prefix { $0 != ";" }
    let last = type.split(separator: "/").last ?? ""
    for name in [String(last), type.split(separator: ".").last.map(String.init) ?? ""] {
      if kinds[name] != nil { return name }
      if let name = words[name] { return name }
    }
    return nil
  }
}
