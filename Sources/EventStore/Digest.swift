internal import CSodium

/// BLAKE2b (RFC 7693), SHA-256 (FIPS 180-4) and what goes with them.
package enum Digest {
  /// 32 bytes.
  package static func blake2b256(_ bytes: [UInt8]) -> [UInt8] {
    var output = [UInt8](repeating: 0, count: 32)
    let status = crypto_generichash(&output, output.count, bytes, UInt64(bytes.count), nil, 0)
    precondition(status == 0, "BLAKE2b refused a 32-byte digest")
    return output
  }

  /// 32 bytes: for what others check with their own tools.
  package static func sha256(_ bytes: [UInt8]) -> [UInt8] {
    var output = [UInt8](repeating: 0, count: 32)
    crypto_hash_sha256(&output, bytes, UInt64(bytes.count))
    return output
  }

  /// Whether two digests are the same, in a time that does not tell where they differ. False where their lengths differ.
  package static func isEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    left.count == right.count && sodium_memcmp(left, right, left.count) == 0
  }

  /// Two lower-case digits a byte.
  package static func hexadecimal(_ bytes: [UInt8]) -> String {
    let digits = Array("0123456789abcdef".utf8)
    return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }

  /// The bytes of a text of hexadecimal digits in either case; nil for anything else.
  package static func bytes(hexadecimal text: String) -> [UInt8]? {
    let digits = text.compactMap { $0.isASCII ? $0.hexDigitValue : nil }
    guard digits.count == text.count, digits.count.isMultiple(of: 2) else { return nil }
    return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
  }
}
