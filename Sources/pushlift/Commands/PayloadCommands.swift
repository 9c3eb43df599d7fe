internal import Arguments
internal import Foundation
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
    "file", .path, help: "Payloads, as .apns or .json; - is standard input.")
  private static let categories = Option<String?>.optional(
    "categories", .path,
    help: "A JSON file with the categories that the app registers: a list of objects with an identifier.")
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
    let known = try arguments[categories].map { try identifiers(in: $0) }
    let lint = PayloadLint(keys: .usual.adding(arguments[mediaKeys]), categories: known)
    var reports: [LintedFile] = []
    var invalid = 0
    for path in arguments[files] {
      let bytes = try read(path)
      let report = lint.report(on: bytes)
      switch arguments[format] {
      case .text: try Terminal.write(Array(report.text(file: path, bytes: bytes).utf8))
      case .json: reports.append(LintedFile(path, report, bytes))
      }
      invalid += report.isValid ? 0 : 1
    }
    if arguments[format] == .json {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
      try Terminal.write(Array(try encoder.encode(reports)) + [0x0A])
    }
    if invalid > 0 { throw PayloadError("\(invalid) of \(arguments[files].count) payloads are not valid.") }
  }

  private static func read(_ path: String) throws -> [UInt8] {
    if path == "-" { return Array(FileHandle.standardInput.readDataToEndOfFile()) }
    guard let data = FileManager.default.contents(atPath: path) else {
      throw PayloadError("\(path) cannot be read.")
    }
    return Array(data)
  }

  private static func identifiers(in path: String) throws -> Set<String> {
    struct Category: Decodable { let identifier: String }
    do {
      return Set(try JSONDecoder().decode([Category].self, from: Data(read(path))).map(\.identifier))
    } catch let error as DecodingError {
      throw PayloadError(
        "\(path) is no list of categories, as in [{\"identifier\": \"social_post\"}]: \(error)")
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
  private static let simulatorBundle = Option<String?>.optional(
    "simulator-bundle", .text.named("bundle-id"), help: "For xcrun simctl push: the app in the simulator.")

  private static let make = Command(
    "make", abstract: "Write a payload for a sender, or for the simulator.",
    discussion: "What it writes lints clean, and is counted, be it rich or text-only.",
    examples: [
      "pushlift payload make --title Hello --category social_post --media-url https://example.com/photo.jpg",
      "pushlift payload make --title Hello --simulator-bundle com.example.app > hello.apns",
    ],
    options: [title, body, category, mediaURL, mediaKey, simulatorBundle]
  ) { arguments in
    var draft = PayloadDraft()
    draft.title = arguments[title]
    draft.body = arguments[body]
    draft.category = arguments[category]
    draft.mediaURL = arguments[mediaURL]
    draft.mediaKey = arguments[mediaKey]
    draft.simulatorBundle = arguments[simulatorBundle]
    if let flaw = draft.flaw { throw arguments.usageError(flaw) }
    try Terminal.write(Array(draft.json.utf8))
  }
}

/// A file that was checked, as JSON.
private struct LintedFile: Encodable {
  struct Finding: Encodable {
    let code: String
    let severity: String
    let line: Int
    let column: Int
    let message: String
    let remedy: String
  }

  let file: String
  let valid: Bool
  let rich: String
  let mediaKind: String?
  let mediaKey: String?
  let category: String?
  let extensionRuns: String
  let findings: [Finding]

  init(_ file: String, _ report: PayloadReport, _ bytes: [UInt8]) {
    self.file = file
    valid = report.isValid
    rich = report.richness.rawValue
    mediaKind = report.mediaKinds.isEmpty ? nil : report.mediaKinds.map(\.rawValue).joined(separator: "+")
    mediaKey = report.mediaKey
    category = report.category
    extensionRuns = report.extensionRuns.rawValue
    findings = report.findings.map { finding in
      let place = TextPlace(of: finding.offset, in: bytes)
      return Finding(
        code: finding.code, severity: finding.severity.rawValue, line: place.line, column: place.column,
        message: finding.message, remedy: finding.remedy)
    }
  }
}

private struct PayloadError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
