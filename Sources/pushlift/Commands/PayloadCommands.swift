internal import Arguments
internal import EngagementEvents
internal import Payloads

/// `pushlift payload`.
enum PayloadCommands {
  static let group = Command(
    "payload", abstract: "Check APNs payload files, or make them.", subcommands: [lint, make])

  private enum Format: String, CaseIterable, Sendable {
    case text, json
  }

  // MARK: lint

  private static let files = Argument<[String]>.repeated(
    "file", .path, minimum: 1, help: "Payloads, as .apns or .json; - is standard input.")
  private static let categories = Option<String?>.optional(
    "categories", .path,
    help:
      "The categories that the app registers, as for pushlift category import; a list of their names will do."
  )
  private static let mediaKeys = Option<[String]>.repeated(
    "media-key", .text.named("path"),
    help: "Where your own payloads name media, such as payload.picture; may be repeated.")
  private static let format = Option<Format>(
    "format", .choice, default: .text, help: "How to print the findings.")

  private static let lint = Command(
    "lint", abstract: "Say whether payloads are valid, rich, and counted.",
    discussion: """
      For each file: whether it is valid, whether it will show media and where that is named, its category, and whether iOS \
      will run the Notification Service Extension, without which a delivery is never reported. Then what is wrong, with line and \
      column in characters and the remedy. Knows where the usual senders put media. Leaves with 1 if any file is not valid.
      """,
    examples: [
      "pushlift payload lint welcome.apns", "pushlift payload lint --format json payloads/*.json",
      "pushlift payload lint --categories categories.json --media-key payload.picture *.apns",
    ],
    options: [categories, mediaKeys, format], arguments: [files]
  ) { arguments in
    if arguments[mediaKeys].contains(where: { $0.allSatisfy(\.isWhitespace) }) {
      throw arguments.usageError("--media-key names no key: give one such as payload.picture.")
    }
    let known = try arguments[categories].map { try InputFile.categoryNames($0) }
    let lint = PayloadLint(keys: .usual.adding(arguments[mediaKeys]), categories: known)
    var reports: [LintedFile] = []
    var faults = 0
    for path in arguments[files] {
      let bytes: [UInt8]
      do { bytes = try InputFile.bytes(of: path) } catch {
        // The others are linted all the same.
        Terminal.complain("\(error)")
        faults += 1
        continue
      }
      let report = lint.report(on: bytes)
      switch arguments[format] {
      case .text: try Terminal.write(Array(report.text(file: path, bytes: bytes).utf8))
      case .json: reports.append(LintedFile(path, report, bytes))
      }
      faults += report.isValid ? 0 : 1
    }
    if arguments[format] == .json { try LintedFinding.write(reports) }
    if faults > 0 {
      let count = arguments[files].count
      throw InputFileError(
        count == 1 ? "The payload is not valid." : "\(faults) of \(count) payloads are not valid.")
    }
  }

  // MARK: make

  private static let title = Option<String?>.optional("title", .text, help: "The title.")
  private static let body = Option<String?>.optional("body", .text, help: "The text below it.")
  private static let category = Option<String?>.optional(
    "category", .text.named("name"), help: "The category, whose buttons iOS shows.")
  private static let mediaURL = Option<String?>.optional(
    "media-url", .text.named("url"),
    help: "An image, video or sound, by https. Without it the push is text-only.")
  private static let mediaKey = Option<String>(
    "media-key", .text.named("key"), default: "media-url",
    help: "The key beside aps under which your extension looks for it.")
  private static let badge = Option<Int?>.optional(
    "badge", .integer(in: 0...Int.max), help: "The number on the app's icon; 0 takes it away.")
  private static let sound = Option<String>(
    "sound", .text.named("name"), default: "default", help: "The sound's file in the app, or none.")
  private static let simulatorBundle = Option<String?>.optional(
    "simulator-bundle", .text.named("bundle-id"), help: "For xcrun simctl push: the app in the simulator.")

  private static let make = Command(
    "make", abstract: "Write a payload for a sender, or for the simulator.",
    discussion: "What it writes lints clean, and is counted, be it rich or text-only.",
    examples: [
      "pushlift payload make --title Hello --category social_post --media-url https://example.com/photo.jpg",
      "pushlift payload make --title Hello --simulator-bundle com.example.app > hello.apns",
    ],
    options: [title, body, category, mediaURL, mediaKey, badge, sound, simulatorBundle]
  ) { arguments in
    var draft = PayloadDraft()
    draft.title = arguments[title]
    draft.body = arguments[body]
    draft.category = arguments[category]
    draft.mediaURL = arguments[mediaURL]
    draft.mediaKey = arguments[mediaKey]
    draft.badge = arguments[badge]
    draft.sound = arguments[sound] == "none" ? nil : arguments[sound]
    draft.simulatorBundle = arguments[simulatorBundle]
    if let flaw = draft.flaw { throw arguments.usageError(flaw) }
    let bytes = Array(draft.json.utf8)
    let report = PayloadLint(keys: .usual.adding([draft.mediaKey])).report(on: bytes)
    let isKnown = draft.mediaURL == nil || PayloadLint().report(on: bytes).mediaKey != nil
    if let finding = report.findings.first(where: { $0.severity != .note }) {
      throw arguments.usageError("this would not lint clean: \(finding.message); \(finding.remedy).")
    }
    if !isKnown {
      let key = EventFault.escape(draft.mediaKey)
      Terminal.complain("Of its own the linter knows no \(key): pushlift payload lint --media-key \(key)")
    }
    try Terminal.write(bytes)
  }
}

/// A file that was checked, as JSON.
private struct LintedFile: Encodable {
  let file: String
  let valid: Bool
  let rich: String
  let mediaKind: String?
  let mediaKey: String?
  let category: String?
  let extensionRuns: String
  let findings: [LintedFinding]

  init(_ file: String, _ report: PayloadReport, _ bytes: [UInt8]) {
    self.file = file
    valid = report.isValid
    rich = report.richness.rawValue
    mediaKind = report.mediaKinds.isEmpty ? nil : report.mediaKinds.map(\.rawValue).joined(separator: "+")
    mediaKey = report.mediaKey
    category = report.category
    extensionRuns = report.extensionRuns.rawValue
    findings = LintedFinding.all(report.findings, in: bytes)
  }
}
