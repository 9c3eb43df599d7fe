/// What may stand anywhere.
extension PayloadChecks {
  mutating func checkTexts(_ node: PayloadNode) {
    switch node.value {
    case .object(let members):
      for member in members {
        notePlaceholder(member.key, member.keyOffset)
        checkSecret(member)
        checkTexts(member.node)
      }
    case .array(let elements): for element in elements { checkTexts(element) }
    case .string(let text): notePlaceholder(text, node.offset)
    default: return
    }
  }

  private mutating func notePlaceholder(_ text: String, _ offset: Int) {
    guard let placeholder = Placeholder.first(in: text) else { return }
    findings.append(
      PayloadFinding(
        "placeholder", .warning, at: offset,
        "\(quoted(placeholder)) is a placeholder that was never filled in", "put in the value"))
  }

  // MARK: secrets

  private static let secrets: Set = [
    "authorization", "jwt", "bearer", "passwd", "pwd", "credentials", "accesskey", "serverkey", "signingkey",
  ]
  private static let endsOfSecrets = ["token", "password", "secret", "apikey", "privatekey", "secretkey"]
  /// Whom a request to another service goes to.
  private static let addresses: Set = ["token", "devicetoken", "fcmtoken", "registrationtoken", "pushtoken"]

  /// What services call a token and anybody may read.
  private static let harmless: Set = ["ciodeliverytoken", "nextpagetoken", "pagetoken"]

  private mutating func checkSecret(_ member: PayloadMember) {
    let word = MediaKeys.normalised(member.key)
    guard member.node.string?.isEmpty == false,
      Self.secrets.contains(word) || Self.endsOfSecrets.contains(where: word.hasSuffix),
      push.envelope == nil || !Self.addresses.contains(word), !Self.harmless.contains(word)
    else { return }
    note(
      "secret_in_payload", .warning, key: member, "\(quoted(member.key)) looks like a secret",
      "leave it out: payloads are logged on the way")
  }
}
