internal import Arguments
internal import EventStore
internal import Foundation
internal import Projections
internal import Reports

/// `pushlift doctor`.
enum DoctorCommand {
  private enum Format: String, CaseIterable, Sendable {
    case text, csv, json
  }

  private static let format = Option<Format>(
    "format", .choice, default: .text, help: "How to print what was found.")

  static let command = Command(
    "doctor", abstract: "Look for what endangers the store or hides something from the figures.",
    discussion: """
      Looks at the server's version and the settings on which durability depends, schema, rights, the device secret, \
      partitions, keys, disk and clock; whether events are aggregated, tables analysed and vacuumed; and what the events \
      give away: rejected ones, text-only pushes that are never seen, interactions without a delivery, impossible times.

      Says of each whether it is ok, a warning or a fault, and what to do. Leaves with 1 if there is a fault.
      """,
    examples: ["pushlift doctor", "pushlift doctor --format json"],
    options: SharedOptions.store + [format]
  ) { arguments in
    try await SharedOptions.withStore(arguments, prepares: false) { opened in
      let environment = ProcessInfo.processInfo.environment
      let store = StoreDiagnosis(opened, environment: environment).run()
      let findings = store.findings + (store.isUsable ? ProjectionDiagnosis(opened.store).run() : [])
      try print(findings, arguments[format])
      let faults = findings.count { $0.severity == .fault }
      guard faults == 0 else {
        throw StoreError(.database, faults == 1 ? "There is a fault." : "There are \(faults) faults.")
      }
    }
  }

  private static func print(_ findings: [Finding], _ format: Format) throws {
    guard format != .text else {
      for finding in findings { try Terminal.print(line(finding)) }
      return
    }
    var listing = Listing(["check", "severity", "message", "remedy"])
    for finding in findings {
      listing.append([
        .text(finding.check), .text(finding.severity.rawValue), .text(finding.message), .init(finding.remedy),
      ])
    }
    try listing.print(format == .csv ? .csv : .json, empty: "")
  }

  private static func line(_ finding: Finding) -> String {
    let head =
      finding.severity.rawValue.padding(toLength: 9, withPad: " ", startingAt: 0)
      + finding.check.padding(toLength: 13, withPad: " ", startingAt: 0)
    let remedy = finding.remedy.map {
      "\n" + String(repeating: " ", count: 22) + "→ " + TextTable.visible($0)
    }
    return head + TextTable.visible(finding.message) + (remedy ?? "")
  }
}
