internal import EngagementEvents
internal import Foundation

/// Since when the server does not take the key: on disk, since few processes live for a day.
struct KeyRefusal: Sendable {
  private let path: String

  init(_ folder: StorageFolder) { path = folder.keyRefusal.path }

  /// For how long events wait for the key to be put right.
  private static let patience = Duration.seconds(86_400)

  /// Takes note of a refusal; the first one counts, unless the clock was set back behind it.
  func begin(at now: Timestamp) {
    if let since, since <= now { return }
    // What the disk does not take is tried again at the next refusal.
    try? Data("\(now.microseconds)".utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
  }

  /// Takes note that the key is taken.
  func end() { unlink(path) }

  /// Events recorded before then need not wait any longer; nil where all shall.
  ///
  /// Each has waited for a day, and the key has been refused for as long.
  func cutoff(at now: Timestamp) -> Timestamp? {
    guard let since, since.advanced(by: Self.patience) < now else { return nil }
    return now.advanced(by: .zero - Self.patience)
  }

  private var since: Timestamp? {
    guard let data = FileManager.default.contents(atPath: path) else { return nil }
    return Int64(String(decoding: data, as: UTF8.self)).map { Timestamp(microseconds: $0) }
  }
}
