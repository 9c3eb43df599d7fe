/// A reply of which the text is not told, as an export has it that leaves texts out.
package struct WithheldReply: Sendable, Hashable {
  /// Bytes of UTF-8, 1 or more; nil where not even that is told.
  package let length: Int?

  package init(length: Int?) { self.length = length }
}
