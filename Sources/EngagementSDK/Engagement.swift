internal import EngagementEvents
public import Foundation
internal import Synchronization

/// Records what happens to an app's notifications, and sends it to a pushlift server.
///
/// Every call that records returns after the event is on disk. What then becomes of the process is of no
/// importance: the event is sent, once as far as the server is concerned, by whichever process of the app runs next.
public final class Engagement: Sendable {
  /// What it was told.
  public let options: EngagementOptions
  let device: DeviceID
  let clock: any EngagementClock
  let folder: StorageFolder
  let queue: EventQueue
  let claims: EventClaims
  private let uploads: UploadSchedule
  private let nap: UploadNap
  private let audience: Audience

  /// Claims are of use for as long as a notification may be answered; APNs itself keeps one for 30 days.
  private static let claimAge = Duration.seconds(100 * 86_400)

  /// Opens the storage.
  ///
  /// - Parameters:
  ///   - endpoint: the server, such as `https://push.example.com`; `/v1/events` is appended where it is missing.
  ///   - key: a key with the scope `write`.
  ///   - device: an opaque id of this installation, 1–256 bytes; see ``EngagementStorage/installationID()``.
  ///   - storage: where events wait; an App Group where there are extensions.
  ///   - options: everything else.
  ///   - delegate: hears what becomes of the events; held weakly.
  ///   - transport: the way to the server.
  ///   - clock: what time it is.
  ///   - jitter: draws evenly from 0 up to 1, for the waits between tries.
  /// - Throws: where the address, the key, the device or the storage cannot be used.
  public init(
    endpoint: URL, key: String, device: String, storage: EngagementStorage = .applicationSupport,
    options: EngagementOptions = EngagementOptions(), delegate: (any EngagementDelegate)? = nil,
    transport: any Transport = URLSessionTransport(), clock: any EngagementClock = SystemClock(),
    jitter: @escaping @Sendable () -> Double = { .random(in: 0..<1) }
  ) throws(EngagementError) {
    do { self.device = try DeviceID(device) } catch { throw EngagementError(error) }
    let address = try Self.address(endpoint)
    try Self.check(key)
    folder = try storage.open()
    queue = EventQueue(folder)
    claims = EventClaims(folder, queue: queue)
    audience = Audience(delegate)
    self.options = options
    self.clock = clock
    let uploader = Uploader(
      queue: queue, keyRefusal: KeyRefusal(folder), transport: transport, clock: clock, jitter: jitter,
      endpoint: address, key: key, options: options, report: { [audience] in audience.tell($0) })
    nap = uploader.nap
    uploads = UploadSchedule(run: { try await uploader.run() }, dispose: { transport.invalidate() })
    audience.owner = self
    // An extension has better things to do with its seconds.
    if options.role == .app { removeLeftovers() }
    if options.uploadsAutomatically { uploadSoon() }
  }

  /// Hears what becomes of the events; held weakly.
  public var delegate: (any EngagementDelegate)? {
    get { audience.delegate }
    set { audience.delegate = newValue }
  }

  /// Sends what waits, and returns when the server has answered for all of it.
  ///
  /// It tries for as long as it takes; cancel the task to stop it, at no loss. Events recorded by extensions are sent too.
  /// A run that waits for its next try tries at once, unless the server asked it to wait.
  ///
  /// - Throws: `CancellationError`, also where another one has been configured in its place; an ``EngagementError`` where the
  ///   storage cannot be read.
  public func upload() async throws {
    nap.wake()
    try await uploads.runNow()
  }

  /// Sends nothing more; what is recorded all the same waits on disk for another one.
  func stop() { uploads.stop() }

  private func removeLeftovers() {
    claims.recoverAbandoned(at: clock.now)
    claims.removeExpired(at: clock.now, age: Self.claimAge)
    MediaFile.removeLeftovers(in: folder.media)
  }

  func uploadSoon() { uploads.runSoon(after: options.uploadDelay, clock: clock) }

  func report(_ report: EngagementReport) { audience.tell(report) }

  private static func address(_ endpoint: URL) throws(EngagementError) -> URL {
    guard let scheme = endpoint.scheme?.lowercased(), ["http", "https"].contains(scheme), endpoint.host != nil
    else {
      throw EngagementError(
        .invalidConfiguration, "the endpoint is \(endpoint); give one such as https://push.example.com")
    }
    return endpoint.path.hasSuffix("/v1/events") ? endpoint : endpoint.appendingPathComponent("v1/events")
  }

  private static func check(_ key: String) throws(EngagementError) {
    guard !key.isEmpty, key.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
      throw EngagementError(
        .invalidConfiguration,
        "the key is empty or no visible ASCII; give one that pushlift key create printed")
    }
  }
}

/// Whoever hears the reports.
private final class Audience: Sendable {
  private struct References {
    weak var owner: Engagement?
    weak var delegate: (any EngagementDelegate)?
  }

  private let references: Mutex<References>

  init(_ delegate: (any EngagementDelegate)?) {
    references = Mutex(References(owner: nil, delegate: delegate))
  }

  var owner: Engagement? {
    get { references.withLock { $0.owner } }
    set { references.withLock { $0.owner = newValue } }
  }

  var delegate: (any EngagementDelegate)? {
    get { references.withLock { $0.delegate } }
    set { references.withLock { $0.delegate = newValue } }
  }

  func tell(_ report: EngagementReport) {
    let (owner, delegate) = references.withLock { ($0.owner, $0.delegate) }
    guard let owner, let delegate else { return }
    delegate.engagement(owner, didReport: report)
  }
}
