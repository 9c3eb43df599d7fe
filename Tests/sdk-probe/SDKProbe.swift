import EngagementEvents
import EngagementSDK
import Foundation

/// A process of an app, made to be killed: records events, each of a notification of its own, and sends them meanwhile.
///
/// Started again, it goes on where it knows that it was, and so records what it had begun once more, as an app does
/// whose response is reported again at its next start. It ends when nothing waits.
@main struct SDKProbe {
  static func main() async throws {
    let arguments = CommandLine.arguments
    guard arguments.count == 6, let endpoint = URL(string: arguments[1]), let first = Int(arguments[4]),
      let count = Int(arguments[5])
    else {
      FileHandle.standardError.write(Data("usage: sdk-probe ENDPOINT KEY FOLDER FIRST COUNT\n".utf8))
      exit(64)
    }
    let folder = URL(fileURLWithPath: arguments[3])
    var options = EngagementOptions()
    options.uploadDelay = .milliseconds(20)
    options.batchEvents = 300
    options.backoff = Backoff(base: .milliseconds(10), limit: .milliseconds(100))
    let log = ReportLog()
    let engagement = try Engagement(
      endpoint: endpoint, key: arguments[2], device: "probe", storage: .folder(folder), options: options,
      delegate: log,
      transport: URLSessionTransport(timeout: .seconds(1)))

    let progress = folder.appendingPathComponent("progress-\(first)")
    let known = (try? String(contentsOf: progress, encoding: .utf8)).flatMap { Int($0) } ?? first
    for number in known..<(first + count) {
      try record(number, engagement)
      // In one step, as the number is read by nobody else.
      try Data("\(number + 1)".utf8).write(to: progress, options: .atomic)
    }
    try await engagement.upload()
    // The delegate is held weakly.
    withExtendedLifetime(log) {}
  }

  /// Says on standard error what became of events.
  private final class ReportLog: EngagementDelegate {
    func engagement(_ engagement: Engagement, didReport report: EngagementReport) {
      FileHandle.standardError.write(Data("\(SystemClock().now) \(report)\n".utf8))
    }
  }

  private static func record(_ number: Int, _ engagement: Engagement) throws {
    let notification = NotificationReference(id: "n-\(number)", category: "probe")
    switch number % 3 {
    case 0:
      let delivery = try Delivery(
        attachments: [Attachment(kind: .image, bytes: Int64(number))], intended: [.image])
      try engagement.recordDelivered(notification, delivery, from: .serviceExtension)
    case 1: try engagement.recordExpanded(notification, from: .contentExtension)
    default: try engagement.recordAction("reply", on: notification, replyText: "Number \(number) 👋")
    }
  }
}
