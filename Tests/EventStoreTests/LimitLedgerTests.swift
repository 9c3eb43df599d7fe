import EngagementEvents
import ForeignEvents
import TestSupport
import Testing

@testable import EventStore

struct LimitLedgerTests {
  private func limit(_ category: String) -> DeclaredLimit {
    DeclaredLimit(
      app: AppID(rawValue: 1), day: 20_000, category: category, source: "segment", limit: .richness)
  }

  @Test func whatWasDeclaredIsNotDeclaredAgain() {
    let ledger = LimitLedger()
    #expect(ledger.due([]).isEmpty)
    #expect(ledger.due([limit("a"), limit("a")]) == [limit("a")])
    // Until it is there, it is owed, whoever asks.
    #expect(ledger.due([]) == [limit("a")])
    ledger.settle([limit("a")])
    #expect(ledger.due([limit("a")]).isEmpty)
    #expect(ledger.due([limit("a"), limit("b")]) == [limit("b")])
  }

  @Test func whatFailsIsOwedAndNotTriedWithEachBatch() {
    let ledger = LimitLedger()
    #expect(ledger.due([limit("a")]) == [limit("a")])
    ledger.postpone()
    #expect(ledger.due([limit("a")]).isEmpty)
    #expect(ledger.due([limit("b")]).isEmpty)
    #expect(Set(ledger.due([], isLast: true)) == [limit("a"), limit("b")])
    poll(upTo: .seconds(10), "it is tried again") { ledger.due([]).count == 2 }
  }

  @Test func whatIsForgottenIsDeclaredOnceMore() {
    let ledger = LimitLedger()
    ledger.settle([limit("first")])
    for part in 0..<11 { ledger.settle((0..<1_000).map { limit("\(part) \($0)") }) }
    #expect(ledger.due([limit("first")]) == [limit("first")])
    #expect(ledger.due([limit("10 999")]) == [limit("first")])
  }
}
