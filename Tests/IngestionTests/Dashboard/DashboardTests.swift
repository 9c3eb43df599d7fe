import EventStore
import Foundation
import HTTPServer
import Postgres
import Projections
import Reports
import TestSupport
import Testing

@testable import Ingestion

/// What the dashboard shows, and what it makes of what it is asked.
@Suite(.store) struct DashboardTests {
  /// Open to whoever is on this machine.
  private func open(_ categories: [String] = ["news", "social"]) throws -> DashboardFixture {
    try DashboardFixture(ServiceOptions(opensDashboard: true), categories: categories)
  }

  /// Days that are still open are looked at one notification after another.
  @Test func ofManyNotificationsTheLastThirtyClosedDaysAreShown() throws {
    let fixture = try open()
    let app = fixture.service.app
    let connection = try fixture.service.store.connect(.asking)
    let query = RateQuery(app: app)
    let last = try #require(try ClosedDays.last(query, on: connection))
    #expect(try ClosedDays.lastThirty(query, ofMoreThan: 1_000_000, on: connection) == nil)
    try fixture.service.store.connectAsSuperuser().execute(
      "update daily_rate set delivered = delivered + 600000 where bucket in (select bucket from daily_rate limit 2)"
    )
    let first = PostgresDate(daysSince1970: last.daysSince1970 - 29)
    let page = try fixture.get().text
    #expect(page.contains("\(first.text) to \(last.text)"))
    // The form has them, and other days can be chosen.
    #expect(page.contains("value=\"\(first.text)\"") && page.contains("value=\"\(last.text)\""))
    #expect(!(try fixture.get("?from=2026-10-28").text.contains(first.text)))
  }

  @Test func itIsTheReportsPageLive() throws {
    let fixture = try open()
    let app = fixture.service.app
    let whole = try fixture.get()
    #expect(whole.status == 200)
    #expect(whole.text.hasSuffix(try fixture.report(of: app)))
    let chosen = try fixture.get(
      "?from=2026-10-28&to=2026-10-30&metric=action&button=like&window=2h&zone=Asia%2FKathmandu&rich-means=shown"
    )
    #expect(chosen.status == 200)
    let report = try fixture.report(of: app) { query in
      query.firstDay = PostgresDate(daysSince1970: 20_754)
      query.lastDay = PostgresDate(daysSince1970: 20_756)
      query.metric = .customAction("like")
      query.windowSeconds = 7_200
      query.zone = "Asia/Kathmandu"
      query.armRule = .shown
    }
    #expect(report.contains("2026-10-28 to 2026-10-30"))
    #expect(chosen.text.hasSuffix(report))
    // The form shows what was chosen, however it was written.
    #expect(chosen.text.contains("name=\"button\" value=\"like\""))
    #expect(try fixture.get("?metric=action:like").text.contains("name=\"button\" value=\"like\""))
    #expect(chosen.text.contains("<option value=\"shown\" selected>"))
    // Fields that a form sends empty are as good as left out.
    let empty = try fixture.get(
      "?app=shop&from=&to=&metric=interaction&button=&window=&zone=&rich-means=intended")
    #expect(empty.text.hasSuffix(try fixture.report(of: app)))
    // New events are there as soon as they are aggregated.
    try fixture.fill(app, ["late"])
    let later = try fixture.get().text
    #expect(later.hasSuffix(try fixture.report(of: app)))
    #expect(later.contains(">late<"))
  }

  @Test func thePageMayDoNothing() throws {
    let fixture = try open()
    for answer in [
      try fixture.get(), try fixture.get("?window=x"), try fixture.get("", ["Host": "push.example.com"]),
    ] {
      let policy = try #require(answer["Content-Security-Policy"])
      let style = try #require(answer.text.firstMatch(of: /<style>((?:.|\n)*?)<\/style>/)?.1)
      let hash = Data(Digest.sha256(Array(style.utf8))).base64EncodedString()
      #expect(
        policy
          == "default-src 'none'; style-src 'sha256-\(hash)'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
      )
      #expect(answer["Cache-Control"] == "no-store")
      #expect(answer["X-Content-Type-Options"] == "nosniff")
      #expect(answer["X-Frame-Options"] == "DENY")
      #expect(answer["Content-Type"] == "text/html; charset=utf-8")
      #expect(!answer.text.contains("<script") && !answer.text.contains(" style="))
    }
  }

  @Test(arguments: [
    ("?from=2026-02-30", "“from”"), ("?to=yesterday", "“to”"),
    ("?from=2026-11-02&to=2026-11-01", "before the first"),
    ("?metric=clicks", "“metric”"), ("?metric=action:", "“metric”"), ("?metric=open&button=like", "“button”"),
    ("?window=0s", "“window”"), ("?window=31d", "“window”"), ("?window=1e3h", "“window”"),
    ("?zone=Europe/Berln", "There is no time zone"),
    ("?zone=UTC%27%3Bdrop%20table%20event%3B--", "There is no time zone"),
    ("?rich-means=pretty", "“rich-means”"), ("?details=yes", "“details”"),
    ("?colour=red", "no parameter “colour”"),
    ("?app=other", "There is no app “other”"), ("?from=2026-11-01&from=2026-11-02", "there twice"),
    ("?%3Cscript%3Ealert(1)%3C/script%3E=1", "no parameter “&lt;script&gt;"),
    ("?metric=%22%3E%3Cscript%3Ealert(1)%3C/script%3E", "“&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;”"),
    ("?window=%E2%80%AE%3Cimg%20src=x%3E", "&lt;U+202E&gt;&lt;img"),
    ("?app=%27%20or%20%271%27=%271", "There is no app “&#39; or"),
  ])
  func whatCannotBeIsToldOnThePage(_ query: String, _ words: String) throws {
    let fixture = try open()
    let before = try fixture.service.eventCount()
    let answer = try fixture.get(query)
    #expect(answer.status == 400)
    let note = try #require(answer.text.firstMatch(of: /<p class="note error" role="alert">(.*)<\/p>/)?.1)
    #expect(note.contains(words), "\(note)")
    // Nothing that was sent has become markup.
    #expect(!answer.text.contains("<script") && !answer.text.contains("<img"))
    #expect(try fixture.service.eventCount() == before)
  }

  @Test func longAndMalformedAddressesAreRefused() throws {
    let fixture = try open()
    let long = try fixture.get("?zone=" + String(repeating: "x", count: 300))
    #expect(long.status == 400)
    #expect(long.text.contains("more than 256 bytes"))
    #expect(try fixture.get("?zone=%00").status == 400)
    #expect(try fixture.get("?zone=%FF").status == 400)
  }

  /// Whatever apps call their categories and buttons stays text; that of a browser is looked at elsewhere.
  @Test func namesStayText() throws {
    let names = [
      "<script>alert(1)</script>", "\"><img src=x onerror=alert(1)>", "{{answer}}", "a\u{202E}b", "",
    ]
    let fixture = try open(names)
    let page = try fixture.get().text
    #expect(page.hasSuffix(try fixture.report(of: fixture.service.app)))
    #expect(!page.contains("<script") && !page.contains("<img") && !page.contains("\u{202E}"))
    #expect(page.contains("&lt;script&gt;alert(1)&lt;/script&gt;"))
  }

  @Test func severalAppsAreChosenFrom() throws {
    let fixture = try open()
    let other = try fixture.service.store.app("a<b")
    try fixture.fill(other, ["theirs"])
    let none = try fixture.get()
    #expect(none.status == 200)
    #expect(none.text.contains("Choose an app."))
    #expect(none.text.contains("<option value=\"a&lt;b\">a&lt;b</option>"))
    #expect(try fixture.get("?app=a%3Cb").text.hasSuffix(try fixture.report(of: other)))
    #expect(!(try fixture.get("?app=shop").text.contains("theirs")))
  }

  /// With many notifications only what adds up is read, until the reader asks for more.
  @Test func whatTakesLongIsReadOnRequest() throws {
    let fixture = try open()
    let reading = try RateReader.readEngagement(
      RateQuery(app: fixture.service.app), on: fixture.service.store.connect(.asking)
    ) { _, _ in .summed }
    var choice = DashboardPage.Choice()
    choice.values[.metric] = "interaction"
    let page = DashboardPage(.key(app: "shop"), choice)
    let summed = String(decoding: page.html(try EngagementReport(reading)), as: UTF8.self)
    #expect(summed.contains("href=\"/dashboard?metric=interaction&amp;details=1\""))
    #expect(summed.contains("Not read here"))
    #expect(try fixture.get("?details=1").text.hasSuffix(try fixture.report(of: fixture.service.app)))
  }

  @Test func readersDoNotHoldUpThosePosting() throws {
    let fixture = try DashboardFixture(ServiceOptions(opensDashboard: true, reportsAtOnce: 1))
    let blocker = try fixture.service.store.connectAsSuperuser()
    try blocker.script("begin; lock table unit_outcome in access exclusive mode")
    let first = BackgroundWork { try fixture.get() }
    try fixture.service.store.waitForBlocked("BEGIN%")
    let second = try fixture.get()
    #expect(second.status == 503)
    #expect(second["Retry-After"] == "1")
    #expect(second.text.contains("Others are looking"))
    #expect(try fixture.service.post([Event(1).json]).status == 200)
    try blocker.script("rollback")
    #expect(try first.value().status == 200)
    #expect(try fixture.get().status == 200)
  }

  /// A report that Postgres ended is a word on the page, and the next one is served.
  @Test func aReportThatTakesTooLongIsEnded() throws {
    let fixture = try open()
    let blocker = try fixture.service.store.connectAsSuperuser()
    try blocker.script("begin; lock table unit_outcome in access exclusive mode")
    let cancelled = BackgroundWork { try fixture.get() }
    try fixture.service.store.waitForBlocked("BEGIN%")
    // As the server does it by itself after ten seconds.
    _ = try fixture.service.store.connectAsSuperuser().query(
      """
      select pg_cancel_backend(pid) from pg_stat_activity
      where datname = current_database() and application_name = 'pushlift dashboard' and wait_event_type = 'Lock'
      """)
    let answer = try cancelled.value()
    #expect(answer.status == 503)
    #expect(answer["Retry-After"] == "60")
    #expect(answer.text.contains("takes longer"))
    // It waits no longer than two seconds for tables that are being swapped.
    let waiting = try fixture.get()
    #expect(waiting.status == 503)
    #expect(waiting.text.contains("are being rebuilt"))
    try blocker.script("rollback")
    #expect(try fixture.get().status == 200)
  }
}
