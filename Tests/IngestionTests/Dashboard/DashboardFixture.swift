import EngagementEvents
import EventStore
import Foundation
import HTTPServer
import Postgres
import Projections
import Reports
import TestSupport
import Testing

@testable import Ingestion

/// A service whose store has something to report, and a browser's part in asking for it.
struct DashboardFixture: Sendable {
  let service: TestService
  static let dashboardPath = "/dashboard"

  /// - Parameter categories: of the app `shop`; each has a few deliveries of both arms and openings.
  init(_ options: ServiceOptions = ServiceOptions(), categories: [String] = ["news", "social"]) throws {
    service = try TestService(options: options)
    try fill(service.app, categories)
  }

  func fill(_ app: App, _ categories: [String]) throws {
    var samples: [EventSample] = []
    for (place, category) in categories.enumerated() {
      for number in 0..<24 {
        let unit = ("\(category)-n\(number)", "d\(number % 9)")
        let seconds = -86_400 * Double(2 + number % 5)
        samples.append(
          try .delivered(
            of: unit, in: category, at: seconds, showing: number % 2 == 0 ? [.image] : [],
            offering: ["like", "<b>odd"]))
        if number % 3 == place % 3 { samples.append(try .opened(of: unit, in: category, at: seconds + 60)) }
        if number % 4 == 0 { samples.append(try .action("like", of: unit, in: category, at: seconds + 90)) }
      }
    }
    try service.store.append(samples, to: app.id)
    try service.store.append([try .opened(of: ("late", "d"), in: categories.first ?? "", at: 0)], to: app.id)
    _ = try EngagementProjection().run(on: service.store.connect(.aggregating))
  }

  /// What the same query gives as a page by itself, from its first heading to its end.
  func report(of app: App, _ change: (inout RateQuery) -> Void = { _ in }) throws -> String {
    var query = RateQuery(app: app)
    change(&query)
    let reading = try RateReader.readEngagement(query, on: service.store.connect(.asking))
    let page = String(decoding: try EngagementReport(reading).html, as: UTF8.self)
    let start = page.range(of: "<header>")?.lowerBound ?? page.startIndex
    return String(page[start...])
  }

  func get(_ query: String = "", _ headers: [String: String] = [:]) throws -> HTTPAnswer {
    try service.client.get(Self.dashboardPath + query, headers)
  }

  /// Sends a form as a browser does that shows a page of the server itself.
  func send(
    _ path: String, _ form: String, _ headers: [String: String] = ["Origin": "http://localhost"]
  ) throws -> HTTPAnswer {
    try service.client.post(
      Self.dashboardPath + path,
      ["Content-Type": "application/x-www-form-urlencoded"].merging(headers) { $1 },
      body: Array(form.utf8))
  }

  /// A key that the running service knows.
  func makeKey(app: String = "shop", scope: KeyScope = .read) throws -> String {
    let key = try service.makeKey(app: app, scope: scope)
    try poll(upTo: .seconds(10), "the service has read the key") {
      try get("?window=x", ["Authorization": "Bearer \(key)"]).status != 401
    }
    return key
  }

  /// Logs in, and gives the header that the browser bears from then on.
  func logIn(_ key: String) throws -> [String: String] {
    let answer = try send("/login", "key=\(key)&return=")
    let cookie = answer["Set-Cookie"]?.split(separator: ";").first.map(String.init)
    return ["Cookie": cookie ?? ""]
  }
}
