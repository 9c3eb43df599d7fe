import EngagementEvents
import Foundation
import Testing

@testable import EngagementSDK

/// What is sent, and what follows from the answers.
struct UploadTests {
  @Test func eventsAreSentOnceAndForgotten() async throws {
    let trial = try Trial()
    try trial.record(3)
    try await trial.engagement.upload()
    try await trial.engagement.upload()
    let sent = try trial.transport.sent
    #expect(sent.map(\.events.count) == [3])
    #expect(sent[0].url.absoluteString == "https://push.example.com/v1/events")
    #expect(sent[0].headers["Authorization"] == "Bearer pushlift_key")
    #expect(sent[0].headers["Content-Type"] == "application/json")
    #expect(sent[0].headers["Content-Encoding"] == "gzip")
    let event = sent[0].events[0]
    #expect(event["type"] == "action")
    #expect(event["notificationId"] == "n-0")
    #expect(event["deviceId"] == "d-1")
    #expect(event["category"] == "news")
    #expect(event["occurredAt"] == "2025-12-01T00:00:00.000001Z")
    #expect(event["source"] == "app")
    #expect(try trial.waiting == 0)
    #expect(try trial.folder.files(in: "journals").isEmpty)
    #expect(trial.log.all == [.uploaded(accepted: 3, duplicates: 0)])
  }

  @Test(arguments: [408, 429, 500, 502, 503, 504, 302, 0])
  func whatMayWorkLaterIsSentAgain(status: Int) async throws {
    let trial = try Trial { number, batch in
      guard number < 3 else { return .stored(batch) }
      if status == 0 { throw URLError(.networkConnectionLost) }
      return UploadResponse(status: status)
    }
    try trial.record(2)
    try await trial.engagement.upload()
    let sent = try trial.transport.sent
    #expect(sent.count == 4)
    // The events stay as first written; the time of sending is that of the attempt.
    #expect(Set(sent.map(\.events)).count == 1)
    #expect(Set(sent.map(\.sentAt)).count == 4)
    // Half of 2, 4, 8 seconds, as the jitter is ½.
    #expect(trial.clock.naps == [.seconds(1), .seconds(2), .seconds(4)])
    #expect(trial.log.all.count == 4)
  }

  @Test(arguments: [207, 422]) func rejectedEventsAreToldByName(status: Int) async throws {
    let trial = try Trial { _, batch in
      let rejected =
        #"{"index":0,"id":"\#(batch.ids[0])","field":"category","code":"too_long","message":"Too long."}"#
      return UploadResponse(
        status: status, body: Data(#"{"accepted":1,"duplicates":0,"rejected":[\#(rejected)]}"#.utf8))
    }
    try trial.record(2)
    try await trial.engagement.upload()
    #expect(try trial.waiting == 0)
    let id = try trial.transport.sent[0].ids[0]
    #expect(
      trial.log.all == [
        .uploaded(accepted: 1, duplicates: 0),
        .rejected([RejectedEvent(id: id, field: "category", code: "too_long", message: "Too long.")]),
      ])
  }

  /// The login page of a wireless network, a proxy's cut body, an answer to other events, numbers that no sum can hold.
  @Test(arguments: [
    "<html>Welcome!</html>", "", #"{"accepted":2,"dup"#, #"{"accepted":9,"duplicates":0,"rejected":[]}"#,
    #"{"accepted":-1,"duplicates":3,"rejected":[]}"#, #"{"accepted":3,"duplicates":-1,"rejected":[]}"#,
    #"{"accepted":9223372036854775807,"duplicates":1,"rejected":[]}"#,
    #"{"accepted":1,"duplicates":9223372036854775807,"rejected":[]}"#,
    #"{"accepted":99999999999999999999,"duplicates":0,"rejected":[]}"#,
  ])
  func aSuccessThatIsNotTheServersDoesNotCount(body: String) async throws {
    let trial = try Trial { number, batch in
      number == 0 ? UploadResponse(status: 200, body: Data(body.utf8)) : .stored(batch)
    }
    try trial.record(2)
    try await trial.engagement.upload()
    #expect(try trial.transport.sent.count == 2)
    #expect(trial.log.all.last == .uploaded(accepted: 2, duplicates: 0))
  }

  @Test func tooMuchForOneRequestIsSplit() async throws {
    let trial = try Trial { _, batch in
      batch.events.count > 3 ? UploadResponse(status: 413) : .stored(batch)
    }
    try trial.record(20)
    try await trial.engagement.upload()
    let stored = try trial.transport.sent.filter { $0.events.count <= 3 }.flatMap(\.ids)
    #expect(stored.count == 20)
    #expect(Set(stored).count == 20)
    #expect(try trial.waiting == 0)
  }

  @Test func requestsKeepToTheirLimits() async throws {
    let trial = try Trial(options: { $0.batchEvents = 7 })
    try trial.record(20)
    try await trial.engagement.upload()
    #expect(try trial.transport.sent.map(\.events.count) == [7, 7, 6])
    let small = try Trial(options: { $0.batchBytes = 700 })
    try small.record(10)
    try await small.engagement.upload()
    #expect(try small.transport.sent.allSatisfy { (1...3).contains($0.events.count) })
    #expect(try small.transport.sent.flatMap(\.ids).count == 10)
  }

  @Test func whatWaitsTooLongOrIsTooMuchIsGivenUpAndCounted() async throws {
    let trial = try Trial(
      answer: { number, batch in
        if number == 0 { throw URLError(.notConnectedToInternet) }
        return .stored(batch)
      },
      options: {
        $0.maximumEvents = 4
        $0.maximumAge = .seconds(1_000)
      })
    try trial.record(2)
    trial.clock.now = trial.clock.now.advanced(by: .seconds(999))
    try trial.record(6, from: 2)
    try await trial.engagement.upload()
    #expect(trial.log.all.contains(.dropped(events: 2, reason: .tooOld)))
    #expect(trial.log.all.contains(.dropped(events: 2, reason: .tooMany)))
    #expect(
      try trial.transport.sent.last?.events.compactMap { $0["notificationId"] } == [
        "n-4", "n-5", "n-6", "n-7",
      ])
    #expect(try trial.waiting == 0)
  }

  /// A device whose clock jumps years ahead must not lose what it can send.
  @Test func oldEventsAreSentWhereTheServerIsThere() async throws {
    let trial = try Trial(options: { $0.maximumAge = .seconds(1_000) })
    try trial.record(2)
    trial.clock.now = trial.clock.now.advanced(by: .seconds(300_000_000))
    try await trial.engagement.upload()
    #expect(trial.log.all == [.uploaded(accepted: 2, duplicates: 0)])
  }

  @Test func aStoppedUploadLosesNothing() async throws {
    let trial = try Trial { _, _ in UploadResponse(status: 503) }
    try trial.record(2)
    let engagement = trial.engagement
    let upload = Task { try await engagement.upload() }
    while try trial.transport.sent.isEmpty { await Task.yield() }
    upload.cancel()
    await #expect(throws: CancellationError.self) { try await upload.value }
    #expect(try trial.waiting == 2)
  }

  /// Who asks does not wait for the next try of a run that began by itself, but for as long as the server wants.
  @Test(arguments: [nil, "120"]) func whoAsksIsHeardAtOnce(retryAfter: String?) async throws {
    let trial = try Trial { number, batch in
      guard number == 0 else { return .stored(batch) }
      return UploadResponse(status: 503, headers: retryAfter.map { ["Retry-After": $0] } ?? [:])
    }
    let engagement = trial.engagement
    try trial.record(2)
    trial.clock.isSlow = true
    let running = Task { try await engagement.upload() }
    while trial.log.all.isEmpty { await Task.yield() }
    while trial.clock.isNobodyAsleep { await Task.yield() }
    let asking = Task { try await engagement.upload() }
    for _ in 0..<1_000 { await Task.yield() }
    if retryAfter == nil {
      try await asking.value
      #expect(try trial.transport.sent.count == 2)
    } else {
      #expect(try trial.transport.sent.count == 1)
      asking.cancel()
    }
    running.cancel()
  }

  @Test func whatIsRecordedIsSentByItself() async throws {
    let trial = try Trial(options: { $0.uploadsAutomatically = true })
    try trial.record(1)
    while try trial.waiting > 0 { await Task.yield() }
    #expect(try trial.transport.sent.flatMap(\.ids).count == 1)
  }

  @Test func addressesAndKeysAreChecked() throws {
    let folder = try TemporaryFolder()
    func open(_ endpoint: String, key: String = "k", device: String = "d") throws -> Engagement {
      try Engagement(
        endpoint: URL(string: endpoint)!, key: key, device: device, storage: .folder(folder.url))
    }
    for wrong in ["ftp://example.com", "push.example.com", "https:"] {
      #expect(throws: EngagementError.self) { try open(wrong) }
    }
    #expect(throws: EngagementError.self) { try open("https://example.com", key: "k\r\nX: y") }
    #expect(throws: EngagementError.self) { try open("https://example.com", device: "") }
    let error = #expect(throws: EngagementError.self) {
      try Engagement(
        endpoint: URL(string: "https://example.com")!, key: "k", device: "d", storage: .appGroup("group.x"))
    }
    #expect(error?.code == .noContainer)
  }
}
