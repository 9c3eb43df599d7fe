package import EngagementEvents
internal import Foundation

/// What a service extension gets to see of a notification.
package struct IncomingNotification: Sendable {
  var reference: NotificationReference
  /// The media that the payload asks for; nil for none.
  var media: MediaRequest?
  /// What the payload has and could not be taken.
  var faults: [EngagementError]
  var threadID: String?
  var interruptionLevel: InterruptionLevel?
  var relevanceScore: Double?

  /// - Parameters:
  ///   - requestID: the request's identifier, which for a push is the APNs id, or the collapse id where it has one.
  ///   - category: empty for none.
  package init(
    requestID: String, category: String, userInfo: [AnyHashable: Any], keys: PayloadKeys,
    threadID: String? = nil, interruptionLevel: InterruptionLevel? = nil, relevanceScore: Double? = nil
  ) {
    let payload = PayloadReader(userInfo, keys: keys)
    reference = payload.reference(requestID: requestID, category: category)
    media = payload.media
    faults = payload.faults + payload.mediaFaults
    self.threadID = threadID
    self.interruptionLevel = interruptionLevel
    self.relevanceScore = relevanceScore
  }

  /// The delivery to record. What is only there to compare by is left out where it breaks a rule: no delivery is lost for it.
  func delivery(
    attachments: [Attachment], intended: MediaKind?, fallback: FallbackReason?, options: EngagementOptions
  ) -> Delivery? {
    let offer = options.categories.first { $0.identifier == reference.category }
    return try? Delivery(
      attachments: attachments, intended: intended.map { [$0] } ?? [], fallback: fallback,
      customInterface: offer?.hasContentExtension ?? false,
      actions: (offer?.actions ?? []).compactMap { try? ActionID($0) }, interruptionLevel: interruptionLevel,
      relevanceScore: relevanceScore.flatMap { (0...1).contains($0) ? $0 : nil },
      threadID: (try? Delivery(threadID: threadID))?.threadID,
      appVersion: (try? Delivery(appVersion: options.appVersion))?.appVersion,
      locale: (try? Delivery(locale: options.locale))?.locale)
  }
}
