/// Where senders put the media of a notification.
package struct MediaKeys: Sendable {
  /// A path from the top of the payload; `*` stands for any key, `[]` for the elements of an array.
  package struct Known: Sendable {
    let path: [String]
    /// Whose SDK reads it.
    let sender: String
    /// Whether that SDK fetches nothing by plain HTTP.
    var requiresHTTPS = false
    /// The path with dots between its keys, which may have dots of their own; nil where `path` tells.
    var dotted: String?
  }

  package var known: [Known]

  /// Those of the usual senders, as their documentation and SDKs have them.
  package static let usual = MediaKeys(
    known: [
      Known(path: ["att", "*"], sender: "OneSignal"),
      Known(path: ["os_data", "att", "*"], sender: "OneSignal"),
      Known(path: ["fcm_options", "image"], sender: "Firebase"),
      Known(path: ["ab", "att", "url"], sender: "Braze"),
      Known(path: ["com.urbanairship.media_attachment", "url"], sender: "Airship"),
      Known(path: ["com.urbanairship.media_attachment", "url", "[]"], sender: "Airship"),
      Known(path: ["c", "a"], sender: "Countly"),
      Known(path: ["ct_mediaUrl"], sender: "CleverTap"),
      Known(path: ["CIO", "push", "image"], sender: "Customer.io"),
      Known(path: ["rich-media"], sender: "Klaviyo"),
      Known(path: ["attachment-url"], sender: "Iterable"),
      Known(path: ["itbl", "attachment-url"], sender: "Iterable"),
      Known(path: ["_richContent", "image"], sender: "Expo"),
      Known(path: ["body", "_richContent", "image"], sender: "Expo"),
      Known(path: ["richContent", "image"], sender: "Expo"),
      Known(path: ["com.batch", "at", "u"], sender: "Batch"),
      Known(path: ["adb_media"], sender: "Adobe", requiresHTTPS: true),
      Known(path: ["LP_URL"], sender: "Leanplum"),
      Known(path: ["moengage", "media-attachment"], sender: "MoEngage"),
      Known(path: ["attachment"], sender: "Pushwoosh"),
      Known(path: ["attachments", "pictureUrl"], sender: "Kumulos"),
      Known(path: ["_sw", "media", "url"], sender: "Swrve"),
      Known(path: ["_mediaUrl"], sender: "Salesforce"),
      Known(path: ["ll_attachment_url"], sender: "Localytics"),
      Known(path: ["data", "media-url"], sender: "Amazon Pinpoint"),
      Known(path: ["media-url"], sender: "Amazon Pinpoint"),
      Known(path: ["media-attachment"], sender: "Acoustic"),
      Known(path: ["image_url"], sender: "Emarsys"),
      Known(path: ["_wp", "ios", "attachments", "[]", "url"], sender: "WonderPush"),
    ])

  /// The same with an app's own paths first, keys joined by dots, such as `payload.picture`. A key may have dots itself, and
  /// elements of arrays are meant by the array's key.
  package func adding(_ paths: [String]) -> MediaKeys {
    MediaKeys(known: paths.map { Known(path: [], sender: "", dotted: $0) } + known)
  }

  /// The known key at a path, where there is one.
  func known(at path: [String]) -> Known? {
    // An app's own come first.
    let hasOwn = known.first?.dotted != nil
    let dotted = hasOwn ? path.filter { !$0.hasPrefix("[") }.joined(separator: ".") : ""
    return known.first { known in
      known.dotted.map { $0 == dotted } ?? (known.path == path)
        || known.path.count == path.count
          && zip(known.path, path).allSatisfy { $0 == $1 || $0 == "*" || ($0 == "[]" && $1.hasPrefix("[")) }
    }
  }

  /// Whether a key by its name means media wherever it stands.
  static func isGeneric(_ key: String) -> Bool {
    let word = singular(normalised(key))
    if names.contains(word) { return true }
    return nouns.contains { noun in suffixes.contains { word.hasSuffix(noun + $0) } }
  }

  /// Whether a key under one that means media holds its address.
  static func isAddress(_ key: String) -> Bool {
    addresses.contains(singular(normalised(key)))
  }

  private static func singular(_ word: String) -> String {
    word.hasSuffix("s") ? String(word.dropLast()) : word
  }

  /// The kind that a key's name tells; nil where it does not.
  static func kind(of key: String) -> PayloadReport.MediaKind? {
    let word = normalised(key)
    if word.contains("video") { return .video }
    if word.contains("audio") { return .audio }
    return ["image", "img", "pic", "photo", "gif", "thumb"].contains { word.contains($0) } ? .image : nil
  }

  /// Small letters and digits alone: `imageURL`, `image-url` and `image_url` are one.
  static func normalised(_ key: String) -> String {
    let bytes = key.utf8
    guard bytes.allSatisfy({ $0 < 0x80 }) else {
      return String(key.lowercased().filter { $0.isLetter || $0.isNumber })
    }
    let word = bytes.lazy.filter(PayloadParser.isAlphanumeric).map { $0 >= 0x41 ? $0 | 0x20 : $0 }
    return String(decoding: Array(word), as: UTF8.self)
  }

  private static let names: Set = [
    "image", "img", "picture", "pic", "photo", "gif", "video", "audio", "media", "attachment", "thumbnail",
    "bigpicture", "richmedia", "imageabsolutestring", "urlimagestring",
  ]
  private static let nouns = [
    "image", "img", "picture", "pic", "photo", "gif", "video", "audio", "media", "attachment", "thumbnail",
    "thumb",
  ]
  private static let addresses: Set = [
    "url", "uri", "src", "href", "source", "io", "apn", "file", "filepath",
  ]
  private static let suffixes = ["url", "uri", "link", "src", "href", "path", "urlstring"]
}
