internal import EngagementEvents
internal import Foundation

/// What an answer means for the events that were sent.
enum UploadVerdict: Equatable {
  /// The server has all of them for good: stored, or put aside with a reason.
  case settled(accepted: Int, duplicates: Int, rejected: [RejectedEvent])
  /// They were too many for one request.
  case tooLarge
  /// The same again will not do later.
  case refused(code: String?, message: String?)
  /// Later, perhaps.
  case retry(after: Duration?, reason: String)

  /// Judges an answer to so many events.
  ///
  /// A success has to be in the server's own words: a wireless network's login page answers 200 too.
  init(_ response: UploadResponse, eventCount: Int, now: Timestamp) {
    let status = response.status
    switch status {
    case 200...299, 422:
      if let settlement = Settlement(response.body, eventCount: eventCount) {
        self = .settled(
          accepted: settlement.accepted, duplicates: settlement.duplicates, rejected: settlement.rejected)
      } else if status == 422 {
        self = .refused(code: nil, message: nil)
      } else {
        self = .retry(after: nil, reason: "status \(status) with a body that is not the server's")
      }
    case 413: self = .tooLarge
    case 408, 429, 500...599:
      let wait = RetryAfter.duration(
        response.header("Retry-After"), date: response.header("Date"), now: now)
      self = .retry(after: wait, reason: "status \(status)")
    case 400...499:
      let refusal = try? JSONDecoder().decode(Refusal.self, from: response.body)
      self = .refused(code: refusal?.error.code, message: refusal?.error.message)
    default: self = .retry(after: nil, reason: "status \(status)")
    }
  }
}

/// The body of 200, 207 and 422.
private struct Settlement: Decodable {
  let accepted: Int
  let duplicates: Int
  let rejected: [RejectedEvent]

  init?(_ body: Data, eventCount: Int) {
    guard let settlement = try? JSONDecoder().decode(Settlement.self, from: body) else { return nil }
    self = settlement
    guard accepted >= 0, duplicates >= 0, accepted + duplicates + rejected.count == eventCount else {
      return nil
    }
  }
}

/// The body of the other refusals.
private struct Refusal: Decodable {
  struct Fault: Decodable {
    let code: String
    let message: String
  }
  let error: Fault
}
