/// What has become of the events of an import.
package struct ImportTally: Sendable, Hashable {
  package var stored = 0
  package var duplicates = 0
  package var rejected = 0
  /// Fields of NDJSON that the contract does not know, and which were ignored.
  package var unknownFields = 0
  /// Local times that the clocks showed twice, taken for the earlier.
  package var ambiguousTimes = 0
  /// Events older than the history that was announced: kept, never counted.
  package var tooOld = 0
  /// The first of the rejected events.
  package var rejections: [Rejection] = []

  /// Events that were read.
  package var total: Int { stored + duplicates + rejected }

  package struct Rejection: Sendable, Hashable, CustomStringConvertible {
    package let file: String
    package let line: Int
    package let field: String
    package let code: String
    package let message: String

    package var description: String {
      "\(file), line \(line): \(code)\(field.isEmpty ? "" : " (\(field))"): \(message)"
    }
  }

  /// As many rejections as are named.
  static let namedRejections = 10

  mutating func reject(_ rejection: @autoclosure () -> Rejection) {
    rejected += 1
    if rejections.count < Self.namedRejections { rejections.append(rejection()) }
  }
}
