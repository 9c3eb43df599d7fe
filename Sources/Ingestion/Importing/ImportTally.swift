internal import EngagementEvents
package import ForeignEvents

/// What has become of the events of an import.
package struct ImportTally: Sendable, Hashable {
  package var stored = 0
  package var duplicates = 0
  package var rejected = 0
  /// Fields of NDJSON that the contract does not know, and which were ignored.
  package var unknownFields = 0
  /// Local times that the clocks showed twice, taken for the earlier.
  package var ambiguousTimes = 0
  /// Events older than the history that was announced: kept, never counted.
  package var tooOld = 0
  /// Records about something that is not measured, by what that is.
  package private(set) var ignored: [String: Int] = [:]
  /// Good events by what they tell.
  package private(set) var kinds: [Kind: Int] = [:]
  /// Deliveries by what they do not tell.
  private var lackings: [LimitSet: Int] = [:]
  /// What is odd about good events, told as they are judged.
  package var warnings = ImportWarnings()
  /// What a campaigns file and the records have in common, told as they are read.
  package var campaigns = CampaignTally(nil)
  /// The first good events, in the contract's form.
  package private(set) var samples: [[UInt8]] = []
  /// The first of the rejected events.
  package var rejections: [Rejection] = []

  /// What a good event tells. Without raw values, which are slow to hash.
  package enum Kind: Sendable, Hashable, CaseIterable {
    case sent, delivered, expanded, opened, action, replied, dismissed
  }

  /// Deliveries that do not tell something, by what that is.
  package var lacks: [SourceLimit: Int] {
    var counts: [SourceLimit: Int] = [:]
    for (lacks, count) in lackings { for limit in lacks.limits { counts[limit, default: 0] += count } }
    return counts
  }

  /// Events that were read.
  package var total: Int { stored + duplicates + rejected }

  package struct Rejection: Sendable, Hashable, CustomStringConvertible {
    package let file: String
    package let line: Int
    package let field: String
    package let code: String
    package let message: String

    package var description: String {
      "\(file), line \(line): \(code)\(field.isEmpty ? "" : " (\(field))"): \(message)"
    }
  }

  /// As many rejections as are named.
  static let namedRejections = 10

  static func += (sum: inout ImportTally, more: ImportTally) {
    sum.stored += more.stored
    sum.duplicates += more.duplicates
    sum.rejected += more.rejected
    sum.unknownFields += more.unknownFields
    sum.ambiguousTimes += more.ambiguousTimes
    sum.tooOld += more.tooOld
    for (what, count) in more.ignored { sum.ignore(what, count) }
    sum.kinds.merge(more.kinds, uniquingKeysWith: +)
    sum.lackings.merge(more.lackings, uniquingKeysWith: +)
    sum.samples += more.samples.prefix(shownSamples - sum.samples.count)
    sum.rejections += more.rejections.prefix(namedRejections - sum.rejections.count)
  }

  /// As many events as are shown.
  private static let shownSamples = 3
  /// As many words as ignored records are told apart by: a file can have any.
  private static let ignoredWords = 20

  mutating func ignore(_ what: String, _ count: Int = 1) {
    let isKnown = ignored[what] != nil || ignored.count < Self.ignoredWords
    ignored[isKnown ? what : "others", default: 0] += count
  }

  /// - Parameter isReply: whether it is one without its text.
  mutating func note(_ event: EngagementEvent, json: [UInt8], lacks: LimitSet, isReply: Bool = false) {
    let kind = isReply ? .replied : event.kind(isOnlySent: lacks.contains(.delivery))
    kinds[kind, default: 0] += 1
    if event.type == .delivered { lackings[lacks, default: 0] += 1 }
    if samples.count < Self.shownSamples { samples.append(json) }
  }

  mutating func reject(_ rejection: @autoclosure () -> Rejection) {
    rejected += 1
    if rejections.count < Self.namedRejections { rejections.append(rejection()) }
  }
}

extension EngagementEvent {
  fileprivate func kind(isOnlySent: Bool) -> ImportTally.Kind {
    switch detail {
    case .delivered: isOnlySent ? .sent : .delivered
    case .expanded: .expanded
    case .action(let action) where action.actionID.isDefault: .opened
    case .action(let action) where action.actionID.isDismissal: .dismissed
    case .action(let action): action.replyText == nil ? .action : .replied
    }
  }
}
