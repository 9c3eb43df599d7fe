/// The names of fields whose values belong into no log, message or dead letter: the reply and the device id, and what else a
/// client may send along that is somebody's words, address or token.
///
/// Other spellings count too (`device_id`, `replyTexr`): a misspelt reply is still what a person wrote.
enum PrivateName {
  private static let near = ["replytext", "deviceid"].map { Array($0.utf8) }
  private static let exact: Set<[UInt8]> = Set(
    [
      "reply", "usertext", "userinput", "input", "text", "message", "body", "content", "comment", "answer",
      "devicetoken", "pushtoken", "apnstoken", "fcmtoken", "registrationtoken", "token",
      "email", "emailaddress", "phone", "phonenumber", "username", "firstname", "lastname", "fullname",
    ].map { Array($0.utf8) })
  /// The contract's other names, which need no closer look.
  static let harmless = Set(FieldName.words).subtracting(["replyText", "deviceId"])
  /// Letters that may differ, be missing or be too many.
  private static let tolerance = 2

  static func matches(_ name: String) -> Bool {
    if harmless.contains(name) { return false }
    let letters = name.utf8.map { $0 | 0x20 }.filter { $0 >= 97 && $0 <= 122 }
    return exact.contains(letters) || near.contains { distance(letters, $0) <= tolerance }
  }

  /// The Levenshtein distance, or anything above the tolerance if the lengths alone exceed it.
  private static func distance(_ one: [UInt8], _ other: [UInt8]) -> Int {
    guard abs(one.count - other.count) <= tolerance else { return tolerance + 1 }
    var row = Array(0...other.count)
    for (i, letter) in one.enumerated() {
      var diagonal = row[0]
      row[0] = i + 1
      for (j, counterpart) in other.enumerated() {
        let substituted = diagonal + (letter == counterpart ? 0 : 1)
        diagonal = row[j + 1]
        row[j + 1] = min(substituted, diagonal + 1, row[j] + 1)
      }
    }
    return row[other.count]
  }
}
