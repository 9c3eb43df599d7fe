internal import EngagementEvents

/// What a line of one of our own exports tells of a reply without its text.
enum ExportedReply: Equatable {
  case none
  /// Nothing was typed, and of that the length tells all.
  case empty
  case withheld(WithheldReply)

  /// - Parameter line: the event as JSON.
  init(in line: TapeNode) {
    if let length = line.member("replyLength")?.told.flatMap({ Int($0) }),
      0...EventLimits.replyTextBytes ~= length
    {
      self = length == 0 ? .empty : .withheld(WithheldReply(length: length))
    } else if line.member("replyWithheld")?.isTrue == true {
      self = .withheld(WithheldReply(length: nil))
    } else {
      self = .none
    }
  }
}
