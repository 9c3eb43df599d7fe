/// The systems whose records can be read.
package enum ForeignFormat: String, Sendable, Hashable, CaseIterable {
  /// Calls of Segment's and RudderStack's clients, one a line.
  case segment
  /// OneSignal's Event Streams.
  case onesignal
  /// Braze's Currents.
  case braze
  /// Airship's Real-Time Data Streaming.
  case airship
  /// Firebase Cloud Messaging's export to BigQuery.
  case firebase

  /// What none of its records tells. What one of them leaves open is `ForeignEvent.lacks`.
  package var limits: LimitSet {
    switch self {
    // What an app tracks is the app's business: the names cover all of it.
    case .segment: []
    case .onesignal, .airship: [.action, .reply, .expansion, .dismissal, .display]
    case .braze: [.reply, .expansion, .dismissal, .display]
    case .firebase: [.opening, .action, .reply, .expansion, .dismissal, .display]
    }
  }
}

/// What becomes of a foreign record.
package enum Translation: Sendable, Hashable {
  case event(ForeignEvent)
  /// It is about something that is not measured, such as an e-mail; says what, in the source's words.
  case ignored(String)
}
