/// Finds the route of a request.
struct RouteTable: Sendable {
  private let routes: [String: [HTTPMethod: Route]]

  /// The later of two routes with the same method and path wins.
  init(_ list: [Route]) {
    var routes: [String: [HTTPMethod: Route]] = [:]
    for route in list { routes[route.path, default: [:]][route.method] = route }
    self.routes = routes
  }

  enum Match {
    case route(Route)
    /// `OPTIONS` on a path that has no route of its own for it.
    case options(allow: String)
  }

  /// - Throws: 404 or 405.
  func match(_ method: HTTPMethod, _ path: String) throws(HTTPFault) -> Match {
    guard let methods = routes[path] ?? Self.pattern(of: path).flatMap({ routes[$0] }) else {
      if method == .options, path == "*" {
        return .options(allow: Self.allow(routes.values.flatMap(\.keys)))
      }
      throw HTTPFault(.notFound, "not_found", "There is nothing at this path.")
    }
    if let route = methods[method] { return .route(route) }
    if method == .head, let route = methods[.get] { return .route(route) }
    let allow = Self.allow(methods.keys)
    if method == .options { return .options(allow: allow) }
    throw HTTPFault(
      .methodNotAllowed, "method_not_allowed", "This path takes: " + allow + ".", headers: ["Allow": allow])
  }

  /// `/folder/*` for `/folder/name`; nil where there is no name.
  private static func pattern(of path: String) -> String? {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")),
      path.utf8.index(after: slash) != path.utf8.endIndex
    else { return nil }
    return path[...slash] + "*"
  }

  private static func allow(_ methods: some Sequence<HTTPMethod>) -> String {
    var names = Set(methods.map(\.rawValue))
    if names.contains("GET") { names.insert("HEAD") }
    names.insert("OPTIONS")
    return names.sorted().joined(separator: ", ")
  }
}
