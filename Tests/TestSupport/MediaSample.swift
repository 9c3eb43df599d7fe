/// The least of a file of each format that tells its size or its length.
package enum MediaSample {
  /// A picture of 640 × 480 pixels, filled up to a number of bytes.
  package static func png(bytes: Int = 64) -> [UInt8] {
    let head: [UInt8] =
      [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + big(13, 4) + ascii("IHDR") + big(640, 4)
      + big(480, 4)
    return head + [UInt8](repeating: 0, count: max(0, bytes - head.count))
  }

  /// 640 × 480, with a segment before the one that says so.
  package static func jpeg() -> [UInt8] {
    [0xFF, 0xD8, 0xFF, 0xE0] + big(16, 2) + ascii("JFIF") + [UInt8](repeating: 0, count: 10)
      + [0xFF, 0xC0] + big(17, 2) + [8] + big(480, 2) + big(640, 2) + [UInt8](repeating: 1, count: 10)
  }

  package static func gif() -> [UInt8] { ascii("GIF89a") + [0x80, 2, 0xE0, 1, 0, 0, 0] }

  /// So many seconds of 8,000 bytes each.
  package static func wav(seconds: Int) -> [UInt8] {
    ascii("RIFF") + little(36 + 8_000 * seconds, 4) + ascii("WAVEfmt ") + little(16, 4) + little(1, 2)
      + little(1, 2)
      + little(8_000, 4) + little(8_000, 4) + little(1, 2) + little(8, 2) + ascii("data")
      + little(8_000 * seconds, 4) + [UInt8](repeating: 128, count: 8_000 * seconds)
  }

  /// So many seconds at 44,100 Hz, without the sound itself.
  package static func aiff(seconds: Int) -> [UInt8] {
    ascii("FORM") + big(30, 4) + ascii("AIFFCOMM") + big(18, 4) + big(1, 2) + big(44_100 * seconds, 4)
      + big(8, 2)
      + [0x40, 0x0E, 0xAC, 0x44, 0, 0, 0, 0, 0, 0]
  }

  /// So many seconds of 25 pictures each.
  package static func avi(seconds: Int) -> [UInt8] {
    ascii("RIFF") + little(0, 4) + ascii("AVI LIST") + little(192, 4) + ascii("hdrlavih") + little(56, 4)
      + little(40_000, 4) + little(0, 4) + little(0, 4) + little(0, 4) + little(25 * seconds, 4)
      + [UInt8](repeating: 0, count: 12) + little(640, 4) + little(480, 4) + [UInt8](repeating: 0, count: 16)
  }

  /// So many seconds; the header lies behind the pictures, as cameras write it.
  package static func mp4(seconds: Int, brand: String = "isom") -> [UInt8] {
    let header = box("mvhd", [UInt8](repeating: 0, count: 12) + big(600, 4) + big(600 * seconds, 4))
    return box("ftyp", ascii(brand) + big(0, 4)) + box("mdat", [UInt8](repeating: 9, count: 100))
      + box("moov", box("udta", []) + header)
  }

  /// The same in 64 bits.
  package static func longMP4(seconds: Int) -> [UInt8] {
    let header = box("mvhd", [1] + [UInt8](repeating: 0, count: 19) + big(600, 4) + big(600 * seconds, 8))
    let data = big(1, 4) + ascii("mdat") + big(116, 8) + [UInt8](repeating: 9, count: 100)
    return box("ftyp", ascii("isom")) + data + box("moov", header)
  }

  /// A film with these words of the header, and other boxes beside it in the movie.
  package static func mp4(brands: [String] = ["isom"], duration: [UInt8], beside boxes: [UInt8] = [])
    -> [UInt8]
  {
    let isLong = duration.count == 8
    let header =
      [isLong ? 1 : 0] + [UInt8](repeating: 0, count: isLong ? 19 : 11) + big(600, 4) + duration
    let head = ascii(brands[0]) + big(0, 4) + brands.dropFirst().flatMap(ascii)
    return box("ftyp", head) + box("moov", box("mvhd", header) + boxes)
  }

  /// The announcement of fragments, with what it says of the length of all.
  package static func fragments(_ duration: [UInt8]?) -> [UInt8] {
    box("mvex", duration.map { box("mehd", [$0.count == 8 ? 1 : 0, 0, 0, 0] + $0) } ?? [])
  }

  private static func box(_ name: String, _ content: [UInt8]) -> [UInt8] {
    big(8 + content.count, 4) + ascii(name) + content
  }

  private static func ascii(_ text: String) -> [UInt8] { Array(text.utf8) }

  private static func big(_ number: Int, _ count: Int) -> [UInt8] { little(number, count).reversed() }

  private static func little(_ number: Int, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
  }
}
