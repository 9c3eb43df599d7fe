internal import Foundation

/// What a file of media tells about itself: its size in pixels, and how long it plays.
struct MediaProperties: Equatable {
  var width: Int64?
  var height: Int64?
  /// Nil if the format does not tell, or the file is broken.
  var seconds: Double?

  /// Reads only the parts it needs, since a film does not fit into an extension's memory.
  init(_ format: MediaFormat, of file: MediaBytes) {
    switch format {
    case .png: readPNG(file)
    case .gif: readGIF(file)
    case .jpeg: readJPEG(file)
    case .wav: readWAV(file)
    case .aiff: readAIFF(file)
    case .avi: readAVI(file)
    case .m4a, .mp4: readMP4(file)
    case .mp3, .mpeg: break
    }
  }

  private mutating func readPNG(_ file: MediaBytes) {
    width = file.big(4, at: 16)
    height = file.big(4, at: 20)
  }

  private mutating func readGIF(_ file: MediaBytes) {
    width = file.little(2, at: 6)
    height = file.little(2, at: 8)
  }

  /// Walks the segments up to the one that begins the picture.
  private mutating func readJPEG(_ file: MediaBytes) {
    var position: Int64 = 2
    // More segments than any camera writes; a broken file must not keep anybody busy.
    for _ in 0..<1_000 {
      guard let marker = file.big(2, at: position), marker >> 8 == 0xFF,
        let length = file.big(2, at: position + 2), length >= 2
      else { return }
      let isFrame = (0xC0...0xCF).contains(marker & 0xFF) && ![0xC4, 0xC8, 0xCC].contains(marker & 0xFF)
      if isFrame {
        height = file.big(2, at: position + 5)
        width = file.big(2, at: position + 7)
        return
      }
      position += 2 + length
    }
  }

  private mutating func readWAV(_ file: MediaBytes) {
    guard let format = file.chunk("fmt ", from: 12, isBig: false),
      let rate = file.little(4, at: format.start + 8), rate > 0,
      let data = file.chunk("data", from: 12, isBig: false)
    else { return }
    let rest = max(0, file.count - data.start)
    // Who writes into a stream does not know the length and leaves it 0, or beyond the end as a recorder does that was cut off.
    seconds = Double(data.count == 0 ? rest : min(data.count, rest)) / Double(rate)
  }

  private mutating func readAIFF(_ file: MediaBytes) {
    guard let common = file.chunk("COMM", from: 12, isBig: true),
      let frames = file.big(4, at: common.start + 2),
      let exponent = file.big(2, at: common.start + 8), let mantissa = file.big(4, at: common.start + 10)
    else { return }
    // The rate is a number of 80 bits; its first 32 are more than enough.
    let rate = Double(mantissa) * exp2(Double(exponent & 0x7FFF) - 16_383 - 31)
    if rate > 0, rate.isFinite { seconds = Double(frames) / rate }
  }

  private mutating func readAVI(_ file: MediaBytes) {
    // RIFF, LIST hdrl, avih: always the first.
    guard file.text(4, at: 24) == "avih", let microseconds = file.little(4, at: 32),
      let frames = file.little(4, at: 48)
    else { return }
    width = file.little(4, at: 64)
    height = file.little(4, at: 68)
    // Who writes into a stream does not know how many pictures will come.
    guard frames > 0, frames < Self.unknown else { return }
    seconds = Double(microseconds) * Double(frames) / 1_000_000
  }

  private mutating func readMP4(_ file: MediaBytes) {
    guard let movie = file.box("moov", in: 0..<file.count), let header = file.box("mvhd", in: movie),
      let version = file.big(1, at: header.lowerBound)
    else { return }
    let isLong = version == 1
    guard let scale = file.big(4, at: header.lowerBound + (isLong ? 20 : 12)), scale > 0 else { return }
    var units = Self.duration(in: file, at: header.lowerBound + (isLong ? 24 : 16), isLong)
    // A film in fragments has nothing of itself here; all of it may be told where the fragments are announced.
    if units == 0, let fragments = file.box("mvex", in: movie) {
      units = Self.fragments(in: file, fragments)
    }
    seconds = units.map { Double($0) / Double(scale) }
  }

  /// How long all fragments are; nil where that is not told.
  private static func fragments(in file: MediaBytes, _ box: Range<Int64>) -> Int64? {
    guard let header = file.box("mehd", in: box), let version = file.big(1, at: header.lowerBound),
      let units = duration(in: file, at: header.lowerBound + 4, version == 1), units > 0
    else { return nil }
    return units
  }

  /// Nil where all bits are set, which means that nobody knows.
  private static func duration(in file: MediaBytes, at place: Int64, _ isLong: Bool) -> Int64? {
    file.big(isLong ? 8 : 4, at: place).flatMap { isLong || $0 < unknown ? $0 : nil }
  }

  /// All bits of a number of 32.
  private static let unknown: Int64 = 0xFFFF_FFFF
}
