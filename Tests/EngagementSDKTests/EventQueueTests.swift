import EngagementEvents
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import EngagementSDK

/// What the disk keeps.
struct EventQueueTests {
  @Test func anEventIsOnDiskWhenTheCallReturns() throws {
    let folder = try TemporaryFolder()
    let writer = EventQueue(try folder.storage)
    try writer.append(.sample(1, text: #"{"a":1}"#))
    // Another process.
    let reader = EventQueue(try folder.storage)
    let entries = try reader.pending().inOrder
    #expect(reader.load(entries).map { String(decoding: $0.json, as: UTF8.self) } == [#"{"a":1}"#])
  }

  @Test func aRecordReadsBackAsItWas() throws {
    var event = QueuedEvent.sample(9, text: #"{"reply":"👋🏽"}"#, at: 1_764_547_200_000_001)
    event.heldUntil = Timestamp(microseconds: -5)
    let (events, isIntact) = QueuedEvent.read(event.record)
    #expect(events.map(\.event) == [event])
    #expect(isIntact)
  }

  /// A kill, or the power's loss, may leave any part of the last record.
  @Test func aTornTailCostsNoEarlierEvent() {
    let whole = QueuedEvent.sample(1).record + QueuedEvent.sample(2).record
    let torn = QueuedEvent.sample(3, text: #"{"a":"torn"}"#).record
    for count in 0..<torn.count {
      for tail in [
        Array(torn.prefix(count)), Array(torn.prefix(count)) + Array(repeating: 0, count: torn.count - count),
      ] {
        let (events, isIntact) = QueuedEvent.read(whole + tail)
        #expect(events.map(\.event.id.low) == [1, 2])
        // Zeros where a length should be are no length; that is all a reader can know.
        #expect(isIntact || tail.prefix(4).allSatisfy { $0 == 0 } || count < 4)
      }
    }
  }

  @Test func aDamagedMiddleIsTold() {
    var bytes = QueuedEvent.sample(1).record + QueuedEvent.sample(2).record + QueuedEvent.sample(3).record
    bytes[QueuedEvent.sample(1).record.count + 20] ^= 1
    var pending = PendingEvents()
    pending.add(file: "f", bytes: bytes)
    #expect(pending.inOrder.map(\.id.low) == [1])
    #expect(pending.damagedFiles == ["f"])
  }

  @Test func theOldestComesFirstWhateverFileItIsIn() throws {
    var pending = PendingEvents()
    pending.add(file: "a", bytes: QueuedEvent.sample(1, at: 30).record + QueuedEvent.sample(2, at: 10).record)
    pending.add(file: "b", bytes: QueuedEvent.sample(3, at: 20).record)
    #expect(pending.inOrder.map(\.id.low) == [2, 3, 1])
  }

  @Test func aFileGoesWhenAllOfItIsDone() throws {
    var pending = PendingEvents()
    pending.add(file: "a", bytes: QueuedEvent.sample(1).record + QueuedEvent.sample(2).record)
    pending.add(file: "b", bytes: QueuedEvent.sample(2).record)
    pending.add(file: "empty", bytes: [])
    let done = [[], [2], [1]].map { ids in pending.resolve(ids.map { EventID(high: 7, low: $0) }) }
    #expect(done == [["empty"], ["b"], ["a"]])
  }

  @Test func aHeldEventWaitsForTheOneInItsPlace() throws {
    var held = QueuedEvent.sample(1, text: "held", at: 1_000_000)
    held.heldUntil = Timestamp(microseconds: 61_000_000)
    let final = QueuedEvent.sample(1, text: "final", at: 5_000_000)
    func at(_ seconds: Int64) -> Timestamp { Timestamp(microseconds: seconds * 1_000_000) }
    var pending = PendingEvents()
    pending.add(file: "a", bytes: held.record)
    #expect(pending.sendable(at: at(60)).isEmpty)
    #expect(pending.sendable(at: at(61)).count == 1)
    #expect(pending.sendable(at: at(0)).count == 1)  // the clock was set back
    for files in [["a", "b"], ["b", "a"]] {
      var both = PendingEvents()
      for file in files { both.add(file: file, bytes: (file == "a" ? held : final).record) }
      #expect(both.sendable(at: at(2)).map(\.file) == ["b"])
      let done = both.resolve([final.id])
      #expect(Set(done) == ["a", "b"])
    }
  }

  @Test func whatIsGivenUpIsGoneAndItsNeighboursAreNot() throws {
    let folder = try TemporaryFolder()
    let queue = EventQueue(try folder.storage)
    for number in 1...3 { try queue.append(.sample(UInt64(number), text: "\(number)")) }
    var pending = try queue.pending()
    try queue.discard([EventID(high: 7, low: 2)], of: &pending)
    let other = EventQueue(try folder.storage)
    #expect(
      other.load(try other.pending().inOrder).map { String(decoding: $0.json, as: UTF8.self) } == ["1", "3"])
  }

  /// Writers and a sender get in each other's way as often as they can.
  @Test func nothingIsLostBetweenWritersAndASender() throws {
    let folder = try TemporaryFolder()
    let storage = try folder.storage
    let isOver = Atomic(false)
    let writers = (0..<3).map { writer in
      BackgroundWork { () -> Void in
        let queue = EventQueue(storage, limits: EventQueue.Limits(journalBytes: 1_000))
        for number in 0..<400 { try queue.append(.sample(UInt64(writer * 1_000 + number))) }
      }
    }
    let sender = BackgroundWork { () -> Set<EventID> in
      let queue = EventQueue(storage)
      var sent: Set<EventID> = []
      while true {
        let wasOver = isOver.load(ordering: .relaxed)
        var pending = try queue.pending()
        let batch = queue.load(pending.inOrder).map(\.id)
        sent.formUnion(batch)
        queue.remove(pending.resolve(batch))
        if wasOver { return sent }
      }
    }
    for writer in writers { try writer.value() }
    isOver.store(true, ordering: .relaxed)
    #expect(try sender.value().count == 1_200)
    #expect(try folder.files(in: "journals").isEmpty)
  }

  @Test func aDiskThatRefusesIsTold() throws {
    let folder = try TemporaryFolder()
    let queue = EventQueue(try folder.storage)
    try FileManager.default.removeItem(at: folder.url.appendingPathComponent("journals"))
    let error = #expect(throws: EngagementError.self) { try queue.append(.sample(1)) }
    #expect(error?.code == .storage)
    #expect(error?.message.contains("No such file") == true)
    // And when the disk is well again, so is the queue.
    try FileManager.default.createDirectory(
      at: folder.url.appendingPathComponent("journals"), withIntermediateDirectories: true)
    try queue.append(.sample(2))
    #expect(try queue.pending().count == 1)
  }
}
