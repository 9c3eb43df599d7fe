import EngagementEvents
import Simulation

/// Makes valid events and JSON at random, and breaks them.
enum EventGenerator {
  static func event(using generator: inout SeededGenerator) throws -> EngagementEvent {
    let isTold = { (generator: inout SeededGenerator) in Bool.random(using: &generator) }
    let microseconds = Int64.random(in: 1_200_000_000_000_000..<4_000_000_000_000_000, using: &generator)
    let detail: EngagementEvent.Detail
    switch Int.random(in: 0..<3, using: &generator) {
    case 0: detail = .expanded
    case 1:
      let reply = isTold(&generator) ? try ReplyText(text(0...40, using: &generator)) : nil
      detail = .action(ActionTaken(actionID: try ActionID(text(1...20, using: &generator)), replyText: reply))
    default: detail = .delivered(try delivery(using: &generator))
    }
    return try EngagementEvent(
      id: EventID(high: generator.next(), low: generator.next()),
      notificationID: NotificationID(text(1...30, using: &generator)),
      deviceID: DeviceID(text(1...30, using: &generator)),
      category: Category(text(0...20, using: &generator)),
      occurredAt: EventTime(Timestamp(microseconds: microseconds)),
      sequence: isTold(&generator) ? Int64.random(in: 0...Int64.max, using: &generator) : nil,
      source: isTold(&generator) ? EventSource.allCases.randomElement(using: &generator) : nil,
      experiment: isTold(&generator)
        ? ExperimentAssignment(name: text(1...20, using: &generator), arm: text(1...20, using: &generator))
        : nil,
      detail: detail)
  }

  private static func delivery(using generator: inout SeededGenerator) throws -> Delivery {
    let isTold = { (generator: inout SeededGenerator) in Bool.random(using: &generator) }
    let kinds = { (generator: inout SeededGenerator) in
      (0..<Int.random(in: 0...3, using: &generator)).compactMap { _ in
        MediaKind.allCases.randomElement(using: &generator)
      }
    }
    let attachments = try kinds(&generator).map { kind in
      try Attachment(
        kind: kind, bytes: isTold(&generator) ? Int64.random(in: 0...Int64.max, using: &generator) : nil,
        width: isTold(&generator) ? 640 : nil, height: isTold(&generator) ? 0 : nil,
        seconds: isTold(&generator) ? Double.random(in: 0...1e9, using: &generator) : nil)
    }
    return try Delivery(
      attachments: attachments, intended: isTold(&generator) ? kinds(&generator) : nil,
      fallback: isTold(&generator) ? FallbackReason.allCases.randomElement(using: &generator) : nil,
      customInterface: isTold(&generator),
      actions: (0..<Int.random(in: 0...3, using: &generator)).map { _ in
        try ActionID(text(1...20, using: &generator))
      },
      interruptionLevel: isTold(&generator)
        ? InterruptionLevel.allCases.randomElement(using: &generator) : nil,
      relevanceScore: isTold(&generator) ? Double.random(in: 0...1, using: &generator) : nil,
      threadID: isTold(&generator) ? text(0...20, using: &generator) : nil,
      appVersion: isTold(&generator) ? "1.2.3" : nil, locale: isTold(&generator) ? "zh-Hant" : nil)
  }

  /// Text of all that a string may hold.
  static func text(_ length: ClosedRange<Int>, using generator: inout SeededGenerator) -> String {
    let alphabet = Array(
      "abcXYZ019 \"\\/{}[],:\u{1}\u{8}\n\r\t\u{7F}éß日🙂\u{200D}\u{301}\u{FFFD}\u{FFFF}".unicodeScalars)
    var text = ""
    for _ in 0..<Int.random(in: length, using: &generator) {
      text.unicodeScalars.append(alphabet[Int.random(in: 0..<alphabet.count, using: &generator)])
    }
    return text
  }

  /// A JSON value, with blanks, escapes and brackets within its strings.
  static func json(depth: Int, using generator: inout SeededGenerator) -> String {
    let strings = [
      #""""#, #""a""#, #""\"""#, #""\\""#, #""}]{[,""#, #""\\\"}""#, #""\u00e9\ud83d\ude42""#, "\"日🙂\"",
      #""\\u0000""#,
    ]
    let scalars = strings + ["0", "-0", "1.5e-7", "-12", "18446744073709551615", "true", "false", "null"]
    let kind = depth == 0 ? 0 : Int.random(in: 0...2, using: &generator)
    if kind == 0 { return scalars[Int.random(in: 0..<scalars.count, using: &generator)] }
    let parts = (0..<Int.random(in: 0...3, using: &generator)).map { position in
      let value = json(depth: depth - 1, using: &generator)
      return kind == 1 ? value : "\"k\(position)}\" : \(value)"
    }
    let inner = parts.joined(separator: Bool.random(using: &generator) ? " , " : ",")
    return kind == 1 ? "[\(inner)]" : "{\(inner) }"
  }
}
