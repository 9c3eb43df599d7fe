import Foundation
import Postgres
import Synchronization
import TestSupport
import Testing

@Suite(.database)
struct ConnectionPoolTests {
  private func process(_ connection: borrowing Connection) -> Int { connection.backendProcessID }

  @Test func aConnectionIsLentAgain() throws {
    let pool = ConnectionPool(try TestDatabase.current, size: 2)
    let first = try pool.withConnection { process($0) }
    let second = try pool.withConnection { process($0) }
    #expect(first == second)
  }

  @Test func noMoreThanItsSizeIsLentAndTheWaitIsBounded() throws {
    let pool = ConnectionPool(try TestDatabase.current, size: 1, waitingUpTo: .milliseconds(50))
    let error = #expect(throws: PostgresError.self) {
      try pool.withConnection { _ in try pool.withConnection { _ in } }
    }
    #expect(error?.kind == .poolExhausted)
    #expect(error?.isRetryable == true)
    let isAlive = try pool.withConnection { $0.isAlive }
    #expect(isAlive)
  }

  @Test func whoWaitsGetsTheConnectionThatComesBack() throws {
    let pool = ConnectionPool(try TestDatabase.current, size: 2)
    let out = Mutex((now: 0, most: 0, done: 0))
    DispatchQueue.concurrentPerform(iterations: 12) { _ in
      try? pool.withConnection { connection in
        out.withLock { state in
          state.now += 1
          state.most = max(state.most, state.now)
        }
        try connection.execute("select pg_sleep(0.005)")
        out.withLock { state in
          state.now -= 1
          state.done += 1
        }
      }
    }
    #expect(out.withLock { $0.done } == 12)
    #expect(out.withLock { $0.most } <= 2)
  }

  @Test func brokenAndUncleanConnectionsAreNotLentAgain() throws {
    let pool = ConnectionPool(try TestDatabase.current, size: 1)
    let other = try Connection(TestDatabase.current)
    let first = try pool.withConnection { process($0) }
    try other.execute("select pg_terminate_backend(\(Int32(first)))")
    poll(upTo: .seconds(10), "another session is lent") {
      (try? pool.withConnection { process($0) }) != first
    }
    let second = try pool.withConnection { connection in
      #expect(try connection.value(of: "select 1", as: Int.self) == 1)
      try connection.execute("begin")
      return process(connection)
    }
    #expect(second != first)
    let third = try pool.withConnection { connection in
      let transactionStatus = connection.transactionStatus
      #expect(transactionStatus == .idle)
      return process(connection)
    }
    #expect(third != second)
  }

  @Test func anErrorGivesTheConnectionBack() throws {
    let pool = ConnectionPool(try TestDatabase.current, size: 1, waitingUpTo: .seconds(5))
    for _ in 0..<3 {
      let error = #expect(throws: PostgresError.self) {
        try pool.withConnection { try $0.execute("select 1 / 0") }
      }
      #expect(error?.sqlState == "22012")
    }
  }

  @Test func aClosedPoolRefusesAndWakesWhoWaits() throws {
    let pool = ConnectionPool(try TestDatabase.current, size: 1, waitingUpTo: .seconds(60))
    let kinds = Mutex<[PostgresError.Kind]>([])
    try pool.withConnection { _ in
      for _ in 0..<2 {
        Thread.detachNewThread {
          do {
            try pool.withConnection { _ in }
          } catch {
            if let error = error as? PostgresError { kinds.withLock { $0.append(error.kind) } }
          }
        }
      }
      pool.close()
      poll(upTo: .seconds(10), "both waiters are refused") { kinds.withLock { $0.count } == 2 }
    }
    #expect(kinds.withLock { $0 } == [.usage, .usage])
    #expect(throws: PostgresError.self) { try pool.withConnection { _ in } }
  }
}
