public import Foundation
internal import Synchronization

extension Engagement {
  private static let current = Mutex<Engagement?>(nil)

  /// The one that recorders use where they are given no other; nil until ``configure(endpoint:key:device:storage:options:delegate:)``.
  public static var shared: Engagement? { current.withLock { $0 } }

  /// Opens the storage and makes it the process's ``shared`` one. Call it as early as the process can.
  ///
  /// - Parameters:
  ///   - endpoint: the server, such as `https://push.example.com`.
  ///   - key: a key with the scope `write`.
  ///   - device: an opaque id of this installation; nil for one that the SDK makes and keeps in the storage.
  ///   - storage: where events wait; an App Group where there are extensions.
  ///   - options: everything else.
  ///   - delegate: hears what becomes of the events; held weakly.
  /// - Throws: where the address, the key, the device or the storage cannot be used; nothing has changed then.
  @discardableResult
  public static func configure(
    endpoint: URL, key: String, device: String? = nil, storage: EngagementStorage = .applicationSupport,
    options: EngagementOptions = EngagementOptions(), delegate: (any EngagementDelegate)? = nil
  ) throws(EngagementError) -> Engagement {
    let id: String
    if let device { id = device } else { id = try storage.installationID() }
    let engagement = try Engagement(
      endpoint: endpoint, key: key, device: id, storage: storage, options: options, delegate: delegate)
    current.withLock { $0 = engagement }
    return engagement
  }
}
