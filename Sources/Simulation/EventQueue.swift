/// A binary heap of events to come, the earliest first.
struct EventQueue {
  private var heap: [PendingEvent] = []

  var first: PendingEvent? { heap.first }

  mutating func push(_ event: PendingEvent) {
    heap.append(event)
    var child = heap.count - 1
    while child > 0 {
      let parent = (child - 1) / 2
      guard heap[child] < heap[parent] else { return }
      heap.swapAt(child, parent)
      child = parent
    }
  }

  mutating func pop() -> PendingEvent? {
    guard let last = heap.popLast() else { return nil }
    guard let first = heap.first else { return last }
    heap[0] = last
    var parent = 0
    while true {
      var child = 2 * parent + 1
      guard child < heap.count else { return first }
      if child + 1 < heap.count, heap[child + 1] < heap[child] { child += 1 }
      guard heap[child] < heap[parent] else { return first }
      heap.swapAt(child, parent)
      parent = child
    }
  }
}

/// An event that waits to happen or to arrive. It is composed only when it leaves, as its unit is much smaller.
struct PendingEvent: Comparable {
  let unit: SimulatedUnit
  /// 0 for the delivery, then the happenings from 1 on.
  let ordinal: Int
  /// Microseconds since 1970 that the queue goes by.
  var time: Int64
  /// The device's counter, once the event has happened.
  var sequence: Int64 = 0
  /// Whether this is the second of a doubled event.
  var isCopy = false

  var occurredAt: Int64 {
    unit.deliveredAt + (ordinal == 0 ? 0 : unit.happenings[ordinal - 1].delay)
  }

  static func < (lhs: Self, rhs: Self) -> Bool {
    (lhs.time, lhs.unit.index, lhs.ordinal, lhs.isCopy ? 1 : 0)
      < (rhs.time, rhs.unit.index, rhs.ordinal, rhs.isCopy ? 1 : 0)
  }

  static func == (lhs: Self, rhs: Self) -> Bool {
    (lhs.time, lhs.unit.index, lhs.ordinal, lhs.isCopy ? 1 : 0)
      == (rhs.time, rhs.unit.index, rhs.ordinal, rhs.isCopy ? 1 : 0)
  }
}
