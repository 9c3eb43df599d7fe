/// The path and the query of a request line, decoded.
struct RequestTarget {
  let path: String
  let query: Query

  /// - Parameter text: the target as sent, visible ASCII throughout.
  /// - Throws: 400 where an escape is malformed, or stands for a slash, a control character or no UTF-8.
  init(_ text: String) throws(HTTPFault) {
    let bytes = text.utf8
    var start = bytes.startIndex
    if bytes.first != UInt8(ascii: "/"), text != "*" {
      start = try Self.startOfPath(absolute: text)
    }
    let rest = bytes[start...]
    let questionMark = rest.firstIndex(of: UInt8(ascii: "?"))
    let rawPath = rest[..<(questionMark ?? rest.endIndex)]
    if rawPath.contains(UInt8(ascii: "#")) { throw Self.malformed }
    path = rawPath.isEmpty ? "/" : try Self.decode(rawPath, isPath: true)
    query =
      try questionMark.map { q throws(HTTPFault) in
        try Self.query(rest[rest.index(after: q)...])
      } ?? Query(items: [])
  }

  /// A proxy's form, `http://host/path`; the host in it is not looked at.
  private static func startOfPath(absolute text: String) throws(HTTPFault) -> String.Index {
    let bytes = text.utf8
    let schemes = ["http://", "https://"]
    guard let scheme = schemes.first(where: { String(text.prefix($0.count)).equalsIgnoringCase($0) })
    else { throw malformed }
    let authority = bytes.index(bytes.startIndex, offsetBy: scheme.utf8.count)
    return bytes[authority...].firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") }
      ?? bytes.endIndex
  }

  fileprivate static func query(_ bytes: Substring.UTF8View) throws(HTTPFault) -> Query {
    var items: [Query.Item] = []
    for part in bytes.split(separator: UInt8(ascii: "&")) {
      let equals = part.firstIndex(of: UInt8(ascii: "="))
      let name = try decode(part[..<(equals ?? part.endIndex)], isPath: false)
      let value = try equals.map { e throws(HTTPFault) in
        try decode(part[part.index(after: e)...], isPath: false)
      }
      items.append(Query.Item(name: name, value: value ?? ""))
    }
    return Query(items: items)
  }

  private static func decode(_ bytes: Substring.UTF8View, isPath: Bool) throws(HTTPFault) -> String {
    guard bytes.contains(where: { $0 == UInt8(ascii: "%") || $0 == UInt8(ascii: "+") }) else {
      return String(Substring(bytes))
    }
    var decoded: [UInt8] = []
    decoded.reserveCapacity(bytes.count)
    var iterator = bytes.makeIterator()
    while let byte = iterator.next() {
      if byte == UInt8(ascii: "%") {
        guard let high = iterator.next()?.hexDigit, let low = iterator.next()?.hexDigit else {
          throw malformed
        }
        let escaped = high << 4 | low
        if escaped < 0x20 || escaped == 0x7F { throw malformed }
        if isPath, escaped == UInt8(ascii: "/") { throw escapedSlash }
        decoded.append(escaped)
      } else {
        decoded.append(byte == UInt8(ascii: "+") && !isPath ? UInt8(ascii: " ") : byte)
      }
    }
    guard let text = String(validating: decoded, as: UTF8.self) else { throw malformed }
    return text
  }

  private static let malformed = HTTPFault(
    .badRequest, "malformed_target",
    "The path or the query is malformed; escape each byte that is not plain as % and two hexadecimal digits.")

  private static let escapedSlash = HTTPFault(
    .badRequest, "malformed_target",
    "The path holds a slash as %2F, which a proxy may take for another path. What has a slash in its name is not to be had here."
  )
}

extension Query {
  /// The fields of a form, `application/x-www-form-urlencoded`, which are written as a query is.
  ///
  /// - Throws: 400 where an escape is malformed, or stands for a control character or no UTF-8.
  package init(form bytes: [UInt8]) throws(HTTPFault) {
    self = try RequestTarget.query(Substring(String(decoding: bytes, as: UTF8.self)).utf8)
  }
}

extension UInt8 {
  fileprivate var hexDigit: UInt8? {
    switch self {
    case 0x30...0x39: self - 0x30
    case 0x41...0x46: self - 0x41 + 10
    case 0x61...0x66: self - 0x61 + 10
    default: nil
    }
  }
}
