/// Gathers a body as it arrives, inflated where it must be, and never more than its limit.
struct BodyReader: ~Copyable {
  let plan: BodyPlan
  private(set) var bytes: [UInt8] = []
  private var receivedCount = 0
  private var inflater: Inflater?

  init(plan: BodyPlan) throws(HTTPFault) {
    self.plan = plan
    if plan.isGzip {
      inflater = try Inflater()
    } else if let length = plan.expectedLength {
      bytes.reserveCapacity(length)
    }
  }

  /// - Throws: 413 beyond the limit, 400 where the gzip stream is broken; then no more may be added.
  mutating func append(_ piece: UnsafeRawBufferPointer) throws(HTTPFault) {
    receivedCount += piece.count
    if receivedCount > plan.limit { throw BodyPlan.tooLarge(limit: plan.limit) }
    if inflater == nil {
      bytes.append(contentsOf: piece)
    } else {
      try inflater!.inflate(piece, into: &bytes, limit: plan.limit)
    }
  }

  /// All of the body, once its last byte has been added.
  ///
  /// - Throws: 400 where the gzip stream is not at its end.
  mutating func finish() throws(HTTPFault) -> [UInt8] {
    if inflater?.isComplete == false { throw Inflater.broken }
    let result = bytes
    bytes = []
    return result
  }
}
