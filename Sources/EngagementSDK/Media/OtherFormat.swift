internal import EngagementEvents

/// What a file is that iOS does not attach, told by its first bytes.
enum OtherFormat: Equatable {
  /// A page, JSON, XML: whatever is text.
  case text
  case media(MediaKind)
  /// A document, an archive.
  case file

  /// Nil for what is not known, which may be anything.
  init?(_ head: MediaHead) {
    if Self.films.contains(where: { head.has($0.mark, at: $0.place) }) || head.isTransportStream {
      self = .media(.video)
    } else if Self.sounds.contains(where: { head.has($0.mark, at: $0.place) }) || head.isFrameOfAAC {
      self = .media(.audio)
    } else if Self.pictures.contains(where: { head.has($0.mark, at: $0.place) }) || head.isBitmap {
      self = .media(.image)
    } else if let brand = head.brands?.first {
      // What is none of MPEG-4, or else a format would have been found.
      self = .media(brand == "qt  " ? .video : ["M4P ", "aax ", "f4a "].contains(brand) ? .audio : .image)
    } else if Self.files.contains(where: { head.has($0.mark, at: $0.place) }) {
      self = .file
    } else if head.isText {
      self = .text
    } else {
      return nil
    }
  }

  private typealias Mark = (mark: [UInt8], place: Int)

  private static func mark(_ text: String, at place: Int = 0) -> Mark { (Array(text.utf8), place) }

  /// Matroska and WebM, QuickTime without brands, Flash, Windows Media.
  private static let films: [Mark] =
    [([0x1A, 0x45, 0xDF, 0xA3], 0), ([0x30, 0x26, 0xB2, 0x75], 0), mark("FLV")]
    + ["moov", "mdat", "wide", "pnot"].map { mark($0, at: 4) }

  /// Ogg, FLAC, Core Audio, AMR, MIDI.
  private static let sounds = ["OggS", "fLaC", "caff", "#!AMR", "MThd"].map { mark($0) }

  /// WebP, TIFF, Photoshop, JPEG XL, JPEG 2000.
  private static let pictures: [Mark] =
    [mark("WEBP", at: 8), mark("II*\0"), mark("MM\0*"), mark("8BPS"), ([0xFF, 0x0A], 0)]
    + [mark("JXL ", at: 4), mark("jP  ", at: 4)]

  /// PDF, ZIP, gzip.
  private static let files: [Mark] = [mark("%PDF"), mark("PK\u{3}\u{4}"), ([0x1F, 0x8B], 0)]
}
