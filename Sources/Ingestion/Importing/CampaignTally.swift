internal import EngagementEvents
package import ForeignEvents
internal import Reports

/// How the records of an import and its campaigns file meet, so that a slip on either side is seen.
///
/// Records can have any number of campaigns, so that only the first that the file does not have are told apart.
package struct CampaignTally: Sendable, Hashable {
  private let campaigns: Campaigns?
  private var used: Set<ExactText> = []
  /// In the order in which they were met.
  private var unlisted: [Unlisted] = []
  private var places: [[String]: Int] = [:]
  /// Events of further ones.
  private var others = 0

  /// A campaign without a line, by all its names.
  private struct Unlisted: Sendable, Hashable {
    let names: [String]
    var events = 1
  }

  /// As many as are told, of either side.
  private static let named = 10

  /// - Parameter campaigns: the file's; nil where none is given and nothing is to be told.
  package init(_ campaigns: Campaigns?) { self.campaigns = campaigns }

  mutating func note(_ event: ForeignEvent) {
    guard campaigns != nil else { return }
    if let id = event.listedCampaign {
      used.insert(ExactText(id))
      return
    }
    guard event.needsCampaign else { return }
    let names = event.campaignNames
    if names.isEmpty { return }
    if let place = places[names] {
      unlisted[place].events += 1
    } else if unlisted.count < Self.named {
      places[names] = unlisted.count
      unlisted.append(Unlisted(names: names))
    } else {
      others += 1
    }
  }

  /// What does not fit together, a sentence each; empty where all does.
  package var findings: [String] {
    guard let campaigns else { return [] }
    var findings: [String] = []
    let unused = campaigns.ids.filter { !used.contains(ExactText($0)) }.sorted()
    if !unlisted.isEmpty {
      let told = unlisted.map { campaign in
        let names = campaign.names.map(EventFault.quote).joined(separator: " or ")
        let twins = unused.filter { id in campaign.names.contains { $0.lowercased() == id.lowercased() } }
        let advice = twins.first.map { "; did you mean \(EventFault.quote($0))?" } ?? ""
        return "\(names) (\(Format.count(campaign.events, "event"))\(advice))"
      }
      findings.append(
        "campaigns that have no line in the campaigns file: " + told.joined(separator: ", ")
          + (others > 0 ? ", and others (\(Format.count(others, "event")))" : ""))
    }
    if !unused.isEmpty {
      let more = unused.count - Self.named
      findings.append(
        "\(Format.count(unused.count, "line")) of the campaigns file met no record: "
          + unused.prefix(Self.named).map(EventFault.quote).joined(separator: ", ")
          + (more > 0 ? ", and \(more) more" : ""))
    }
    return findings
  }
}
