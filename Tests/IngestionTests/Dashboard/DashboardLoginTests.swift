import EventStore
import Foundation
import HTTPServer
import Postgres
import TestSupport
import Testing

@testable import Ingestion

/// Who sees the dashboard, and who does not.
@Suite(.store) struct DashboardLoginTests {
  @Test func aKeyThatMayReadOpensItsOwnApp() throws {
    let fixture = try DashboardFixture()
    let other = try fixture.service.store.app("other")
    try fixture.fill(other, ["theirs"])
    let key = try fixture.makeKey()
    let door = try fixture.get("?metric=open&zone=Asia/Tokyo")
    #expect(door.status == 401)
    #expect(door["WWW-Authenticate"] == "Bearer")
    #expect(!door.text.contains("news"))
    #expect(door.text.contains("name=\"return\" value=\"?metric=open&amp;zone=Asia%2FTokyo\""))

    let login = try fixture.send("/login", "key=\(key)&return=%3Fmetric%3Dopen%26zone%3DAsia%252FTokyo")
    #expect(login.status == 303)
    #expect(login["Location"] == "/dashboard?metric=open&zone=Asia%2FTokyo")
    let cookie = try #require(login["Set-Cookie"])
    #expect(
      cookie.wholeMatch(
        of: /pushlift_session=[0-9a-f]{64}; Path=\/dashboard; Max-Age=43200; HttpOnly; SameSite=Strict/)
        != nil)
    // Neither half of the key is in it.
    #expect(!key.split(separator: "_").dropFirst().contains { cookie.contains($0) })

    let session = ["Cookie": "theme=dark; " + (cookie.split(separator: ";").first.map(String.init) ?? "")]
    let page = try fixture.get("", session)
    #expect(page.status == 200)
    #expect(page.text.hasSuffix(try fixture.report(of: fixture.service.app)))
    #expect(!page.text.contains("theirs"))
    #expect(try fixture.get("?app=shop", session).status == 200)
    for name in ["other", "nobody"] {
      let theirs = try fixture.get("?app=\(name)", session)
      #expect(theirs.status == 403)
      #expect(!theirs.text.contains("theirs"))
    }
    let admin = try fixture.logIn(try fixture.makeKey(app: "other", scope: .admin))
    #expect(try fixture.get("", admin).text.contains("theirs"))
    // A program bears the key itself.
    let bearer = ["Authorization": "Bearer \(key)"]
    #expect(try fixture.get("", bearer).text.hasSuffix(try fixture.report(of: fixture.service.app)))
  }

  @Test func otherKeysAndTokensOpenNothing() throws {
    let fixture = try DashboardFixture()
    let write = try fixture.send("/login", "key=\(fixture.service.key)")
    #expect(write.status == 403)
    #expect(write.text.contains("This key is for write"))
    #expect(write["Set-Cookie"] == nil)
    let read = try fixture.makeKey()
    let wrong = read.dropLast() + (read.hasSuffix("0") ? "1" : "0")
    for key in ["", "x", "%00", String(wrong), "pushlift__", "%27%20or%201=1--"] {
      let answer = try fixture.send("/login", "key=\(key)")
      #expect(answer.status == 401, "\(key)")
      #expect(answer["Set-Cookie"] == nil)
      #expect(!answer.text.contains(wrong))
    }
    for token in ["", read, String(repeating: "0", count: 64), String(repeating: "x", count: 64)] {
      #expect(try fixture.get("", ["Cookie": "pushlift_session=\(token)"]).status == 401)
    }
    #expect(try fixture.get("", ["Authorization": "Bearer \(fixture.service.key)"]).status == 403)
    #expect(try fixture.get("", ["Authorization": "Bearer \(wrong)"]).status == 401)
    #expect(try fixture.service.client.get("/dashboard/login").status == 405)
    // What one is led to afterwards is a page of this server, whatever the form says.
    for place in ["//evil.example", "https%3A%2F%2Fevil.example", "%3Fapp%3Da%0D%0ASet-Cookie:x", "%3Fx%3Dy"]
    {
      let answer = try fixture.send("/login", "key=\(read)&return=\(place)")
      #expect(answer["Location"] ?? "/dashboard" == "/dashboard", "\(place)")
    }
    #expect(try fixture.send("/login", "key=" + String(repeating: "x", count: 9_000)).status == 413)
  }

  @Test(arguments: [
    ["Origin": "https://evil.example"], ["Origin": "null"], [:], ["Sec-Fetch-Site": "cross-site"],
    ["Sec-Fetch-Site": "same-site", "Origin": "http://localhost"],
    ["Origin": "http://localhost.evil.example"],
  ])
  func formsOfOtherSitesAreRefused(_ headers: [String: String]) throws {
    let fixture = try DashboardFixture()
    let key = try fixture.makeKey()
    let session = try fixture.logIn(key)
    let login = try fixture.send("/login", "key=\(key)", headers)
    #expect(login.status == 403)
    #expect(login["Set-Cookie"] == nil)
    #expect(try fixture.send("/logout", "", headers.merging(session) { $1 }).status == 403)
    #expect(try fixture.get("", session).status == 200)
  }

  @Test func whoComesByALinkOfAnotherSiteIsLedIn() throws {
    let fixture = try DashboardFixture()
    let again = try fixture.get("?zone=Asia/Tokyo", ["Sec-Fetch-Site": "cross-site"])
    #expect(again.status == 200)
    #expect(
      again.text.contains("<meta http-equiv=\"refresh\" content=\"0; url=/dashboard?zone=Asia%2FTokyo\">"))
    #expect(!again.text.contains("news"))
  }

  @Test func aSessionEndsWithItsKeyAndByLoggingOut() throws {
    let fixture = try DashboardFixture()
    let key = try fixture.makeKey()
    let session = try fixture.logIn(key)
    let other = try fixture.logIn(key)
    let logout = try fixture.send("/logout", "", session.merging(["Sec-Fetch-Site": "same-origin"]) { $1 })
    #expect(logout.status == 303)
    #expect(logout["Set-Cookie"]?.hasPrefix("pushlift_session=; Path=/dashboard; Max-Age=0;") == true)
    #expect(try fixture.get("", session).status == 401)
    #expect(try fixture.get("", other).status == 200)
    let start = ContinuousClock.now
    _ = try ApiKeyRecord.revoke(key, on: fixture.service.store.connect(.administering))
    try poll(upTo: .seconds(10), "the session has ended") { try fixture.get("", other).status == 401 }
    #expect(ContinuousClock.now - start < .seconds(1))
    #expect(try fixture.get("", other).text.contains("You are logged in no longer"))
  }

  /// What a key sees the database itself keeps to the key's app.
  @Test func aKeysReportIsReadInTheRoleOfOneApp() throws {
    let fixture = try DashboardFixture()
    let session = ["Authorization": "Bearer \(try fixture.makeKey())"]
    #expect(try fixture.get("", session).status == 200)
    try fixture.service.store.connectAsSuperuser().execute("revoke select on daily_rate from pushlift_reader")
    let answer = try fixture.get("", session)
    #expect(answer.status == 500)
    // The store can be reached; what is the matter is for the log.
    #expect(answer.text.contains("This report failed.") && !answer.text.contains("cannot be reached"))
  }

  @Test func theCookieStaysOnHTTPS() throws {
    let fixture = try DashboardFixture()
    let key = try fixture.makeKey()
    let answer = try fixture.send(
      "/login", "key=\(key)", ["Sec-Fetch-Site": "same-origin", "X-Forwarded-Proto": "https"])
    #expect(answer["Set-Cookie"]?.hasSuffix("; Secure") == true)
  }

  /// A site elsewhere can let its own name lead to this machine, and a proxy lets the world in.
  @Test(arguments: [
    ["Host": "evil.example"], ["Host": "127.0.0.1.evil.example:80"], ["X-Forwarded-For": "192.0.2.1"],
    ["X-Real-IP": "192.0.2.1"], ["Host": "[::2]:80"],
  ])
  func openIsOnlyWhatIsAskedForOnThisMachine(_ headers: [String: String]) throws {
    let fixture = try DashboardFixture(ServiceOptions(opensDashboard: true))
    #expect(try fixture.get("", headers).status == 401)
    for host in ["localhost:8080", "127.0.0.1", "[::1]:8080"] {
      #expect(try fixture.get("", ["Host": host]).status == 200)
    }
  }

  @Test func sessionsAreFewAndEnd() throws {
    let fixture = try DashboardFixture()
    let connection = try fixture.service.store.connect(.ingesting)
    let key = try #require(try ApiKey.allValid(on: connection).first)
    let sessions = DashboardSessions()
    let tokens = (0..<40).map { _ in sessions.begin(for: key) }
    #expect(Set(tokens).count == 40)
    #expect(tokens.map { sessions.keyID(of: $0) != nil } == (0..<40).map { $0 >= 8 })
    let short = DashboardSessions(lifetime: .zero)
    #expect(short.keyID(of: short.begin(for: key)) == nil)
  }

  @Test func requestsAreCountedByTheirRoute() throws {
    let fixture = try DashboardFixture()
    _ = try fixture.get("?zone=x")
    let metrics = try fixture.service.client.get("/metrics").text
    #expect(metrics.contains("pushlift_http_requests_total{route=\"/dashboard\",status=\"401\"} 1"))
  }
}
