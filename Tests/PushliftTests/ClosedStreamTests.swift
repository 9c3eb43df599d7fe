import Foundation
import TestSupport
import Testing

/// Commands that were started without a standard input, output or error.
@Suite(.store) struct ClosedStreamTests {
  private static let redirections = ["<&-", ">&-", "2>&-", "<&- >&-", "<&- 2>&-", ">&- 2>&-", "<&- >&- 2>&-"]

  /// What is printed would otherwise go into the first file or connection that gets the number.
  @Test(arguments: redirections) func nothingIsPrintedIntoAFileThatWasOpened(redirection: String) throws {
    let sandbox = try Sandbox()
    _ = try sandbox.makeKey()
    let locks = ["users.lock", "cluster.lock"].map { sandbox.data + "/cluster/" + $0 }
    for line in ["rates", "key list", "rates --app none", "export --output events.ndjson", "aggregate"] {
      let output = try sandbox.shell("\"$PUSHLIFT\" \(line) \(redirection)")
      let isPrinting =
        !line.hasPrefix("export") && redirection.contains(">&- ") || redirection.hasSuffix(" >&-")
        || redirection == ">&-"
      if line == "key list", isPrinting {
        #expect(output.status == 1)
        if !redirection.contains("2>") {
          #expect(output.err == "Error: standard output cannot be written: Bad file descriptor.\n")
        }
      }
      for lock in locks {
        #expect(
          try FileManager.default.attributesOfItem(atPath: lock)[.size] as? Int == 0, "\(line): \(lock)")
      }
      #expect(sandbox.postmaster == nil)
    }
    let events = sandbox.folder + "/events.ndjson"
    #expect(try FileManager.default.attributesOfItem(atPath: events)[.size] as? Int == 0)
  }

  @Test func aClosedInputIsNoEmptyOne() throws {
    let sandbox = try Sandbox(database: try TestDatabase.current)
    _ = try sandbox.makeKey()
    let output = try sandbox.shell("\"$PUSHLIFT\" import - --app shop <&-")
    #expect(output.status == 1, "\(output.out)")
    #expect(output.err.contains("cannot be read"), "\(output.err)")
  }
}
