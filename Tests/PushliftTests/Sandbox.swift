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
  func start(_ arguments: [String], _ extra: [String: String] = [:]) throws -> Child {
    try Child(
      self, Self.binary, arguments, environment.merging(extra) { $1 },
      prefix: "\(folder)/\(UInt32.random(in: 0...(.max)))", directory: folder)
  }

  /// Runs a command to its end.
  func run(_ arguments: String..., environment extra: [String: String] = [:]) throws -> Output {
    try start(arguments, extra).output(within: .seconds(120))
  }

  /// Runs a command that has to succeed, and gives what it printed.
  @discardableResult
  func succeed(_ arguments: String..., sourceLocation: SourceLocation = #_sourceLocation) throws -> String {
    let output = try start(arguments).output(within: .seconds(120))
    try #require(output.status == 0, "\(arguments): \(output.err)", sourceLocation: sourceLocation)
    return output.out
  }

  func makeKey(app: String = "shop") throws -> String {
    try succeed("key", "create", "--app", app).trimmingCharacters(in: .newlines)
  }

  /// The program beside the tests.
  private static let binary: String = {
    var folder = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
    #if canImport(Darwin)
      if let bundle = Bundle.allBundles.first(where: { $0.bundlePath.hasSuffix(".xctest") }) {
        folder = bundle.bundleURL.deletingLastPathComponent()
      }
    #endif
    return folder.appendingPathComponent("pushlift").path
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

/// What a command left behind.
struct Output {
  let status: Int32
  let out: String
  let err: String
}

/// A running `pushlift`.
final class Child: Sendable {
  private let process: Process
  /// Whose folder it lives in.
  private let sandbox: Sandbox
  private let outPath: String
  private let errPath: String

  init(
    _ sandbox: Sandbox, _ binary: String, _ arguments: [String], _ environment: [String: String],
    prefix: String,
    directory: String
  ) throws {
    self.sandbox = sandbox
    outPath = prefix + ".out"
    errPath = prefix + ".err"
    process = Process()
    process.executableURL = URL(fileURLWithPath: binary)
    process.arguments = arguments
    process.environment = environment
    process.currentDirectoryURL = URL(fileURLWithPath: directory)
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = try Self.file(outPath)
    process.standardError = try Self.file(errPath)
    try process.run()
  }

  deinit { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }

  private static func file(_ path: String) throws -> FileHandle {
    try Data().write(to: URL(fileURLWithPath: path))
    return try FileHandle(forWritingTo: URL(fileURLWithPath: path))
  }

  func send(_ signal: Int32) { kill(process.processIdentifier, signal) }

  var isRunning: Bool { process.isRunning }

  /// What it said on standard error so far.
  var err: String { (try? String(contentsOfFile: errPath, encoding: .utf8)) ?? "" }

  /// Waits for its end, and ends it itself where it takes too long.
  func output(within bound: Duration, sourceLocation: SourceLocation = #_sourceLocation) throws -> Output {
    poll(upTo: bound, "pushlift has ended", sourceLocation: sourceLocation) { !process.isRunning }
    if process.isRunning { kill(process.processIdentifier, SIGKILL) }
    process.waitUntilExit()
    let out = try String(contentsOfFile: outPath, encoding: .utf8)
    return Output(status: process.terminationStatus, out: out, err: err)
  }

  /// Waits until `pushlift serve` listens.
  func client(sourceLocation: SourceLocation = #_sourceLocation) throws -> HTTPClient {
    var port: UInt16?
    poll(upTo: .seconds(60), "pushlift serve listens", sourceLocation: sourceLocation) {
      port = err.firstMatch(of: /listening.*https?:\/\/127\.0\.0\.1:(\d+)"/).flatMap { UInt16($0.1) }
      return port != nil || !process.isRunning
    }
    return HTTPClient(port: try #require(port, "\(err)", sourceLocation: sourceLocation))
  }
}
