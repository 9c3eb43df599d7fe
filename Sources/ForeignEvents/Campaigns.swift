package import EngagementEvents

/// What a source does not carry and its owner knows: the category and the media of each campaign.
package struct Campaigns: Sendable, Hashable {
  private var byID: [ExactText: Campaign] = [:]

  package init() {}

  package var count: Int { byID.count }

  /// - Returns: whether the id is new.
  package mutating func add(_ campaign: Campaign, id: String) -> Bool {
    byID.updateValue(campaign, forKey: ExactText(id)) == nil
  }

  package var ids: [String] { byID.keys.map(\.string) }

  package subscript(id: String) -> Campaign? { byID[ExactText(id)] }
}

/// What all notifications of a campaign have in common.
package struct Campaign: Sendable, Hashable {
  /// Nil for none.
  package var category: String?
  /// What its payloads ask for; empty for text only.
  package var media: [MediaKind]

  package init(category: String?, media: [MediaKind]) {
    self.category = category
    self.media = media
  }
}
