/// The first bytes of a file.
struct MediaHead {
  private let bytes: [UInt8]

  /// As many as it takes to tell text from other things, and the brands of a film.
  static let length = 512

  init(_ bytes: [UInt8]) { self.bytes = Array(bytes.prefix(Self.length)) }

  func has(_ text: String, at place: Int = 0) -> Bool { has(Array(text.utf8), at: place) }

  func has(_ wanted: [UInt8], at place: Int = 0) -> Bool { bytes.dropFirst(place).starts(with: wanted) }

  /// Whether two bytes are there in which these bits are these.
  private func has(_ bits: UInt8, under mask: UInt8) -> Bool {
    bytes.count > 1 && bytes[0] == 0xFF && bytes[1] & mask == bits
  }

  /// Whether it begins with a frame of MP3.
  var isFrameOfLayer3: Bool { has(0xE2, under: 0xE6) }

  /// Whether it begins with a frame of AAC without a container.
  var isFrameOfAAC: Bool { has(0xF0, under: 0xF6) }

  /// Whether it is a transport stream, which has its mark in every packet.
  var isTransportStream: Bool { bytes.count > 376 && [0, 188, 376].allSatisfy { bytes[$0] == 0x47 } }

  /// Whether it is a picture in BMP, of whose mark alone many a text begins.
  var isBitmap: Bool { has("BM") && has([0, 0, 0, 0], at: 6) }

  /// Whether there is nothing in it but what text has: no control characters but those that part lines and words.
  var isText: Bool {
    // Which two bytes of UTF-16 begin with.
    if has([0xFF, 0xFE]) || has([0xFE, 0xFF]) { return true }
    return !bytes.isEmpty && bytes.allSatisfy { $0 >= 0x20 && $0 != 0x7F || (0x09...0x0D).contains($0) }
  }

  /// The brands of a file of ISO 14496-12, the major one first; nil if it is none.
  var brands: [String]? {
    guard has("ftyp", at: 4), bytes.count >= 12 else { return nil }
    let length = bytes[..<4].reduce(0) { $0 << 8 | Int($1) }
    // Behind the major one stands its version, and then the others.
    let places = [8] + stride(from: 16, through: min(length, bytes.count) - 4, by: 4)
    return places.map { String(decoding: bytes[$0..<($0 + 4)], as: UTF8.self) }
  }
}
