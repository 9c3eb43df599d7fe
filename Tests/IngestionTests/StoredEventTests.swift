import EventStore
import Postgres
import TestSupport
import Testing

/// Every field of the contract, from the body to the row.
@Suite(.store) struct StoredEventTests {
  private static let time = Event.time(hoursAgo: 3)

  private static let common = """
    "id":"7C42CA9B-9EAB-4D04-80B3-40F10B0C54AA","notificationId":"campaign/7 – ü","deviceId":"install-1",\
    "category":"social_post","occurredAt":"\(time)","sequence":9007199254740993,\
    "experiment":{"name":"pictures","arm":"rich"}
    """

  @Test func aDeliveryIsKeptWhole() throws {
    let service = try TestService()
    let answer = try service.post([
      """
      {"type":"delivered",\(Self.common),"source":"serviceExtension",\
      "attachments":[{"kind":"gif","bytes":123456,"width":640,"height":480,"seconds":2.5},{"kind":"image"}],\
      "intended":["video","image"],"fallback":"tooLarge","customInterface":true,"actions":["like","comment"],\
      "interruptionLevel":"time-sensitive","relevanceScore":0.75,"threadId":"thread","appVersion":"4.2 (77)",\
      "locale":"de_DE"}
      """
    ])
    #expect(answer.status == 200, "\(answer.text)")
    let row = try Self.row(service)
    #expect(row["event_id"] == "7c42ca9b-9eab-4d04-80b3-40f10b0c54aa")
    #expect(row["notification_id"] == "campaign/7 – ü")
    #expect(row["category"] == "social_post")
    #expect(row["occurred_at_raw"] == Self.time)
    #expect(row["sequence"] == "9007199254740993")
    #expect(row["experiment"] == "pictures")
    #expect(row["arm"] == "rich")
    #expect(row["type"] == "0")
    #expect(row["source"] == "0")
    #expect(row["attached"] == "3")
    #expect(row["intended"] == "5")
    #expect(row["fallback"] == "0")
    #expect(row["custom_interface"] == "true")
    #expect(row["action_id"] == nil)
    #expect(row["time_quality"] == "0")
    #expect(row["app_id"] == String(service.app.id.rawValue))
    let detail: Bool = try service.value(
      of: """
        select detail = '{"attachments":[{"kind":"gif","bytes":123456,"width":640,"height":480,"seconds":2.5},
          {"kind":"image"}],"intended":["video","image"],"fallback":"tooLarge","customInterface":true,
          "actions":["like","comment"],"interruptionLevel":"time-sensitive","relevanceScore":0.75,
          "threadId":"thread","appVersion":"4.2 (77)","locale":"de_DE"}' from event
        """)
    #expect(detail)
    #expect(try Self.isTimeKept(service))
  }

  @Test func anExpansionAndAnActionAreKeptWhole() throws {
    let service = try TestService()
    let reply = "Grüße 👩‍👩‍👧‍👦 \u{202B}שלום\u{202C}\n\"x\"\\ e\u{301}"
    #expect(
      try service.post([
        """
        {"type":"action",\(Self.common),"source":"app","actionId":"reply","replyText":\(Event.quoted(reply))}
        """
      ]).status == 200)
    let action = try Self.row(service)
    #expect(action["type"] == "2")
    #expect(action["source"] == "2")
    #expect(action["action_id"] == "reply")
    #expect(action["reply_length"] == String(reply.utf8.count))
    #expect(action["attached"] == nil)
    #expect(action["intended"] == nil)
    #expect(action["detail"] == nil)
    #expect(
      try service.store.connectAsSuperuser().value(of: "select text from reply", as: String.self) == reply)
    // The row of the log holds none of the reply, nor the device's id.
    let row: String = try service.value(of: "select row_to_json(event)::text from event")
    #expect(!row.contains("Grüße"))
    #expect(!row.contains("install-1"))
    try Self.clear(service)
    #expect(
      try service.post([#"{"type":"expanded",\#(Self.common),"source":"contentExtension"}"#]).status == 200)
    let expansion = try Self.row(service)
    #expect(expansion["type"] == "1")
    #expect(expansion["source"] == "1")
    #expect(expansion["detail"] == nil)
    #expect(try Self.isTimeKept(service))
  }

  /// What is not told is unknown, and nothing is made up for it.
  @Test func absentFieldsAreAbsent() throws {
    let service = try TestService()
    #expect(try service.post([Event(1, "delivered").json]).status == 200)
    let row = try Self.row(service)
    for column in [
      "sent_at", "sequence", "reply_length", "source", "intended", "fallback", "action_id", "experiment",
      "arm",
    ] {
      #expect(row[column] == nil, "\(column)")
    }
    #expect(row["category"] == "")
    #expect(row["attached"] == "0")
    #expect(row["custom_interface"] == "false")
    #expect(row["detail"] == "{}")
  }

  /// Every word of the contract's closed lists has a code of its own in the store.
  @Test func eachWordIsToldFromTheOthers() throws {
    let service = try TestService()
    let lists: [(field: String, words: [String], column: SQL)] = [
      ("source", ["serviceExtension", "contentExtension", "app", "provider"], "source"),
      (
        "fallback", ["tooLarge", "timedOut", "downloadFailed", "unsupportedType", "invalid"], "fallback"
      ),
      (
        "interruptionLevel", ["passive", "active", "time-sensitive", "critical"],
        "detail ->> 'interruptionLevel'"
      ),
    ]
    for (field, words, column) in lists {
      try Self.clear(service)
      let events = words.enumerated().map { Event($0, "delivered").with(field, Event.quoted($1)).json }
      #expect(try service.post(events).status == 200)
      #expect(try service.value(of: "select count(distinct \(column)) from event") == words.count)
    }
    try Self.clear(service)
    let kinds = ["image", "gif", "video", "audio"]
    let media = kinds.enumerated().map {
      Event($0, "delivered").with("attachments", #"[{"kind":"\#($1)"}]"#).with("intended", #"["\#($1)"]"#)
        .json
    }
    #expect(try service.post(media).status == 200)
    #expect(try service.value(of: "select bit_or(attached)::integer from event", as: Int32.self) == 15)
    #expect(try service.value(of: "select count(*) from event where attached = intended") == 4)
  }

  /// The event's row as text, column by column; NULLs are left out.
  private static func row(_ service: TestService) throws -> [String: String] {
    let pairs = try service.store.connect(.asking).query(
      "select key, value from event, jsonb_each_text(to_jsonb(event)) where value is not null"
    ).map { row in (try row.value(0, as: String.self), try row.value(1, as: String.self)) }
    return Dictionary(pairs) { first, _ in first }
  }

  private static func isTimeKept(_ service: TestService) throws -> Bool {
    try service.value(
      of: """
        select occurred_at = \(time)::text::timestamptz and corrected_at = occurred_at
          and day = (occurred_at at time zone 'UTC')::date and received_at between now() - interval '1 minute' and now()
        from event
        """)
  }

  private static func clear(_ service: TestService) throws {
    try Connection(service.store.database).execute("truncate pushlift.event, pushlift.reply")
  }
}
