package import Postgres

/// What can go wrong between pushlift and its store: what, where, and how to mend it.
package struct StoreError: Error, Sendable, CustomStringConvertible {
  package enum Code: String, Sendable {
    /// No server could be reached, or it went away.
    case unavailable
    /// The queue is full, or the store is stopping.
    case overloaded
    /// There is no store where one was looked for.
    case missing
    /// The schema is older or newer than this binary, or a migration was changed after it was applied.
    case schema
    /// The device secret is missing, unreadable or another one than before.
    case secret
    /// There is no such app, or several where one was meant.
    case app
    /// A name, zone or other value that cannot be.
    case invalidValue
    /// The private cluster could not be made or started.
    case cluster
    /// Postgres refused a statement.
    case database
  }

  package let code: Code
  /// What happened, and where.
  package let message: String
  /// What to do about it; nil where there is nothing to say beyond the message.
  package let remedy: String?
  /// The error of the database behind this one; nil where there is none.
  package let cause: PostgresError?
  /// Whether nobody knows if what was to be stored is: its commit was under way when the answer failed to come.
  package var mayBeStored = false

  package init(_ code: Code, _ message: String, remedy: String? = nil, cause: PostgresError? = nil) {
    self.code = code
    self.message = message
    self.remedy = remedy
    self.cause = cause
  }

  package init(_ cause: PostgresError) {
    self.init(cause.isConnectionLost ? .unavailable : .database, cause.description, cause: cause)
  }

  /// The same for those whose commit was under way.
  var ofCommitUnderWay: StoreError {
    var error = self
    error.mayBeStored = true
    return error
  }

  package var description: String {
    guard let remedy else { return message }
    return "\(message) \(remedy)"
  }
}
