internal import Foundation

/// The bytes of a file, read where they are asked for.
struct MediaBytes {
  /// The file's size.
  let count: Int64
  private let read: (_ offset: Int64, _ count: Int) -> [UInt8]

  init(_ handle: FileHandle) throws {
    count = Int64(try handle.seekToEnd())
    read = { offset, count in
      guard (try? handle.seek(toOffset: UInt64(offset))) != nil,
        let data = try? handle.read(upToCount: count)
      else { return [] }
      return [UInt8](data)
    }
  }

  init(_ bytes: [UInt8]) {
    count = Int64(bytes.count)
    read = { offset, count in Array(bytes[Int(offset)..<min(bytes.count, Int(offset) + count)]) }
  }

  /// So many bytes, or nil where the file has not as many.
  func bytes(_ length: Int, at offset: Int64) -> [UInt8]? {
    guard offset >= 0, offset <= count - Int64(length) else { return nil }
    let bytes = read(offset, length)
    return bytes.count == length ? bytes : nil
  }

  /// The first bytes, fewer where the file is shorter.
  func head(_ length: Int) -> [UInt8] { bytes(min(length, Int(count)), at: 0) ?? [] }

  func text(_ length: Int, at offset: Int64) -> String? {
    bytes(length, at: offset).map { String(decoding: $0, as: UTF8.self) }
  }

  /// An integer, the highest byte first; of eight bytes, nil above Int64.
  func big(_ length: Int, at offset: Int64) -> Int64? { bytes(length, at: offset).flatMap(Self.number) }

  /// An integer, the lowest byte first.
  func little(_ length: Int, at offset: Int64) -> Int64? {
    bytes(length, at: offset).flatMap { Self.number($0.reversed()) }
  }

  private static func number(_ bytes: [UInt8]) -> Int64? {
    Int64(exactly: bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
  }

  /// What a chunk of RIFF or of its big-endian forerunner holds.
  func chunk(_ name: String, from start: Int64, isBig: Bool) -> (start: Int64, count: Int64)? {
    var position = start
    for _ in 0..<1_000 {
      guard let found = text(4, at: position),
        let length = isBig ? big(4, at: position + 4) : little(4, at: position + 4)
      else { return nil }
      if found == name { return (position + 8, length) }
      position += 8 + length + length % 2
    }
    return nil
  }

  /// What a box of ISO 14496-12 holds, looked for among those that lie side by side in a range.
  func box(_ name: String, in range: Range<Int64>) -> Range<Int64>? {
    var position = range.lowerBound
    for _ in 0..<1_000 {
      guard position <= range.upperBound - 8, var length = big(4, at: position),
        let found = text(4, at: position + 4)
      else { return nil }
      var head: Int64 = 8
      if length == 1 {
        guard let long = big(8, at: position + 8) else { return nil }
        (length, head) = (long, 16)
      } else if length == 0 {
        length = range.upperBound - position
      }
      guard length >= head, length <= range.upperBound - position else { return nil }
      if found == name { return (position + head)..<(position + length) }
      position += length
    }
    return nil
  }
}
