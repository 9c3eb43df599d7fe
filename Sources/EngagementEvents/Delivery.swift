/// What a `delivered` event tells beside the fields that every event has.
public struct Delivery: Sendable, Hashable {
  /// What was really attached; empty means that the device showed text only.
  public let attachments: [Attachment]
  /// What the payload asked for; nil if not told, and then the arm goes by the attachments.
  public let intended: [MediaKind]?
  /// Why the intended media was not attached; nil if it was, or if none was intended.
  public let fallback: FallbackReason?
  /// Whether a content extension draws the expanded view.
  public let customInterface: Bool
  /// The buttons that the category offered.
  public let actions: [ActionID]
  /// How insistently it was shown; nil if not told.
  public let interruptionLevel: InterruptionLevel?
  /// The score for the summary, from 0 to 1; nil if not told.
  public let relevanceScore: Double?
  /// The thread; nil if none.
  public let threadID: String?
  /// The app's version; nil if not told.
  public let appVersion: String?
  /// The device's locale; nil if not told.
  public let locale: String?

  /// Checks the confounders; an empty text among them means the same as nil.
  ///
  /// - Throws: `number_out_of_range`, `too_long` or `null_character`.
  public init(
    attachments: [Attachment] = [], intended: [MediaKind]? = nil, fallback: FallbackReason? = nil,
    customInterface: Bool = false, actions: [ActionID] = [], interruptionLevel: InterruptionLevel? = nil,
    relevanceScore: Double? = nil, threadID: String? = nil, appVersion: String? = nil, locale: String? = nil
  ) throws(EventFault) {
    if let relevanceScore, !(0...1).contains(relevanceScore) {
      throw EventFault(
        field: "relevanceScore", code: .numberOutOfRange,
        message: "relevanceScore is \(relevanceScore); send a number from 0 to 1")
    }
    self.attachments = attachments
    self.intended = intended
    self.fallback = fallback
    self.customInterface = customInterface
    self.actions = actions
    self.interruptionLevel = interruptionLevel
    // −0 becomes 0, so that equal numbers have equal bits.
    self.relevanceScore = relevanceScore.map { $0 + 0 }
    self.threadID = try Self.told(threadID, field: "threadId", bytes: EventLimits.threadIDBytes)
    self.appVersion = try Self.told(appVersion, field: "appVersion", bytes: EventLimits.appVersionBytes)
    self.locale = try Self.told(locale, field: "locale", bytes: EventLimits.localeBytes)
  }

  private static func told(
    _ text: String?, field: String, bytes: ClosedRange<Int>
  ) throws(EventFault) -> String? {
    guard let text, !text.isEmpty else { return nil }
    return try ExactText(text, field: field, bytes: bytes).string
  }

  /// Whether the payload meant a rich notification: what it intended, or else what was attached.
  public var isRichAsIntended: Bool { !(intended?.isEmpty ?? attachments.isEmpty) }
  /// Whether media was really shown.
  public var isRichAsShown: Bool { !attachments.isEmpty }
}
