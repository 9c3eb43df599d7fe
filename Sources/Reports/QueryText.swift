/// The query of an address.
package enum QueryText {
  /// `name=value&name=value`, each byte that is not plain escaped.
  package static func encoded(_ items: [(name: String, value: String)]) -> String {
    items.map { "\(escaped($0.name))=\(escaped($0.value))" }.joined(separator: "&")
  }

  private static func escaped(_ text: String) -> String {
    var escaped = ""
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
        UInt8(ascii: "~"):
        escaped.unicodeScalars.append(Unicode.Scalar(byte))
      default:
        let digits = String(byte, radix: 16, uppercase: true)
        escaped += digits.utf8.count == 1 ? "%0\(digits)" : "%\(digits)"
      }
    }
    return escaped
  }
}
