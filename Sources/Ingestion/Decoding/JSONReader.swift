import CSimdjson

/// The owner of a parser, its copy of the body, and the tokens of the value parsed last.
///
/// One thread at a time. This file and `JSONTape.swift` alone see the parser's memory.
struct JSONReader: ~Copyable {
  private let handle: OpaquePointer

  /// Makes a reader that recognises ``FieldName``.
  ///
  /// - Parameter depth: the levels of objects and arrays that one value may have.
  init(depth: Int) {
    let words = FieldName.words.map { Array($0.utf8CString) }
    handle = JSONReader.withPointers(to: words[...], []) { pointers in
      guard let handle = csj_reader_create(pointers, pointers.count, depth) else {
        preconditionFailure("no memory is left for a JSON reader")
      }
      return handle
    }
  }

  deinit {
    csj_reader_destroy(handle)
  }

  private static func withPointers(
    to words: ArraySlice<[CChar]>, _ pointers: [UnsafePointer<CChar>?],
    _ body: ([UnsafePointer<CChar>?]) -> OpaquePointer
  ) -> OpaquePointer {
    guard let word = words.first else { return body(pointers) }
    return word.withUnsafeBufferPointer { buffer in
      withPointers(to: words.dropFirst(), pointers + [buffer.baseAddress], body)
    }
  }

  /// Copies a body; the offsets of the other functions count from its first byte.
  func load(_ bytes: [UInt8]) throws(RequestFault) {
    let status = bytes.withUnsafeBufferPointer { csj_load(handle, $0.baseAddress, $0.count) }
    if status != CSJ_OK { throw .outOfMemory }
  }

  /// Where the value that begins at an offset ends, by its brackets and quotation marks alone.
  func endOfValue(at offset: Int) throws(RequestFault) -> Int {
    let skip = csj_skip_value(handle, offset)
    let end = Int(skip.end)
    switch skip.status {
    case CSJ_SKIPPED: return end
    case CSJ_MISMATCH: throw .invalidJSON("a closing bracket does not match the opening one", at: end)
    case CSJ_CUT: throw .invalidJSON("the body ends within a value; was it cut off?", at: end)
    default: throw .invalidJSON("a value is missing", at: end)
    }
  }

  /// The tokens of the one value that fills a part of the body, or nil if it is not JSON.
  ///
  /// They are valid until the next call.
  func parse(_ part: Range<Int>) throws(RequestFault) -> JSONTape? {
    var tape = csj_tape()
    switch csj_parse(handle, part.lowerBound, part.count, &tape) {
    case CSJ_OK: return JSONTape(tape)
    case CSJ_NO_MEMORY: throw .outOfMemory
    default: return nil
    }
  }
}
