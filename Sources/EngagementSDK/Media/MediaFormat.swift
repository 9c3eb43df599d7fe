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
    case .mpeg: ["mpg", "mpeg", "m2v", "mpe"]
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
  init?(head: [UInt8], hint: MediaFormat?) {
    func has(_ text: String, at index: Int = 0) -> Bool {
      head.count >= index + text.utf8.count
        && head[index..<(index + text.utf8.count)].elementsEqual(text.utf8)
    }
    if head.starts(with: [0xFF, 0xD8, 0xFF]) {
      self = .jpeg
    } else if head.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
      self = .png
    } else if has("GIF87a") || has("GIF89a") {
      self = .gif
    } else if has("RIFF"), has("WAVE", at: 8) {
      self = .wav
    } else if has("RIFF"), has("AVI ", at: 8) {
      self = .avi
    } else if has("FORM"), has("AIFF", at: 8) || has("AIFC", at: 8) {
      self = .aiff
    } else if has("ID3") || (head.count > 1 && head[0] == 0xFF && head[1] & 0xE6 == 0xE2) {
      self = .mp3
    } else if head.starts(with: [0, 0, 1, 0xBA]) || head.starts(with: [0, 0, 1, 0xB3]) {
      self = .mpeg
    } else if has("ftyp", at: 4) {
      if ["M4A ", "M4B "].contains(where: { has($0, at: 8) }) {
        self = .m4a
      } else if ["qt  ", "heic", "heix", "mif1", "avif"].contains(where: { has($0, at: 8) }) {
        return nil
      } else {
        self = hint == .m4a ? .m4a : .mp4
      }
    } else {
      return nil
    }
  }

  /// Whether every file of this format can be told by its first bytes; for others a name or a header has to do.
  var isAlwaysRecognised: Bool { kind == .image || kind == .gif }
}
