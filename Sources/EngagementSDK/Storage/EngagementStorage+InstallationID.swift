internal import EngagementEvents
internal import Foundation

extension EngagementStorage {
  /// An id of this installation, made at random at the first call and the same ever after, in all processes.
  ///
  /// It lies beside the events: readable before the first unlock, where an id in the keychain or in the user defaults is
  /// not, and in no backup. It goes with the app, and says nothing about the device or the person.
  public func installationID() throws(EngagementError) -> String {
    let path = try open().installationID.path
    let draft = "\(path).\(EventID.makeRandom().text)"
    if let known = Self.id(in: path) { return known }
    let made = EventID.makeRandom().text
    try AppendOnlyFile(creating: draft).append(Array(made.utf8))
    defer { unlink(draft) }
    if link(draft, path) == 0 { return made }
    // Another process was faster, or the power went while it wrote.
    if let known = Self.id(in: path) { return known }
    guard rename(draft, path) == 0 else { throw .file("write", path) }
    return made
  }

  private static func id(in path: String) -> String? {
    guard let data = FileManager.default.contents(atPath: path) else { return nil }
    return try? EventID(String(decoding: data, as: UTF8.self)).text
  }
}
