/// Turns the records of a source into events; knows no file and no database.
package struct Translator: Sendable {
  package let format: ForeignFormat
  private let campaigns: Campaigns?
  private let ignoresSent: Bool
  private let place: RecordPlace

  /// - Parameters:
  ///   - campaigns: what the source does not carry.
  ///   - ignoresSent: leaves out what is only known to be sent, so that rates are of what devices confirmed.
  package init(
    _ format: ForeignFormat, campaigns: Campaigns? = nil, ignoresSent: Bool = false,
    place: RecordPlace = .file(path: "")
  ) {
    self.format = format
    self.campaigns = campaigns
    self.ignoresSent = ignoresSent
    self.place = place
  }

  package func translate(_ record: some ForeignNode) -> Translation {
    let translation =
      switch format {
      case .segment: SegmentCall.translate(record, at: place)
      case .onesignal: OneSignalEvent.translate(record)
      case .braze: BrazeEvent.translate(record, at: place)
      case .airship: AirshipEvent.translate(record)
      case .firebase: FirebaseEvent.translate(record)
      }
    guard case .event(let event) = translation else { return translation }
    return complete(event)
  }

  /// What is the same for all sources.
  func complete(_ event: ForeignEvent) -> Translation {
    if ignoresSent, event.isOnlySent { return .ignored("sent") }
    var event = event
    event.complete(by: campaigns)
    return .event(event)
  }
}

/// Where a record was found.
package enum RecordPlace: Sendable, Hashable {
  /// Some systems tell in the path what a file holds.
  case file(path: String)
  /// Sent by a client, to the path of a call or to that of batches.
  case request(call: String?)
}
