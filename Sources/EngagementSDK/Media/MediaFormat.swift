internal import EngagementEvents
internal import Foundation

/// The kinds of file that iOS attaches to a notification.
enum MediaFormat: String, CaseIterable {
  case jpeg, png, gif
  case aiff, wav, mp3, m4a
  case mpeg, mp4, avi

  var kind: MediaKind {
    switch self {
    case .jpeg, .png: .image
    case .gif: .gif
    case .aiff, .wav, .mp3, .m4a: .audio
    case .mpeg, .mp4, .avi: .video
    }
  }

  /// How names of such files end; the first is the one that iOS is given.
  var fileExtensions: [String] {
    switch self {
    case .jpeg: ["jpg", "jpeg", "jpe", "jfif"]
    case .png: ["png"]
    case .gif: ["gif"]
    case .aiff: ["aiff", "aif", "aifc"]
    case .wav: ["wav", "wave"]
    case .mp3: ["mp3"]
    case .m4a: ["m4a"]
    case .mpeg: ["mpg", "mpeg", "mpe", "mpeg2", "m2v"]
    case .mp4: ["mp4", "m4v"]
    case .avi: ["avi"]
    }
  }

  /// What servers call it.
  private var contentTypes: [String] {
    switch self {
    case .jpeg: ["image/jpeg", "image/jpg", "image/pjpeg"]
    case .png: ["image/png", "image/x-png"]
    case .gif: ["image/gif"]
    case .aiff: ["audio/aiff", "audio/x-aiff"]
    case .wav: ["audio/wav", "audio/x-wav", "audio/wave", "audio/vnd.wave"]
    case .mp3: ["audio/mpeg", "audio/mp3", "audio/mpeg3", "audio/x-mp3"]
    case .m4a: ["audio/mp4", "audio/m4a", "audio/x-m4a"]
    case .mpeg: ["video/mpeg", "video/mpeg2"]
    case .mp4: ["video/mp4", "video/x-m4v"]
    case .avi: ["video/avi", "video/x-msvideo", "video/msvideo", "video/vnd.avi"]
    }
  }

  init?(fileExtension: String) {
    let lower = fileExtension.lowercased()
    guard let format = Self.allCases.first(where: { $0.fileExtensions.contains(lower) }) else { return nil }
    self = format
  }

  /// - Parameter contentType: with or without parameters behind a semicolon.
  init?(contentType: String) {
    let bare = contentType.split(separator: ";").first ?? ""
    let lower = bare.trimmingCharacters(in: .whitespaces).lowercased()
    guard let format = Self.allCases.first(where: { $0.contentTypes.contains(lower) }) else { return nil }
    self = format
  }

  /// What the first bytes of a file are, which names and headers can only claim.
  ///
  /// - Parameter hint: decides between the sound and the film in one and the same container.
  init?(_ head: MediaHead, hint: MediaFormat?) {
    if head.has([0xFF, 0xD8, 0xFF]) {
      self = .jpeg
    } else if head.has([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
      self = .png
    } else if head.has("GIF87a") || head.has("GIF89a") {
      self = .gif
    } else if head.has("RIFF"), head.has("WAVE", at: 8) {
      self = .wav
    } else if head.has("RIFF"), head.has("AVI ", at: 8) {
      self = .avi
    } else if head.has("FORM"), head.has("AIFF", at: 8) || head.has("AIFC", at: 8) {
      self = .aiff
    } else if head.has("ID3") || head.isFrameOfLayer3 {
      self = .mp3
    } else if head.has([0, 0, 1, 0xBA]) || head.has([0, 0, 1, 0xB3]) {
      self = .mpeg
    } else if let brands = head.brands, let container = Self.container(brands) {
      self = container == .mp4 && hint == .m4a ? .m4a : container
    } else {
      return nil
    }
  }

  /// Which of a sound and a film a file of ISO 14496-12 is by its brands, the major one first; nil if it is neither of MPEG-4,
  /// such as a QuickTime film or a picture in HEIF.
  private static func container(_ brands: [String]) -> MediaFormat? {
    guard let major = brands.first, !others.contains(major) else { return nil }
    if ["M4A ", "M4B "].contains(major) { return .m4a }
    return brands.contains { films.contains($0) || $0.hasPrefix("M4V") } ? .mp4 : nil
  }

  /// Brands of MPEG-4 and of what it is built on; a file with another major one says by these what else it can be read as.
  private static let films: Set = [
    "isom", "iso2", "iso3", "iso4", "iso5", "iso6", "iso7", "iso8", "iso9", "isoa", "isob", "isoc", "mp41",
    "mp42", "mp71", "avc1", "hvc1", "mp4v", "MSNV", "mmp4", "f4v ", "dash", "cmfc", "cmf2", "XAVC", "NDSC",
  ]

  /// Major brands of what is no film, whatever it can be read as besides: QuickTime, pictures and their sequences, protected sound.
  private static let others: Set = [
    "qt  ", "heic", "heix", "heim", "heis", "hevc", "hevx", "hevm", "hevs", "mif1", "mif2", "msf1", "miaf",
    "avif", "avis", "avio", "avci", "avcs", "jpeg", "jpgs", "jxl ", "jp2 ", "jpx ", "jpm ", "mjp2", "j2ki",
    "j2is", "jxs ", "jxsc", "crx ", "M4P ", "aax ", "aaxc", "f4p ", "f4a ", "f4b ",
  ]

  /// Whether every file of this format can be told by its first bytes; for others a name or a header has to do.
  var isAlwaysRecognised: Bool { self != .mp3 && self != .mpeg }
}
