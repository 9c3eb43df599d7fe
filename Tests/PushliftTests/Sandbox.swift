import EventStore
import Foundation
import TestSupport
import Testing

@testable import Postgres

/// A folder of its own in which the built `pushlift` runs, and an environment that points nowhere else.
///
/// The folder goes when the sandbox is let go of, and a private Postgres in it is stopped before.
final class Sandbox: Sendable {
  let folder: String
  /// The data folder that every command is given.
  let data: String
  private let environment: [String: String]

  /// The device secret of all sandboxes, so that stores can be compared.
  private static let secret = String(repeating: "5a", count: 32)

  /// - Parameter database: the store's database; nil for a private Postgres in the data folder.
  init(database: ConnectionConfiguration? = nil) throws {
    // Postgres may run as another user, which has to pass here.
    folder = "\(TestCluster.parent)/pushlift-cli-\(getpid())-\(UInt32.random(in: 0...(.max)))"
    try FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o755])
    data = folder + "/data"
    var environment = ["HOME": folder, "PUSHLIFT_SECRET": Self.secret]
    for name in ["PATH", "PUSHLIFT_PG_BINDIR", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH"] {
      environment[name] = ProcessInfo.processInfo.environment[name]
    }
    environment["PUSHLIFT_DATA"] = data
    environment["PUSHLIFT_DATABASE"] = try database.map(Self.url)
    self.environment = environment
  }

  deinit {
    try? cluster.stopIfUnused()
    try? FileManager.default.removeItem(atPath: folder)
  }

  /// The private Postgres of the data folder.
  var cluster: PrivateCluster { PrivateCluster(directory: data + "/cluster", environment: environment) }

  /// The process id of the private Postgres; nil where none runs.
  var postmaster: pid_t? {
    guard let text = try? String(contentsOfFile: data + "/cluster/postgres/postmaster.pid", encoding: .utf8)
    else {
      return nil
    }
    return text.split(separator: "\n").first.flatMap { pid_t($0) }
  }

  /// Starts a command and leaves it running.
  ///
  /// - Parameter socket: a listening socket for it, as systemd hands it over.
  func start(_ arguments: [String], _ extra: [String: String] = [:], socket: Int32? = nil) throws -> Child {
    try Child(
      in: folder, Self.binary, arguments, environment.merging(extra) { $1 }, keeping: self, socket: socket)
  }

  /// Runs a command to its end.
  func run(_ arguments: String..., environment extra: [String: String] = [:]) throws -> Output {
    try run(arguments, environment: extra)
  }

  func run(_ arguments: [String], environment extra: [String: String] = [:]) throws -> Output {
    try start(arguments, extra).output(within: .seconds(120))
  }

  /// Runs a command that has to succeed, and gives what it printed.
  @discardableResult
  func succeed(_ arguments: String..., sourceLocation: SourceLocation = #_sourceLocation) throws -> String {
    try succeed(arguments, sourceLocation: sourceLocation)
  }

  @discardableResult
  func succeed(_ arguments: [String], sourceLocation: SourceLocation = #_sourceLocation) throws -> String {
    let output = try run(arguments)
    try #require(output.status == 0, "\(arguments): \(output.err)", sourceLocation: sourceLocation)
    return output.out
  }

  /// Runs a line of the shell, in which `$PUSHLIFT` is the program, to its end.
  func shell(_ line: String) throws -> Output { try start(shell: line).output(within: .seconds(120)) }

  /// Starts a line of the shell, in which `$PUSHLIFT` is the program, and leaves it running.
  func start(shell line: String) throws -> Child {
    let variables = environment.merging(["PUSHLIFT": Self.binary]) { $1 }
    return try Child(in: folder, "/bin/sh", ["-c", line], variables, keeping: self)
  }

  func makeKey(app: String = "shop") throws -> String {
    try succeed("key", "create", "--app", app).trimmingCharacters(in: .newlines)
  }

  /// Starts a program that was built beside the tests.
  func start(program: String, _ arguments: [String]) throws -> Child {
    try Child(
      in: folder, Self.products.appendingPathComponent(program).path, arguments, environment, keeping: self)
  }

  private static let binary = products.appendingPathComponent("pushlift").path

  /// Where what was built lies.
  private static let products: URL = {
    var folder = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
    #if canImport(Darwin)
      if let bundle = Bundle.allBundles.first(where: { $0.bundlePath.hasSuffix(".xctest") }) {
        folder = bundle.bundleURL.deletingLastPathComponent()
      }
    #endif
    return folder
  }()

  private static func url(_ configuration: ConnectionConfiguration) throws -> String {
    var parts = URLComponents()
    parts.scheme = "postgresql"
    parts.host = ""
    parts.path = "/"
    parts.queryItems = configuration.keywords.filter { !$0.value.isEmpty }.sorted { $0.key < $1.key }
      .map { URLQueryItem(name: $0.key, value: $0.value) }
    return try #require(parts.string)
  }
}
