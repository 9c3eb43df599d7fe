package import EngagementEvents

/// An event on its way from a foreign record to the contract's form, which then judges it.
///
/// What the record does not have is left out: the contract's own rules name what is missing.
package struct ForeignEvent: Sendable, Hashable {
  package let type: EventType
  /// Nil where the record has nothing that tells it from others.
  package var identity: Identity?
  /// Nil where the record has no time: such an event is never dated today.
  package var occurredAt: ForeignTime?
  /// What the record does not tell beyond the limits of its source.
  package private(set) var lacks: LimitSet = []

  /// The ids of its campaign, the most specific first.
  var campaignKeys: [String] = []
  /// The one of its campaign's ids that the campaigns file has; nil for none.
  package private(set) var listedCampaign: String?
  /// The variant of the campaign that was drawn for the device; nil for none.
  var variant: Variant?
  private var members: [UInt8] = []
  private var category: String?

  /// What tells a record from others of its source.
  package enum Identity: Sendable, Hashable {
    /// The source's own id. One that is a UUID is kept, any other hashed.
    case ownID(String)
    /// What is the same whenever the record is exported.
    case parts([String])
  }

  /// A variant of a campaign, which is an arm of an experiment.
  struct Variant: Sendable, Hashable {
    let experiment: String
    let arm: String
    /// Its id in a campaigns file, where the variants of a campaign have different media.
    let campaignKey: String
  }

  init(_ type: EventType) {
    self.type = type
    if type == .delivered { lacks = [.richness] }
  }

  /// - Parameter isOnlySent: whether all that is known is that APNs or FCM accepted it.
  static func delivered(by source: EventSource?, isOnlySent: Bool = false) -> ForeignEvent {
    var event = ForeignEvent(.delivered)
    event.set(.source, source?.rawValue)
    if isOnlySent { event.lacks.insert(.delivery) }
    return event
  }

  static func action(_ identifier: String?) -> ForeignEvent {
    var event = ForeignEvent(.action)
    event.set(.actionId, identifier)
    return event
  }

  /// - Parameter text: nil where the source says that there was a reply and not what it says. The text is then empty, as that
  ///   of any reply may be: without one it would be a mere button.
  static func reply(_ identifier: String?, text: String?) -> ForeignEvent {
    var event = action(identifier ?? "reply")
    event.set(.replyText, text ?? "")
    return event
  }

  static var opening: ForeignEvent { action(ActionID.defaultAction.text) }
  static var dismissal: ForeignEvent { action(ActionID.dismiss.text) }

  /// All names by which a campaigns file may have its campaign, the most specific first.
  package var campaignNames: [String] {
    guard let key = variant?.campaignKey, !campaignKeys.contains(key) else { return campaignKeys }
    return [key] + campaignKeys
  }

  /// Whether it lacks what a campaigns file tells.
  package var needsCampaign: Bool { category == nil || lacks.contains(.richness) }

  var isOnlySent: Bool { lacks.contains(.delivery) }

  /// Remembers that the record does not tell something.
  mutating func note(_ limit: LimitSet) { if type == .delivered { lacks.insert(limit) } }

  /// Sets a field that is not set yet; nil leaves it out, and so does a field that this type of event does not have.
  mutating func set(_ field: EventField, _ text: String?) {
    guard let text, begin(field) else { return }
    if field == .category { category = text }
    members.appendJSONString(text)
  }

  mutating func set(_ field: EventField, _ node: (some ForeignNode)?) {
    guard let node, begin(field) else { return }
    if field == .category { category = node.text }
    node.appendJSON(to: &members)
  }

  /// Sets a field to JSON.
  mutating func set(_ field: EventField, json: [UInt8]) {
    guard begin(field) else { return }
    members += json
  }

  /// Sets what our own exports tell of a reply whose text they leave out.
  mutating func setReplyLength(of properties: (some ForeignNode)?) {
    guard let properties else { return }
    if let length = properties.member("replyLength") {
      begin("replyLength")
      length.appendJSON(to: &members)
    }
    if let isWithheld = properties.member("replyWithheld") {
      begin("replyWithheld")
      isWithheld.appendJSON(to: &members)
    }
  }

  private mutating func begin(_ field: EventField) -> Bool {
    guard field.owner == nil || field.owner == type else { return false }
    if field == .intended || field == .attachments { lacks.remove(.richness) }
    begin(field.rawValue)
    return true
  }

  private mutating func begin(_ name: String) {
    members.append(UInt8(ascii: ","))
    members.append(UInt8(ascii: "\""))
    members.append(contentsOf: name.utf8)
    members.append(UInt8(ascii: "\""))
    members.append(UInt8(ascii: ":"))
  }

  mutating func setExperiment(name: String, arm: String) {
    var json: [UInt8] = Array(#"{"name":"#.utf8)
    json.appendJSONString(name)
    json.append(contentsOf: #","arm":"#.utf8)
    json.appendJSONString(arm)
    json.append(UInt8(ascii: "}"))
    set(.experiment, json: json)
  }

  private mutating func setIntended(_ kinds: [MediaKind]) {
    set(.intended, json: Array("[\(kinds.map { "\"\($0.rawValue)\"" }.joined(separator: ","))]".utf8))
  }

  /// Fills in what the campaign tells and the record does not.
  ///
  /// The variant is an arm, unless the campaign as a whole has its media: then what was drawn is something else.
  mutating func complete(by campaigns: Campaigns?) {
    func listed(_ id: String) -> (id: String, campaign: Campaign)? { campaigns?[id].map { (id, $0) } }
    let ofVariant = variant.flatMap { listed($0.campaignKey) }
    let ofCampaign = campaigns == nil ? nil : campaignKeys.lazy.compactMap(listed).first
    if let variant, ofVariant != nil || ofCampaign == nil {
      setExperiment(name: variant.experiment, arm: variant.arm)
    }
    guard let (id, campaign) = ofVariant ?? ofCampaign else { return }
    listedCampaign = id
    if category == nil { set(.category, campaign.category) }
    if lacks.contains(.richness) { setIntended(campaign.media) }
  }

  /// The event in the contract's form.
  ///
  /// - Parameters:
  ///   - id: nil where nothing tells it from others.
  ///   - occurredAt: in RFC 3339; nil where the record has no time.
  package func json(id: EventID?, occurredAt: String?) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(members.count + 128)
    bytes.append(contentsOf: #"{"type":""#.utf8)
    bytes.append(contentsOf: type.rawValue.utf8)
    bytes.append(UInt8(ascii: "\""))
    if let id {
      bytes.append(contentsOf: #","id":""#.utf8)
      bytes.append(contentsOf: id.text.utf8)
      bytes.append(UInt8(ascii: "\""))
    }
    if let occurredAt {
      bytes.append(contentsOf: #","occurredAt":"#.utf8)
      bytes.appendJSONString(occurredAt)
    }
    bytes += members
    bytes.append(UInt8(ascii: "}"))
    return bytes
  }
}

/// A time as a foreign record has it.
package enum ForeignTime: Sendable, Hashable {
  /// As it is written, with or without a zone.
  case text(String)
  case instant(Timestamp)

  /// Seconds since 1970, where one that is beyond all years is as good as any other.
  static func seconds(_ seconds: Int64) -> ForeignTime { instant(seconds, unit: 1_000_000) }

  /// - Parameter unit: in microseconds.
  static func instant(_ count: Int64, unit: Int64) -> ForeignTime {
    let (product, overflows) = count.multipliedReportingOverflow(by: unit)
    return .instant(Timestamp(microseconds: overflows ? (count < 0 ? .min : .max) / 4 : product))
  }
}
