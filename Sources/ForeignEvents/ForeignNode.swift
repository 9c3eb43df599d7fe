/// A value of a foreign record, as whatever parsed it gives it.
///
/// What is generic over nodes is not specialised across modules, and slow: what each record needs often is asked of the node.
package protocol ForeignNode {
  var kind: ForeignKind { get }
  /// Of a text; empty for anything else.
  var text: String { get }
  /// What a text or an integer says; nil for an empty text and for anything else.
  var told: String? { get }
  /// The first member of that name; nil where there is none, where it is null, and for anything but an object.
  func member(_ name: StaticString) -> Self?
  /// Of a list; empty for anything else.
  var elements: [Self] { get }
  /// Of an object, in their order; empty for anything else.
  var members: [(name: String, value: Self)] { get }
  /// Appends the value as JSON.
  func appendJSON(to bytes: inout [UInt8])
}

/// What a foreign value is.
package enum ForeignKind: Sendable, Hashable {
  case null, boolean, integer, number, text, list, object
}

extension ForeignNode {
  /// The value at the end of a path of members.
  func member(_ first: StaticString, _ second: StaticString) -> Self? { member(first)?.member(second) }
}
