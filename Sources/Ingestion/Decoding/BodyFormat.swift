/// How the events of a body are joined.
package enum BodyFormat: Sendable, Hashable {
  /// `{"sentAt": TIME, "events": [EVENT, …]}`, or a bare array of events.
  case json
  /// An event a line; blank lines are skipped.
  case ndjson
}
