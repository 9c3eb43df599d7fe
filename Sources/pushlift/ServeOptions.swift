internal import Arguments
internal import Foundation
internal import HTTPServer
internal import Ingestion

/// The options of `pushlift serve`, and the settings that they make.
enum ServeOptions {
  private static let noAggregation = Option<Bool>.flag(
    "no-aggregation", environment: "PUSHLIFT_NO_AGGREGATION",
    help: "Do not aggregate in the background; run pushlift aggregate instead.")

  private static let certificate = Option<String?>.optional(
    "tls-certificate", .path, environment: "PUSHLIFT_TLS_CERTIFICATE",
    help: "The certificate chain, PEM: serve HTTPS. Read anew on SIGHUP.")

  private static let key = Option<String?>.optional(
    "tls-key", .path, environment: "PUSHLIFT_TLS_KEY", help: "The certificate's private key, PEM.")

  private static let trustedProxies = Option<[AddressRange]>.repeated(
    "trusted-proxy", .addressRange,
    environment: "PUSHLIFT_TRUSTED_PROXY",
    help: "A proxy, or a network of them, whose X-Forwarded-For is believed. May be repeated.")

  private static let connections = Option<Int>(
    "connections", .integer(in: 1...100_000), default: 4_096,
    environment: "PUSHLIFT_CONNECTIONS", help: "Connections open at a time; further ones are closed at once.")

  private static let connectionsPerAddress = Option<Int>(
    "connections-per-address", .integer(in: 0...100_000), default: 0,
    environment: "PUSHLIFT_CONNECTIONS_PER_ADDRESS",
    help: "Connections open at a time from one address, trusted proxies excepted; 0 sets no limit.")

  private static let requestTimeout = Option<Duration>(
    "request-timeout", .duration, default: .seconds(30),
    environment: "PUSHLIFT_REQUEST_TIMEOUT", help: "How long a client may take to send one request.")

  private static let rateLimit = Option<Int>(
    "rate-limit", .integer(in: 0...10_000_000).named("events/s"), default: 0,
    environment: "PUSHLIFT_RATE_LIMIT",
    help: "Events a second that each key may send, beyond which it is answered 429; 0 sets no limit.")

  private static let openDashboard = Option<Bool>.flag(
    "open-dashboard", environment: "PUSHLIFT_OPEN_DASHBOARD",
    help:
      "Show /dashboard of every app to whoever is on this machine, without a key. Only on a loopback --host.")

  private static let logLevel = Option<ServiceLog.Level>(
    "log-level", .choice, default: .info, environment: "PUSHLIFT_LOG_LEVEL",
    help: "The least that the log tells; debug has a line a request.")

  private static let logFormat = Option<ServiceLog.Format?>.optional(
    "log-format", .choice, environment: "PUSHLIFT_LOG_FORMAT",
    help: "How the log is written. Usually text on a terminal, else json.")

  private static let coreDumps = Option<Bool>.flag(
    "core-dumps", environment: "PUSHLIFT_CORE_DUMPS",
    help: "Let a crash leave a core file, which may hold texts of replies and device ids.")

  static let all: [any DeclaredOption] = [
    SharedOptions.host, SharedOptions.port, certificate, key, trustedProxies, connections,
    connectionsPerAddress, requestTimeout, rateLimit, openDashboard, noAggregation, logLevel,
    logFormat, coreDumps,
  ]

  static func settings(_ arguments: ParsedArguments) throws -> ServeSettings {
    var settings = ServeSettings()
    let socket = try InheritedSocket.find(ProcessInfo.processInfo.environment)
    settings.configuration = HTTPServerConfiguration(
      host: socket?.host ?? arguments[SharedOptions.host],
      port: socket?.port ?? UInt16(arguments[SharedOptions.port]),
      connectionLimit: arguments[connections],
      perAddressConnectionLimit: arguments[connectionsPerAddress],
      requestTimeout: try requestTimeout(arguments), tls: try tls(arguments),
      trustedProxies: arguments[trustedProxies])
    settings.configuration.inheritedSocket = socket
    settings.leavesCoreFiles = arguments[coreDumps]
    settings.aggregates = !arguments[noAggregation]
    settings.options.eventsPerSecond = arguments[rateLimit] > 0 ? arguments[rateLimit] : nil
    settings.options.opensDashboard = arguments[openDashboard]
    guard !arguments[openDashboard] || Loopback.contains(settings.configuration.host) else {
      throw arguments.usageError(
        "--open-dashboard shows every app to whoever comes: it goes with a --host of this machine alone, such as 127.0.0.1."
      )
    }
    settings.options.log = .standardError(
      level: arguments[logLevel],
      format: arguments[logFormat] ?? (isatty(STDERR_FILENO) == 1 ? .text : .json))
    return settings
  }

  private static func requestTimeout(_ arguments: ParsedArguments) throws -> Duration {
    guard arguments[requestTimeout] >= .seconds(1) else {
      throw arguments.usageError("--request-timeout is at least 1s.")
    }
    return arguments[requestTimeout]
  }

  private static func tls(_ arguments: ParsedArguments) throws -> TLSConfiguration? {
    switch (arguments[certificate], arguments[key]) {
    case (let certificate?, let key?): TLSConfiguration(certificatePath: certificate, keyPath: key)
    case (nil, nil): nil
    case (_?, nil): throw arguments.usageError("--tls-certificate needs --tls-key beside it.")
    case (nil, _?): throw arguments.usageError("--tls-key needs --tls-certificate beside it.")
    }
  }
}

extension ValueParser where Value == AddressRange {
  /// An IP address, or a network such as `10.0.0.0/8`.
  static var addressRange: Self {
    ValueParser(
      placeholder: "address",
      parse: { text throws(ValueError) in
        guard let range = AddressRange(text) else {
          throw ValueError(expected: "an IP address, or a network such as 10.0.0.0/8")
        }
        return range
      },
      describe: { "\($0)" })
  }
}
