public import Foundation
internal import Synchronization

extension Engagement {
  /// What makes two configurations the same; the delegate can be changed without another instance.
  private struct Configuration: Hashable {
    let endpoint: URL
    let key: String
    let device: String?
    let storage: EngagementStorage
    let options: EngagementOptions
  }

  private static let current = Mutex<(configuration: Configuration, engagement: Engagement)?>(nil)

  /// The one that recorders use where they are given no other; nil until ``configure(endpoint:key:device:storage:options:delegate:)``.
  public static var shared: Engagement? { current.withLock { $0?.engagement } }

  /// Opens the storage and makes it the process's ``shared`` one. Call it as early as the process can.
  ///
  /// It may be called again: iOS makes a new extension object for each push in a process that it uses again. With the same arguments
  /// it gives the one there is; with others that one stops sending, and a new one takes its place.
  ///
  /// - Parameters:
  ///   - endpoint: the server, such as `https://push.example.com`.
  ///   - key: a key with the scope `write`.
  ///   - device: an opaque id of this installation; nil for one that the SDK makes and keeps in the storage.
  ///   - storage: where events wait; an App Group where there are extensions.
  ///   - options: everything else.
  ///   - delegate: hears what becomes of the events; held weakly. It takes the place of the one before.
  /// - Throws: where the address, the key, the device or the storage cannot be used; nothing has changed then.
  @discardableResult
  public static func configure(
    endpoint: URL, key: String, device: String? = nil, storage: EngagementStorage = .applicationSupport,
    options: EngagementOptions = EngagementOptions(), delegate: (any EngagementDelegate)? = nil
  ) throws(EngagementError) -> Engagement {
    try configure(
      endpoint: endpoint, key: key, device: device, storage: storage, options: options, delegate: delegate,
      makeTransport: { URLSessionTransport() })
  }

  /// - Parameter makeTransport: called where there is none of the same configuration.
  static func configure(
    endpoint: URL, key: String, device: String?, storage: EngagementStorage, options: EngagementOptions,
    delegate: (any EngagementDelegate)?, makeTransport: () -> any Transport
  ) throws(EngagementError) -> Engagement {
    let configuration = Configuration(
      endpoint: endpoint, key: key, device: device, storage: storage, options: options)
    // Held throughout, so that of two that come at the same time one makes it and the other gets it.
    return try current.withLock { current throws(EngagementError) -> Engagement in
      if let known = current, known.configuration == configuration {
        known.engagement.delegate = delegate
        return known.engagement
      }
      let id: String
      if let device { id = device } else { id = try storage.installationID() }
      let engagement = try Engagement(
        endpoint: endpoint, key: key, device: id, storage: storage, options: options, delegate: delegate,
        transport: makeTransport())
      current?.engagement.stop()
      current = (configuration, engagement)
      return engagement
    }
  }
}
