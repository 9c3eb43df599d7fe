import EngagementEvents

/// Turns the tokens of one event into the event; what a field may hold is the business of the field's type.
struct EventMapper {
  let tape: JSONTape
  /// Fields that the contract does not know.
  private(set) var unknownFields = 0

  /// The device of an event that names none.
  private let device: DeviceID?

  init(_ tape: JSONTape, device: DeviceID?) {
    self.tape = tape
    self.device = device
  }

  /// The event that the tokens tell of.
  mutating func event() throws(EventFault) -> EngagementEvent {
    guard tape.kind(JSONTape.root) == .object else {
      throw EventFault(
        field: "", code: .wrongType,
        message: "the event is \(tape.kind(JSONTape.root).name); send an object with its fields")
    }
    if let token = tape.nullCharacter { throw nullCharacter(at: token) }
    if let token = tape.duplicateKey { throw duplicateKey(at: token) }
    var draft = EventDraft()
    draft.deviceID = device
    var hasList = false
    var key = JSONTape.root + 1
    let end = tape.end(JSONTape.root)
    while key < end {
      if case .event(let field)? = tape.name(key) {
        // Null means the same as absence.
        if tape.kind(key + 1) != .null { try read(field, at: key + 1, into: &draft) }
      } else {
        unknownFields += 1
        if case .inner(.events)? = tape.name(key), tape.kind(key + 1) == .array { hasList = true }
      }
      key = tape.end(key)
    }
    if hasList, draft.type == nil { throw Self.wholeBody }
    return try draft.event()
  }

  private static let wholeBody = EventFault(
    field: "", code: .wrongType,
    message:
      "the event is a whole body with a list “events”; send each event by itself, as NDJSON an event a line, or the body as application/json"
  )

  private mutating func read(_ field: EventField, at value: Int, into draft: inout EventDraft)
    throws(EventFault)
  {
    let name = field.rawValue
    switch field {
    case .id: draft.id = try identifier(value, name)
    case .type: draft.type = try EventType(string(value, name))
    case .notificationId: draft.notificationID = try NotificationID(string(value, name))
    case .deviceId: draft.deviceID = try DeviceID(string(value, name))
    case .category: draft.category = try Category(string(value, name))
    case .occurredAt: draft.occurredAt = try EventTime(string(value, name))
    case .sequence: draft.sequence = try integer(value, name)
    case .source: draft.source = try EventSource(string(value, name))
    case .experiment: draft.experiment = try experiment(value)
    case .actionId: draft.actionID = try ActionID(string(value, name))
    case .replyText: draft.replyText = try ReplyText(string(value, name))
    default: try readOfDelivery(field, at: value, into: &draft)
    }
    draft.note(field)
  }

  private mutating func readOfDelivery(
    _ field: EventField, at value: Int, into draft: inout EventDraft
  ) throws(EventFault) {
    let name = field.rawValue
    switch field {
    case .attachments: draft.attachments = try list(value, name, EventMapper.attachment)
    case .intended:
      draft.intended = try list(value, name) { (mapper, element, index) throws(EventFault) in
        try MediaKind(mapper.string(element, "\(name)[\(index)]"), field: "\(name)[\(index)]")
      }
    case .fallback: draft.fallback = try FallbackReason(string(value, name))
    case .customInterface: draft.customInterface = try boolean(value, name)
    case .actions:
      draft.actions = try list(value, name) { (mapper, element, index) throws(EventFault) in
        try ActionID(mapper.string(element, "\(name)[\(index)]"), field: "\(name)[\(index)]")
      }
    case .interruptionLevel: draft.interruptionLevel = try InterruptionLevel(string(value, name))
    case .relevanceScore: draft.relevanceScore = try number(value, name)
    case .threadId: draft.threadID = try string(value, name)
    case .appVersion: draft.appVersion = try string(value, name)
    default: draft.locale = try string(value, name)
    }
  }

  private mutating func experiment(_ object: Int) throws(EventFault) -> ExperimentAssignment {
    var name: String?
    var arm: String?
    try expect(.object, at: object, "experiment")
    try members(of: object) { (mapper, field, value) throws(EventFault) in
      switch field {
      case .name: name = try mapper.string(value, "experiment.name")
      case .arm: arm = try mapper.string(value, "experiment.arm")
      default: return false
      }
      return true
    }
    guard let name else { throw EventMapper.missing("experiment.name") }
    guard let arm else { throw EventMapper.missing("experiment.arm") }
    return try ExperimentAssignment(name: name, arm: arm)
  }

  private static func attachment(
    _ mapper: inout EventMapper, _ object: Int, _ index: Int
  ) throws(EventFault) -> Attachment {
    var kind: MediaKind?
    var bytes: Int64?
    var width: Int64?
    var height: Int64?
    var seconds: Double?
    func path(_ name: String) -> String { "attachments[\(index)].\(name)" }
    try mapper.expect(.object, at: object, "attachments[\(index)]")
    try mapper.members(of: object) { (mapper, field, value) throws(EventFault) in
      switch field {
      case .kind: kind = try MediaKind(mapper.string(value, path("kind")), field: path("kind"))
      case .bytes: bytes = try mapper.integer(value, path("bytes"))
      case .width: width = try mapper.integer(value, path("width"))
      case .height: height = try mapper.integer(value, path("height"))
      case .seconds: seconds = try mapper.number(value, path("seconds"))
      default: return false
      }
      return true
    }
    guard let kind else { throw missing(path("kind")) }
    return try Attachment(
      kind: kind, bytes: bytes, width: width, height: height, seconds: seconds, field: "attachments[\(index)]"
    )
  }

  private static func missing(_ path: String) -> EventFault {
    EventFault(
      field: path, code: .missingField, message: "\(path) is missing; send it, or leave out what holds it")
  }

  /// Calls `read` for each member that is not null; it answers whether it knows the name.
  private mutating func members(
    of object: Int, _ read: (inout EventMapper, FieldName.Inner, Int) throws(EventFault) -> Bool
  ) throws(EventFault) {
    var key = object + 1
    while key < tape.end(object) {
      if case .inner(let name)? = tape.name(key) {
        if tape.kind(key + 1) != .null, try !read(&self, name, key + 1) { unknownFields += 1 }
      } else {
        unknownFields += 1
      }
      key = tape.end(key)
    }
  }

  private mutating func list<Value>(
    _ array: Int, _ path: String, _ read: (inout EventMapper, Int, Int) throws(EventFault) -> Value
  ) throws(EventFault) -> [Value] {
    try expect(.array, at: array, path)
    var values: [Value] = []
    values.reserveCapacity(tape.count(array))
    var element = array + 1
    while element < tape.end(array) {
      values.append(try read(&self, element, values.count))
      element = tape.end(element)
    }
    return values
  }
}
