/// How large a payload is as its file has it: with its escapes, without its blanks.
enum RawSize {
  /// Whether only the escapes make it too large: a sender that passes the file on sends them all.
  static func finding(_ root: PayloadNode, _ bytes: [UInt8]) -> [PayloadFinding] {
    guard bytes.count > PayloadLint.sizeLimit else { return [] }
    let bundles = (root.members ?? []).filter { $0.key == APSKeys.bundle }
    let bundle = PayloadNode(value: .object(bundles), offset: root.offset).minifiedSize
    let size = minified(bytes[min(root.offset, bytes.count)...]) - (bundles.isEmpty ? 0 : bundle - 1)
    let rest = PayloadNode(
      value: .object((root.members ?? []).filter { $0.key != APSKeys.bundle }), offset: root.offset)
    guard size > PayloadLint.sizeLimit, rest.minifiedSize <= PayloadLint.sizeLimit else { return [] }
    return [
      PayloadFinding(
        "large_as_written", .warning, at: root.offset,
        "the payload has \(size) bytes with its escapes; APNs takes \(PayloadLint.sizeLimit)",
        "write letters as they are, in UTF-8, and not as \\u and digits")
    ]
  }

  private static func minified(_ bytes: ArraySlice<UInt8>) -> Int {
    var size = 0
    var isInString = false
    var isEscaped = false
    for byte in bytes {
      if !isInString, [0x20, 0x09, 0x0A, 0x0D].contains(byte) { continue }
      size += 1
      if byte == UInt8(ascii: "\""), !isEscaped { isInString.toggle() }
      isEscaped = isInString && !isEscaped && byte == UInt8(ascii: "\\")
    }
    return size
  }
}
