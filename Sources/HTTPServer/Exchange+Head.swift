import CMicroHTTPD
import Synchronization

/// The parts of a request line as the library hands them over, valid within its callback.
struct RequestLine {
  let method: UnsafePointer<CChar>
  let target: UnsafePointer<CChar>
  let version: UnsafePointer<CChar>
}

/// A head without doubts.
struct OpenedHead {
  let head: HTTPRequestHead
  let framing: Framing
}

extension Exchange {
  func readHead(
    _ mhd: OpaquePointer, _ line: RequestLine, receivedAt: Int64
  ) throws(HTTPFault) -> OpenedHead {
    requestID = RequestID.make()
    method = HTTPMethod(rawValue: String(cString: line.method))
    let fields = try Self.fields(mhd, line, targetLength: target.utf8.count).get()
    if let own = fields["X-Request-Id"], RequestID.isSafe(own) { requestID = own }
    connection.identify(as: requestID)
    clientAddress = ForwardedClient.address(
      peer: connection.peer, headers: fields, trusted: core.configuration.trustedProxies)
    let framing = try Framing(
      method: method.rawValue, target: target, version: String(cString: line.version), fields: fields)
    let decoded = try RequestTarget(target)
    path = decoded.path
    var length: Int? = 0
    switch framing {
    case .none: break
    case .length(let announced): length = announced
    case .chunked: length = nil
    }
    return OpenedHead(
      head: HTTPRequestHead(
        method: method, path: path, query: decoded.query, headers: fields, receivedAt: receivedAt,
        clientAddress: clientAddress, requestID: requestID, contentLength: length),
      framing: framing)
  }

  private static let fieldLimit = 100

  private static func fields(
    _ mhd: OpaquePointer, _ line: RequestLine, targetLength: Int
  ) -> Result<HTTPFields, HTTPFault> {
    withUnsafeTemporaryAllocation(of: cmhd_field.self, capacity: fieldLimit) { buffer in
      let count = cmhd_fields(mhd, buffer.baseAddress, Int32(fieldLimit))
      guard count >= 0 else {
        return .failure(
          HTTPFault(.headerFieldsTooLarge, "too_many_headers", "Send at most \(fieldLimit) header fields."))
      }
      guard
        cmhd_head_is_plain(
          mhd, line.method, line.target, targetLength, line.version, buffer.baseAddress, count) != 0
      else {
        return .failure(
          Framing.malformed("Each line of the head must end in CR LF, hold no NUL and begin with no blank."))
      }
      return fields(buffer[..<Int(count)])
    }
  }

  private static func fields(_ raw: Slice<UnsafeMutableBufferPointer<cmhd_field>>) -> Result<
    HTTPFields, HTTPFault
  > {
    var fields = HTTPFields()
    fields.reserveCapacity(raw.count)
    for field in raw {
      let name = UnsafeRawBufferPointer(start: field.name, count: field.name_length)
      let value = UnsafeRawBufferPointer(start: field.value, count: field.value_length)
      if value.contains(where: { $0 < 0x20 && $0 != 0x09 || $0 == 0x7F }) {
        return .failure(Framing.malformed("A header holds a control character."))
      }
      let nameText = String(decoding: name, as: UTF8.self)
      fields.append(nameText, text(value, of: nameText))
    }
    return .success(fields)
  }

  /// Without the blanks at its end. Those behind a framing field are kept and lead to a refusal: the library, which goes by the
  /// value as it came, would not see what we see.
  private static func text(_ value: UnsafeRawBufferPointer, of name: String) -> String {
    var end = value.count
    if name.utf8.count != 17 || !name.equalsIgnoringCase("Transfer-Encoding") {
      while end > 0, value[end - 1] == 0x20 || value[end - 1] == 0x09 { end -= 1 }
    }
    return String(decoding: UnsafeRawBufferPointer(rebasing: value[..<end]), as: UTF8.self)
  }
}

/// The names that requests go by in logs.
enum RequestID {
  /// 16 hexadecimal digits that no other request of this process has.
  static func make() -> String {
    let digits: StaticString = "0123456789abcdef"
    let bits = mixed(counter.wrappingAdd(0x9E37_79B9_7F4A_7C15, ordering: .relaxed).newValue)
    return String(unsafeUninitializedCapacity: 16) { buffer in
      for index in 0..<16 { buffer[index] = digits.utf8Start[Int(bits >> (UInt64(index) * 4) & 15)] }
      return 16
    }
  }

  /// Begins at a random place. A system call for each request would show in the throughput.
  private static let counter = Atomic(UInt64.random(in: .min ... .max))

  /// The finaliser of SplitMix64, which maps each value to another of its own: Steele, Lea and Flood, "Fast Splittable
  /// Pseudorandom Number Generators", 2014.
  private static func mixed(_ value: UInt64) -> UInt64 {
    var bits = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ bits >> 27) &* 0x94D0_49BB_1331_11EB
    return bits ^ bits >> 31
  }

  /// 1–128 letters, digits and `-_.:/+=@`: nothing that a log or a header could take for something else.
  static func isSafe(_ text: String) -> Bool {
    (1...128).contains(text.utf8.count)
      && text.utf8.allSatisfy { byte in
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        default: "-_.:/+=@".utf8.contains(byte)
        }
      }
  }
}
