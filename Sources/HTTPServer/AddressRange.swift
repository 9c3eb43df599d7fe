import CMicroHTTPD

/// An IP address, or a network of them such as `10.0.0.0/8`.
package struct AddressRange: Sendable, Hashable {
  private let address: AddressBytes
  private let prefix: Int

  /// nil = the text is neither an address nor an address, a slash and a number of bits.
  package init?(_ text: String) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count <= 2, let address = AddressBytes(String(parts[0])) else { return nil }
    self.address = address
    // IPv4 lies in the last 32 of the 128 bits.
    let offset = parts[0].contains(":") ? 0 : 96
    guard parts.count == 2 else {
      prefix = 128
      return
    }
    // Int would take a sign as well.
    guard parts[1].utf8.allSatisfy({ (0x30...0x39).contains($0) }), let bits = Int(parts[1]),
      bits <= 128 - offset
    else { return nil }
    prefix = bits + offset
  }

  /// Whether a numeric address lies within; an address that is none never does.
  package func contains(_ text: String) -> Bool {
    guard let other = AddressBytes(text) else { return false }
    return contains(other)
  }

  func contains(_ other: AddressBytes) -> Bool {
    let whole = prefix / 8
    guard address.bytes[..<whole] == other.bytes[..<whole] else { return false }
    guard prefix % 8 != 0 else { return true }
    let mask = UInt8(truncatingIfNeeded: 0xFF00 >> (prefix % 8))
    return address.bytes[whole] & mask == other.bytes[whole] & mask
  }
}

/// An address as 16 bytes, IPv4 in its IPv6 form, so that one client has one value.
struct AddressBytes: Hashable {
  let bytes: [UInt8]

  init?(_ text: String) {
    var bytes = [UInt8](repeating: 0, count: 16)
    guard cmhd_address_bytes(text, &bytes) != 0 else { return nil }
    self.bytes = bytes
  }
}

/// Whose request it is, seen through the proxies that are trusted.
struct ForwardedClient {
  /// The right-most address of `X-Forwarded-For` that is no trusted proxy: what stands left of it the client may have written itself.
  ///
  /// - Returns: the peer where it is no trusted proxy, or where the proxy's own entry is no address.
  static func address(peer: String, headers: HTTPFields, trusted: [AddressRange]) -> String {
    guard isTrusted(peer, by: trusted) else { return peer }
    let entries = headers.values(of: "X-Forwarded-For").flatMap { $0.split(separator: ",") }
    var client = peer
    for entry in entries.reversed() {
      guard let address = bareAddress(String(entry).trimmingBlanks) else { return client }
      client = address
      if !isTrusted(address, by: trusted) { return client }
    }
    return client
  }

  private static func isTrusted(_ text: String, by trusted: [AddressRange]) -> Bool {
    guard !trusted.isEmpty, let address = AddressBytes(text) else { return false }
    return trusted.contains { $0.contains(address) }
  }

  /// Some proxies write a port too: `192.0.2.1:443`, `[2001:db8::1]:443`.
  private static func bareAddress(_ entry: String) -> String? {
    if AddressBytes(entry) != nil { return entry }
    var host = Substring(entry)
    if host.first == "[" {
      guard let end = host.firstIndex(of: "]") else { return nil }
      host = host[host.index(after: host.startIndex)..<end]
    } else if let colon = host.lastIndex(of: ":") {
      host = host[..<colon]
    }
    return AddressBytes(String(host)) == nil ? nil : String(host)
  }
}
