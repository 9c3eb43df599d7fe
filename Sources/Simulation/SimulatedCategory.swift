package import EngagementEvents

/// A category of notifications with its true rates.
package struct SimulatedCategory: Sendable, Hashable {
  package var category: Category
  /// Its weight among all notifications, 0 or more; weights need not add to 1.
  package var share: Double
  /// Chance that a text-only notification is interacted with within 24 hours, 0 to 1.
  package var textRate: Double
  /// True uplift of rich as intended: the rich arm's rate is `textRate · (1 + uplift)`; −1 or more.
  package var uplift: Double
  /// Share of notifications meant to be rich, 0 to 1; an experiment goes before it.
  package var richShare: Double
  /// What rich ones carry, equally often.
  package var media: [MediaKind]
  /// Buttons without a text field.
  package var buttons: [ActionID]
  /// The button with a text field; nil for none.
  package var replyButton: ActionID?
  /// Whether a content extension draws the expanded view, and so can report expansions.
  package var hasContentExtension: Bool
  /// Chance of a dismissal where there was no interaction, 0 to 1; nil where dismissals are not reported.
  package var dismissalRate: Double?

  package init(
    _ category: Category, share: Double, textRate: Double, uplift: Double, richShare: Double = 0.5,
    media: [MediaKind] = [.image], buttons: [ActionID] = [], replyButton: ActionID? = nil,
    hasContentExtension: Bool = false, dismissalRate: Double? = nil
  ) {
    self.category = category
    self.share = share
    self.textRate = textRate
    self.uplift = uplift
    self.richShare = richShare
    self.media = media
    self.buttons = buttons
    self.replyButton = replyButton
    self.hasContentExtension = hasContentExtension
    self.dismissalRate = dismissalRate
  }

  /// The rate of the rich arm as intended.
  package var richRate: Double { textRate * (1 + uplift) }

  /// All buttons on offer.
  package var offeredButtons: [ActionID] { buttons + (replyButton.map { [$0] } ?? []) }

  /// The rate where rich was really shown.
  ///
  /// Those that fell back to text behave as text, and the arm as intended keeps its rate, so the shown ones make up for
  /// them: their uplift is `uplift / (1 − fallbackShare)`.
  package func shownRate(fallbackShare: Double) -> Double {
    textRate * (1 + uplift / (1 - fallbackShare))
  }
}

extension SimulatedCategory {
  /// Two categories where pictures help by 35 %, one where they do nothing, a chat with replies (20 %), and a rare one.
  package static let demo: [SimulatedCategory] = [
    SimulatedCategory(
      known("social_post"), share: 0.34, textRate: 0.08, uplift: 0.35, media: [.image, .video],
      buttons: [known("like")], replyButton: known("comment"), hasContentExtension: true,
      dismissalRate: 0.25),
    SimulatedCategory(
      known("news"), share: 0.26, textRate: 0.05, uplift: 0.35, richShare: 0.6, media: [.image, .gif],
      buttons: [known("save"), known("share")]),
    SimulatedCategory(
      known("promo"), share: 0.20, textRate: 0.03, uplift: 0, media: [.image, .video, .gif],
      buttons: [known("shop")], dismissalRate: 0.4),
    SimulatedCategory(
      known("chat"), share: 0.19, textRate: 0.22, uplift: 0.20, richShare: 0.4, media: [.image, .audio],
      buttons: [known("mute")], replyButton: known("reply"), hasContentExtension: true),
    SimulatedCategory(known("event_reminder"), share: 0.01, textRate: 0.10, uplift: 0.10),
  ]

  private static func known(_ name: String) -> Category {
    do { return try Category(name) } catch { preconditionFailure("\(error)") }
  }

  private static func known(_ name: String) -> ActionID {
    do { return try ActionID(name) } catch { preconditionFailure("\(error)") }
  }
}
