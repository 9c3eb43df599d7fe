internal import EngagementEvents
internal import EventStore
internal import HTTPServer
internal import Postgres
internal import Projections
internal import Reports

/// `GET /dashboard`: the report as a live page, for whoever has a key that may read, or is on this machine where that is
/// enough. Not in `/openapi.json`: it is for people, and no program should read it.
struct DashboardEndpoint: Sendable {
  static let path = DashboardPage.path
  static let loginPath = "\(path)/login"
  static let logoutPath = "\(path)/logout"
  static let paths: Set = [path, loginPath, logoutPath]

  let keys: KeyRing
  let sessions: DashboardSessions
  let desk: ReportDesk
  let log: ServiceLog
  /// Whether whoever is on this machine may look, at any app.
  let isOpen: Bool
  let servesTLS: Bool

  /// Up to so many notifications, each of them is looked at unasked.
  static let unitsLookedAt = 20_000
  /// Above so many notifications the last thirty closed days are shown where none are chosen, so that the page takes no
  /// longer as the history grows.
  private static let unitsOfAllDays = 1_000_000

  /// Scopes that may read reports.
  private static let scopes: Set<KeyScope> = [.read, .admin]

  /// Who looks.
  private enum Viewer: Sendable {
    case anyone
    case key(ApiKey)

    /// The one app that may be seen; nil for all.
    var app: AppID? {
      switch self {
      case .anyone: nil
      case .key(let key): key.app
      }
    }
  }

  var routes: [Route] {
    let form = BodyPolicy.accept(
      limit: 8_192, contentTypes: ["application/x-www-form-urlencoded"], inflates: false)
    return [
      Route(.get, Self.path, admit: admit, handle: show),
      Route(.post, Self.loginPath, body: form, admit: admitForm) { request, responder in
        responder.respond(logIn(request))
      },
      Route(.post, Self.logoutPath, body: form, admit: admitForm) { request, responder in
        if let token = DashboardCookie.token(request.head) { sessions.end(token) }
        let isSecure = request.head.isSecure(servesTLS: servesTLS)
        responder.respond(
          .seeOther(Self.path, ["Set-Cookie": DashboardCookie.clear(isSecure: isSecure)]))
      },
    ]
  }

  // MARK: who may look

  private func admit(_ head: HTTPRequestHead) -> Admission {
    if isOpen, head.isLocal, head.isAddressedLocally { return .accept(context: Viewer.anyone) }
    let choice = DashboardPage.Choice(lenient: head.query)
    var words: String?
    if let token = DashboardCookie.token(head) {
      if let key = sessions.keyID(of: token).flatMap(keys.key) { return .accept(context: Viewer.key(key)) }
      words = "You are logged in no longer: the session or its key has ended."
    } else if head.isFromOtherSite {
      return .refuse(.page(.ok, DashboardPage.again(choice)))
    } else if head.headers["Authorization"] != nil {
      // For programs that watch the page.
      switch keys.find(bearer: head) {
      case .success(let key) where Self.scopes.contains(key.scope): return .accept(context: Viewer.key(key))
      case .success(let key): return .refuse(forbidden(key, choice))
      case .failure(let fault): words = fault.message
      }
    }
    return .refuse(unauthorized(words, choice))
  }

  private func unauthorized(_ words: String?, _ choice: DashboardPage.Choice) -> HTTPResponse {
    // The standard asks for the header; of this one browsers make nothing, and show the form.
    .page(.unauthorized, DashboardPage.login(saying: words, for: choice), ["WWW-Authenticate": "Bearer"])
  }

  private func forbidden(_ key: ApiKey, _ choice: DashboardPage.Choice) -> HTTPResponse {
    let words = "This key is for \(key.scope.rawValue); the dashboard takes one for read or admin."
    return .page(.forbidden, DashboardPage.login(saying: words, for: choice))
  }

  private func admitForm(_ head: HTTPRequestHead) -> Admission {
    guard head.isFromOwnPage else {
      let words = "This form was sent by a page of another site, or a program; log in here."
      return .refuse(.page(.forbidden, DashboardPage.login(saying: words, for: DashboardPage.Choice())))
    }
    return .accept()
  }

  private func logIn(_ request: HTTPRequest) -> HTTPResponse {
    guard let form = try? Query(form: request.body) else {
      return unauthorized("The form came in broken; send it again.", DashboardPage.Choice())
    }
    let wanted = form["return"].flatMap {
      $0.hasPrefix("?") ? try? Query(form: Array($0.dropFirst().utf8)) : nil
    }
    let choice = wanted.map { DashboardPage.Choice(lenient: $0) } ?? DashboardPage.Choice()
    let presented = (form["key"] ?? "").filter { !$0.isWhitespace }
    guard let key = keys.find(presented) else {
      return unauthorized("This key is unknown or revoked; make one with pushlift key create.", choice)
    }
    guard Self.scopes.contains(key.scope) else { return forbidden(key, choice) }
    let cookie = DashboardCookie.set(
      sessions.begin(for: key), for: sessions.lifetime,
      isSecure: request.head.isSecure(servesTLS: servesTLS))
    return .seeOther(choice.link, ["Set-Cookie": cookie])
  }

  // MARK: the page

  private func show(_ request: HTTPRequest, _ responder: Responder) {
    guard let viewer = request.context as? Viewer else {
      preconditionFailure("the route admits only requests with a viewer")
    }
    let query = request.query
    let isTaken = desk.submit(of: viewer.app) { connection in
      responder.respond(try answer(query, viewer, on: connection))
    } failed: { error in
      responder.respond(failure(error))
    }
    if !isTaken {
      responder.respond(
        unavailable("Others are looking just now; try again in a moment.", retryAfter: "1"))
    }
  }

  private func answer(
    _ query: Query, _ viewer: Viewer, on connection: borrowing Connection
  ) throws -> HTTPResponse {
    let apps = try App.all(on: connection)
    let own: App?
    let shown: DashboardPage.Viewer
    switch viewer {
    case .anyone:
      own = nil
      shown = .anyone(apps: apps.map(\.name))
    case .key(let key):
      own = apps.first { $0.id == key.app }
      shown = .key(app: own?.name ?? "")
    }
    let lenient = DashboardPage(shown, DashboardPage.Choice(lenient: query))
    do {
      var choice = try DashboardPage.Choice(query)
      guard let app = try Self.app(choice[.app], own, of: apps) else {
        let words = apps.isEmpty ? "The store has no app yet." : "Choose an app."
        return .page(.ok, lenient.html(saying: words, isError: false))
      }
      var rateQuery = try choice.rateQuery(of: app)
      if rateQuery.firstDay == nil, rateQuery.lastDay == nil,
        let days = try ClosedDays.lastThirty(rateQuery, ofMoreThan: Self.unitsOfAllDays, on: connection)
      {
        choice.choose(days)
        rateQuery = try choice.rateQuery(of: app)
      }
      let reading = try RateReader.readEngagement(rateQuery, omitting: RateReport.omitted, on: connection) {
        units, isKept in
        if choice[.details] != nil || units <= Self.unitsLookedAt { return .all }
        return isKept ? .summed : .summed.subtracting(.actions)
      }
      let frames = try RateFrame.kept(by: app.id, on: connection)
      return .page(
        .ok, DashboardPage(shown, choice, frames: frames).html(try EngagementReport(reading)))
    } catch let fault as DashboardFault {
      return .page(fault.status, lenient.html(saying: fault.message, isError: true))
    } catch let error as StoreError where error.code == .invalidValue {
      return .page(.badRequest, lenient.html(saying: error.description, isError: true))
    } catch let error as PostgresError where error.isLockDenied {
      let words = "The figures are being rebuilt just now; try again in a moment."
      return .page(.serviceUnavailable, lenient.html(saying: words, isError: true), ["Retry-After": "5"])
    } catch let error as PostgresError where error.sqlState == "57014" {
      let words = """
        This report takes longer than a reader should wait. Choose fewer days, leave details out, or have this zone and \
        window kept: pushlift frame add.
        """
      return .page(.serviceUnavailable, lenient.html(saying: words, isError: true), ["Retry-After": "60"])
    }
  }

  /// Nil where one is still to be chosen.
  private static func app(_ name: String?, _ own: App?, of apps: [App]) throws(DashboardFault) -> App? {
    guard let own else {
      guard let name else { return apps.count == 1 ? apps[0] : nil }
      guard let app = apps.first(where: { $0.name.isExactly(name) }) else {
        throw DashboardFault("There is no app “\(name)”; choose one of the list.")
      }
      return app
    }
    guard name?.isExactly(own.name) != false else {
      throw DashboardFault(
        "This key sees the app \(own.name) alone, and the link is for another.", status: .forbidden)
    }
    return own
  }

  /// What went wrong is for the log: a page may be anybody's.
  private func failure(_ error: any Error) -> HTTPResponse {
    let stored = error as? StoreError ?? (error as? PostgresError).map(StoreError.init)
    log.summarise(
      .error, "report failed", of: stored?.code.rawValue ?? "report",
      ServiceLog.fields(of: error, code: "report"))
    switch stored?.code {
    case .unavailable, .overloaded, .missing, .cluster:
      return unavailable("The store cannot be reached just now; try again in a moment.", retryAfter: "5")
    default:
      let words = "This report failed. The service's log tells why: look for “report failed”."
      return .page(.internalServerError, DashboardPage.message(words))
    }
  }

  private func unavailable(_ words: String, retryAfter: String) -> HTTPResponse {
    .page(
      .serviceUnavailable, DashboardPage.message(words), ["Retry-After": retryAfter])
  }
}
