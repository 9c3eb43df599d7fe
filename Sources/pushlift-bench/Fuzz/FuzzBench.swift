internal import Arguments
internal import Simulation

/// `pushlift-bench fuzz`.
enum FuzzBench {
  private static let seconds = Option<Int>(
    "seconds", .integer(in: 1...86_400), default: 60, help: "How long to try.")
  private static let executions = Option<Int?>.optional(
    "executions", .integer(in: 1...10_000_000_000), help: "Stop after so many bodies, however long it takes.")
  private static let seed = Option<Int>(
    "seed", .integer(in: 0...Int.max), default: 1, help: "Where the sequence of bodies begins.")

  static let command = Command(
    "fuzz",
    abstract:
      "Broken bodies and files: none may crash the decoder or a linter, or come through with a reply's text.",
    discussion: """
      Bodies are events with up to eight bytes or stretches changed, as JSON and as NDJSON. Each is decoded as it would be \
      when posted. Exit code 1, with the body in hexadecimal, if a rejected event with up to two bytes changed keeps a part of \
      its reply or device id, if a line hides its neighbours, or if an accepted event is another one once written and read \
      again. A body in ten is a file for pushlift payload lint or category lint instead: no finding may lie outside of it or \
      take more than a line, and what is a valid file of categories has to be read as one.
      """,
    options: [seconds, executions, seed]
  ) { arguments in
    var fuzz = DecoderFuzz(seed: UInt64(arguments[seed]))
    var lint = LintFuzz(seed: UInt64(arguments[seed]))
    let start = ContinuousClock.now
    let limit = arguments[executions]
    let deadline = start + .seconds(arguments[seconds])
    while limit.map({ fuzz.executions < $0 }) ?? (ContinuousClock.now < deadline) {
      for _ in 0..<1_000 { try fuzz.step() }
      for _ in 0..<100 { try lint.step() }
    }
    let time = (ContinuousClock.now - start) / .seconds(1)
    say(
      "\(fuzz.executions) bodies in \(Int(time.rounded())) s: \(fuzz.accepted) events accepted, \(fuzz.rejected) rejected, "
        + "\(fuzz.refused) bodies refused as a whole; \(lint.executions) files linted, \(lint.valid) valid; nothing found"
    )
  }
}
