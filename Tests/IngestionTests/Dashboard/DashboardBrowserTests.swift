import EventStore
import Foundation
import HTTPServer
import Projections
import Reports
import TestSupport
import Testing

@testable import Ingestion

/// The dashboard in a real browser.
@Suite(.store) struct DashboardBrowserTests {
  private static let names =
    [
      "chat", "Neue Freundschaftsanfragen und Empfehlungen aus deiner Umgebung",
      "שלום עולם, יש לך הודעה חדשה",
      "WWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWW", "日本語のとても長いカテゴリ名がここにあります", "",
      "إشعارات المتجر الأسبوعية", "👩‍👩‍👧 family", "a\u{202E}b", "<script>alert(1)</script>",
      "\"><img src=http://127.0.0.1:9/x.png>",
    ] + (0..<20).map { "category_\($0)" }

  private func url(_ fixture: DashboardFixture, _ query: String = "") -> String {
    "http://127.0.0.1:\(fixture.service.client.port)/dashboard\(query)"
  }

  /// Neither a request elsewhere nor a script: the policy would refuse it and the browser say so.
  @Test(arguments: [(390, true), (1_280, false)])
  func theBrowserHasNothingToComplainOf(width: Int, isDark: Bool) throws {
    let fixture = try DashboardFixture(ServiceOptions(opensDashboard: true), categories: Self.names)
    let folder = try PageFolder()
    let visit = try Chromium.visit(url: url(fixture), in: folder.path, width: width, isDark: isDark)
    #expect(visit.console.isEmpty, "\(visit.console)")
    // The browser sees every figure that the report has.
    let report = try fixture.report(of: fixture.service.app)
    let cells = report.matches(of: /<td[^>]*>([^<]*)<\/td>/).map { $0.1.replacing("&nbsp;", with: "\u{A0}") }
    let seen = visit.document.matches(of: /<td[^>]*>([^<]*)<\/td>/).map {
      $0.1.replacing("&nbsp;", with: "\u{A0}")
    }
    #expect(cells.count > 500)
    #expect(seen == cells)
    let error = try Chromium.visit(
      url: url(fixture, "?window=%22%3E%3Cscript%3Ealert(1)%3C/script%3E"), in: folder.path, width: width)
    #expect(error.document.contains("role=\"alert\""))
    // The status alone is told.
    #expect(error.console.allSatisfy { $0.contains("400") }, "\(error.console)")
  }

  /// The form stays on the screen: on paper it is the report, on as many sheets.
  @Test(arguments: [false, true]) func itPrintsAsTheReportDoes(isDark: Bool) throws {
    let fixture = try DashboardFixture(ServiceOptions(opensDashboard: true), categories: Self.names)
    let folder = try PageFolder()
    let query = RateQuery(app: fixture.service.app)
    let reading = try RateReader.readEngagement(query, on: fixture.service.store.connect(.asking))
    let path = try folder.write(try EngagementReport(reading).html, "report.html")
    let report = try Chromium.print(url: "file://\(path)", in: folder.path, isDark: isDark)
    let dashboard = try Chromium.print(url: url(fixture), in: folder.path, isDark: isDark)
    #expect(report.console.isEmpty && dashboard.console.isEmpty)
    #expect((3...40).contains(report.sheets), "\(report.sheets)")
    #expect(dashboard.sheets == report.sheets)
  }

  @Test func nothingRunsIntoAnother() throws {
    let fixture = try DashboardFixture(ServiceOptions(opensDashboard: true), categories: Self.names)
    let folder = try PageFolder()
    let single = try DashboardFixture(ServiceOptions(opensDashboard: true), categories: ["news"])
    let pages = [
      "crowded.html": try fixture.get("?app=shop").body, "error.html": try fixture.get("?window=x").body,
      "single.html": try single.get("?app=shop&from=2026-10-30&to=2026-10-30").body,
      "none.html": try fixture.get("?from=2020-01-01&to=2020-01-02").body,
      "login.html": try fixture.get("", ["Host": "push.example.com"]).body,
    ]
    for inspection in try PageInspection.run(pages, in: folder) {
      #expect(inspection.found.isEmpty, "\(inspection)")
    }
  }

  /// As a person does it, without a script: the form goes to the server, the cookie comes back with the next page.
  @Test func theBrowserLogsInAndShares() throws {
    let fixture = try DashboardFixture()
    let key = try fixture.makeKey()
    let page = """
      import sys, json, subprocess, urllib.request, http.cookiejar, urllib.parse, re
      base, key = json.load(sys.stdin)
      jar = http.cookiejar.CookieJar()
      web = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(jar))
      try: web.open(base + '?metric=open')
      except urllib.error.HTTPError as error: door = error.read().decode()
      fields = dict(re.findall(r'name="(\\w+)" value="([^"]*)"', door))
      fields['key'] = key
      request = urllib.request.Request(base + '/login', urllib.parse.urlencode(fields).encode(),
        {'Origin': base.rsplit('/', 1)[0]})
      answer = web.open(request)
      print(json.dumps([answer.url, answer.read().decode(), [c.name for c in jar]]))
      """
    let input = try JSONEncoder().encode([url(fixture), key])
    let output = try #require(
      try JSONSerialization.jsonObject(with: runPython(page, input: Array(input))) as? [Any])
    #expect(output[0] as? String == url(fixture, "?metric=open"))
    #expect(
      (output[1] as? String)?.hasSuffix(try fixture.report(of: fixture.service.app) { $0.metric = .open })
        == true)
    #expect(output[2] as? [String] == ["pushlift_session"])
  }
}
