internal import Arguments
internal import EngagementEvents
internal import EventStore
internal import Postgres
internal import Reports

/// `pushlift erase`.
enum EraseCommand {
  private static let check = Option<Bool>.flag(
    "check", help: "Erase nothing; tell what is left of the device, and leave with 1 where something is.")
  private static let paths = Argument<[String]>.repeated(
    "path", .path,
    help:
      "With --check: files and folders to look through as well, such as exports and logs. Unpack them first.")

  static let command = Command(
    "erase", abstract: "Forget a device: its replies, its dead letters, and whose its events were.",
    discussion: """
      Texts of replies and dead letters of the device are removed. Its events and units stay in the log and in the figures, \
      but under random names that nothing leads to. Every figure stays as it was, also as of earlier positions, and so does verify. \
      What the device sends again of the time before is not stored; what happens on it later is new. \
      The erasure is recorded. To erase a device again does no harm.

      It goes through the whole log: seconds for millions of events.
      """,
    examples: [
      "pushlift erase --device 6E1F2C0A --app shop",
      "pushlift erase --check --device 6E1F2C0A --app shop exports logs",
    ],
    options: SharedOptions.store + [SharedOptions.app, SharedOptions.device, check], arguments: [paths]
  ) { arguments in
    guard arguments[check] || arguments[paths].isEmpty else {
      throw arguments.usageError("files are looked through with --check only; nothing in them is erased.")
    }
    try await SharedOptions.withStore(arguments) { opened in
      let connection = try opened.store.connect(.administering)
      let app = try App.find(arguments[SharedOptions.app], on: connection)
      let device = arguments[SharedOptions.device]
      if arguments[check] {
        let secret = opened.store.secret
        let trace = try DeviceTrace(of: device, app: app.id, secret: secret, on: connection)
        for table in trace.tables { try Terminal.print("\(table.name): \(Format.count(table.rows, "row"))") }
        let files = FileTraces(
          of: device, keys: secret.deviceKeys(app: app.id, device: device), in: arguments[paths])
        try report(trace, files)
      } else {
        let record = try DeviceErasure(opened.store).run(device, of: app.id, requester: "command line")
        try Terminal.print(
          """
          erased from \(app.name), as of position \(record.position): \(count(record.replies, "reply", "replies")) and \
          \(count(record.deadLetters, "dead letter")) removed, \(count(record.events, "event")) of \
          \(count(record.units, "notification")) \(record.events == 1 ? "is" : "are") nobody's now
          """)
        if record.events == 0, record.replies == 0, record.deadLetters == 0 {
          Terminal.complain(
            "There was nothing of this device: ids are compared exactly, upper and lower case too.")
        }
      }
    }
  }

  /// Without commas, so that the line can be taken apart by programs.
  private static func count(_ number: Int, _ noun: String, _ plural: String? = nil) -> String {
    "\(number) \(Format.noun(number, noun, plural))"
  }

  private static func report(_ trace: DeviceTrace, _ files: FileTraces) throws {
    for file in files.found { try Terminal.print("\(file): has the device's id or key in it") }
    for file in files.packed { try Terminal.print("\(file): is packed: look through what is in it") }
    for path in files.special { Terminal.complain("\(path) is no file, and was skipped.") }
    for file in files.unread { Terminal.complain("\(file.path) cannot be read: \(file.reason).") }
    let erased = trace.erasedAt.map { "erased at \($0.rfc3339)" } ?? "never erased"
    guard trace.isEmpty, files.found.isEmpty else { throw DeviceIsLeft(erased: erased) }
    guard files.packed.isEmpty, files.unread.isEmpty else {
      throw NothingIsProved(files: files.packed.count + files.unread.count, erased: erased)
    }
    try Terminal.print("nothing is left (\(erased))")
    if trace.erasedAt == nil {
      Terminal.complain(
        "No device of this id was ever here: ids are compared exactly, upper and lower case too.")
    }
  }
}

/// Why `erase --check` leaves with 1 where it has found something.
private struct DeviceIsLeft: Error, CustomStringConvertible {
  let erased: String

  var description: String {
    "something of the device is left (\(erased)). pushlift erase removes what is in the store; rewrite or remove the files."
  }
}

/// Why `erase --check` leaves with 1 where it has found nothing in what it could look through.
private struct NothingIsProved: Error, CustomStringConvertible {
  let files: Int
  let erased: String

  var description: String {
    "the store has nothing of the device (\(erased)), but \(Format.count(files, "file")) could not be looked through."
  }
}
