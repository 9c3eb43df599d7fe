/// What an `action` event tells beside the fields that every event has.
public struct ActionTaken: Sendable, Hashable {
  /// What the person did.
  public let actionID: ActionID
  /// What the person typed; nil if nothing was asked for or told, which is not the same as an empty reply.
  public let replyText: ReplyText?

  /// Makes an action of its parts, which are valid already.
  public init(actionID: ActionID, replyText: ReplyText? = nil) {
    self.actionID = actionID
    self.replyText = replyText
  }
}
