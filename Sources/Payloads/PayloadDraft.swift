internal import EngagementEvents

/// A payload to be written: for `xcrun simctl push`, or for a sender.
package struct PayloadDraft: Sendable, Hashable {
  package var title: String?
  package var body: String?
  package var category: String?
  /// Makes it rich.
  package var mediaURL: String?
  /// The key beside `aps` under which the app's extension looks for the media's URL.
  package var mediaKey = "media-url"
  package var threadID: String?
  /// The number on the app's icon, 0 for none; nil to leave it as it is.
  package var badge: Int?
  /// The sound's name; nil for silence.
  package var sound: String? = "default"
  /// The app in the simulator; nil for a payload that is sent.
  package var simulatorBundle: String?

  package init() {}

  /// Why no payload can be made of it, with the remedy; nil where one can.
  package var flaw: String? {
    if let text = [title, body, category, mediaURL, mediaKey, threadID, sound, simulatorBundle].compactMap(
      \.self
    )
    .first(where: { $0.unicodeScalars.contains("\u{FFFD}") }) {
      return "\(quoted(text)) holds U+FFFD, which stands for bytes that are no UTF-8: write it in UTF-8."
    }
    if sound?.isEmpty == true { return "The sound has no name: give the file's, or none." }
    if (title ?? "").isEmpty, (body ?? "").isEmpty { return "A visible push needs a title or a body." }
    if let mediaURL, MediaURL(mediaURL, hint: nil, keyKind: nil).obstacle != nil {
      return "\(quoted(mediaURL)) is no URL of a media file: give one as in https://example.com/photo.jpg."
    }
    if mediaKey == "aps" || mediaKey == APSKeys.bundle || mediaKey.isEmpty {
      return "\(quoted(mediaKey)) cannot be the media's key: choose one of your own, such as media-url."
    }
    if mediaKey.contains(".") {
      return
        "\(quoted(mediaKey)) names a nested key: choose one at the top of the payload, such as media-url."
    }
    return nil
  }

  /// The file: two blanks a level, a line break at the end. `mutable-content` is always there, so that a text-only push is
  /// counted like a rich one.
  package var json: String {
    var alert: [(String, String)] = []
    if let title { alert.append(("title", Self.quote(title))) }
    if let body { alert.append(("body", Self.quote(body))) }
    var aps = [("alert", Self.object(alert, depth: 2))]
    if let badge { aps.append(("badge", String(badge))) }
    if let sound { aps.append(("sound", Self.quote(sound))) }
    aps.append(("mutable-content", "1"))
    if let category { aps.append(("category", Self.quote(category))) }
    if let threadID { aps.append(("thread-id", Self.quote(threadID))) }
    var top: [(String, String)] = []
    if let simulatorBundle { top.append((APSKeys.bundle, Self.quote(simulatorBundle))) }
    top.append(("aps", Self.object(aps, depth: 1)))
    if let mediaURL { top.append((mediaKey, Self.quote(mediaURL))) }
    return Self.object(top, depth: 0) + "\n"
  }

  private static func object(_ members: [(String, String)], depth: Int) -> String {
    let blanks = String(repeating: "  ", count: depth + 1)
    let lines = members.map { "\(blanks)\(quote($0.0)): \($0.1)" }
    return "{\n" + lines.joined(separator: ",\n") + "\n" + String(repeating: "  ", count: depth) + "}"
  }

  private static func quote(_ text: String) -> String {
    var bytes: [UInt8] = []
    bytes.appendJSONString(text)
    return String(decoding: bytes, as: UTF8.self)
  }
}
