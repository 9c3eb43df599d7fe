internal import EngagementEvents
internal import Foundation

/// What an answer means for the events that were sent.
enum UploadVerdict: Equatable {
  /// The server has all of them for good: stored, or put aside with a reason.
  case settled(accepted: Int, duplicates: Int, rejected: [RejectedEvent])
  /// They were too many for one request.
  ///
  /// - Parameter isCertain: whether it is the server that says so, and not a proxy before it.
  case tooLarge(isCertain: Bool)
  /// The same again will not do later.
  case refused(Refusal)
  /// The key is not known, or may not do this; which can be mended at the server.
  case keyRefused(Refusal)
  /// Later, perhaps.
  case retry(after: Duration?, reason: String)

  /// Why the server refuses, in its own words.
  struct Refusal: Equatable, Decodable {
    let code: String
    let message: String?
  }

  /// Judges an answer to so many events.
  ///
  /// A success and a refusal have to be in the server's own words: a wireless network's login page answers 200 or 403 too, and
  /// a proxy answers 404 while the server behind it is replaced.
  init(_ response: UploadResponse, eventCount: Int, now: Timestamp) {
    let status = response.status
    let refusal = Refusal(response.body)
    switch status {
    case 200...299, 422:
      if let settlement = Settlement(response.body, eventCount: eventCount) {
        self = .settled(
          accepted: settlement.accepted, duplicates: settlement.duplicates, rejected: settlement.rejected)
      } else if status == 422, let refusal {
        self = .refused(refusal)
      } else {
        self = .retry(after: nil, reason: Self.foreign(status))
      }
    case 413: self = .tooLarge(isCertain: refusal != nil)
    case 408, 429, 500...599:
      let wait = RetryAfter.duration(
        response.header("Retry-After"), date: response.header("Date"), now: now)
      self = .retry(after: wait, reason: "status \(status)")
    case 400...499:
      guard let refusal else {
        self = .retry(after: nil, reason: Self.foreign(status))
        return
      }
      self = [401, 403].contains(status) ? .keyRefused(refusal) : .refused(refusal)
    default: self = .retry(after: nil, reason: "status \(status)")
    }
  }

  /// Why an answer of this status does not count.
  static func foreign(_ status: Int) -> String { "status \(status) with a body that is not the server's" }
}

/// The body of 200, 207 and 422.
private struct Settlement: Decodable {
  let accepted: Int
  let duplicates: Int
  let rejected: [RejectedEvent]

  init?(_ body: Data, eventCount: Int) {
    guard let settlement = try? JSONDecoder().decode(Settlement.self, from: body) else { return nil }
    self = settlement
    // Whatever stands in the server's place may answer with any numbers, also with those that no sum can hold.
    guard (0...eventCount).contains(accepted), (0...eventCount).contains(duplicates),
      accepted + duplicates + rejected.count == eventCount
    else { return nil }
  }
}

extension UploadVerdict.Refusal {
  /// The body of the other refusals.
  private struct Body: Decodable { let error: UploadVerdict.Refusal }

  fileprivate init?(_ body: Data) {
    guard let body = try? JSONDecoder().decode(Body.self, from: body), !body.error.code.isEmpty else {
      return nil
    }
    self = body.error
  }
}
