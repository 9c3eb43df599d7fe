internal import CPostgres

/// Parameters as libpq takes them: parallel arrays of types, pointers and lengths, all in binary format.
struct BoundParameters {
  var types: [Oid] = []
  var values: [UnsafePointer<CChar>?] = []
  var lengths: [Int32] = []
  var formats: [Int32] = []

  var count: Int32 { Int32(values.count) }

  /// Lends the parameters with pointers to their bytes, which are not copied.
  static func withPointers<Value>(
    to parameters: [Parameter], _ body: (borrowing BoundParameters) -> Value
  ) -> Value {
    var bound = BoundParameters()
    bound.types = parameters.map(\.type.oid)
    bound.formats = Array(repeating: Connection.binaryFormat, count: parameters.count)
    bound.values.reserveCapacity(parameters.count)
    bound.lengths.reserveCapacity(parameters.count)
    return bound.add(parameters[...], body)
  }

  /// One level of the stack a parameter, since a pointer is valid only inside its closure.
  private mutating func add<Value>(
    _ parameters: ArraySlice<Parameter>, _ body: (borrowing BoundParameters) -> Value
  ) -> Value {
    guard let first = parameters.first else { return body(self) }
    guard let bytes = first.bytes else {
      values.append(nil)
      lengths.append(0)
      return add(parameters.dropFirst(), body)
    }
    return bytes.withUnsafeBytes { raw in
      // An empty array has no address, but libpq would take a null pointer for NULL.
      guard let address = raw.baseAddress, !raw.isEmpty else {
        return Self.emptyValue.withUnsafeBufferPointer { append($0.baseAddress, 0, parameters, body) }
      }
      return append(address.assumingMemoryBound(to: CChar.self), Int32(raw.count), parameters, body)
    }
  }

  private mutating func append<Value>(
    _ value: UnsafePointer<CChar>?, _ length: Int32, _ rest: ArraySlice<Parameter>,
    _ body: (borrowing BoundParameters) -> Value
  ) -> Value {
    values.append(value)
    lengths.append(length)
    return add(rest.dropFirst(), body)
  }

  private static let emptyValue: [CChar] = [0]
}
