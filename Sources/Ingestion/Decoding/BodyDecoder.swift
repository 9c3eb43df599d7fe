internal import EngagementEvents

/// What tells a walk over a body how the events in it and the fields around them are read.
protocol BodyDecoder: AnyObject {
  /// The field that holds the events.
  var listName: String { get }
  /// Where the value that begins at an offset ends.
  func endOfValue(at offset: Int) throws(RequestFault) -> Int
  /// The tokens of the value that fills a part of the body, or nil if it is not JSON.
  func parse(_ part: Range<Int>) throws(RequestFault) -> JSONTape?
  /// Reads the event that fills a part of the body.
  func read(
    _ part: Range<Int>, of body: [UInt8], limits: DecodingLimits, into batch: inout DecodedBatch
  ) throws(RequestFault)
  /// Reads a field beside the events.
  func read(field key: String, at start: Int, _ tape: JSONTape, into batch: inout DecodedBatch)
    throws(RequestFault)
  /// Why an object with these fields, but without the list, is no body.
  func fault(ofFields keys: Set<ExactText>) -> RequestFault
}

extension BodyScan {
  /// Skips a byte-order mark, and refuses what is plainly no UTF-8 text.
  static func startOfText(in body: [UInt8]) throws(RequestFault) -> Int {
    if body.starts(with: [0xEF, 0xBB, 0xBF]) { return 3 }
    if let encoding = WideEncoding(beginning: body) {
      throw RequestFault(
        code: .unsupportedEncoding, message: "the body is \(encoding.rawValue); send it in UTF-8", offset: 0)
    }
    if body.starts(with: [0x1F, 0x8B]) {
      throw RequestFault(
        code: .unsupportedEncoding,
        message: "the body is compressed; send it with Content-Encoding: gzip, or as it is", offset: 0)
    }
    return 0
  }
}
