import Arguments
import Testing

@Suite struct ValueParserTests {
  private func window(_ text: String) -> Duration? {
    SampleTree.rates("--window=\(text)").parsed?[SampleTree.window]
  }

  @Test func durationsAreANumberAndAUnit() {
    #expect(window("90s") == .seconds(90))
    #expect(window("5m") == .seconds(300))
    #expect(window("24h") == .seconds(86400))
    #expect(window("30d") == .seconds(30 * 86400))
    #expect(window("10000d") == .seconds(864_000_000))
    for bad in ["", "h", "5", "-5m", "+5m", "5 m", "1.5h", "5w", "10001d", "99999999999999999999s", "٣h"] {
      #expect(window(bad) == nil)
    }
  }

  @Test func datesAreThoseOfTheCalendar() {
    #expect(CalendarDate("2024-02-29")?.description == "2024-02-29")
    #expect(CalendarDate("2000-02-29") != nil)
    #expect(CalendarDate("0001-01-01")?.description == "0001-01-01")
    for bad in [
      "2100-02-29", "2026-13-01", "2026-00-01", "2026-04-31", "2026-1-1", "26-01-01", "2026/01/01",
      "0000-01-01",
    ] {
      #expect(CalendarDate(bad) == nil)
    }
    #expect(CalendarDate("2026-11-30")! < CalendarDate("2026-12-01")!)
  }

  @Test func urlsNeedAKnownSchemeAndARest() {
    func database(_ text: String) -> String? {
      SampleTree.invocation(["rates", "--database", text]).parsed?[SampleTree.database]
    }
    #expect(database("postgres://u@h:5432/d?sslmode=require") == "postgres://u@h:5432/d?sslmode=require")
    #expect(database("POSTGRESQL://h") == "POSTGRESQL://h")
    for bad in ["postgres://", "http://h", "host", "postgres://a b", "postgres://h\n"] {
      #expect(database(bad) == nil)
    }
  }
}
