/// Why pushlift's own Postgres could not be used.
package struct PrivateClusterError: Error, Sendable, CustomStringConvertible {
  package enum Code: Sendable, Hashable {
    /// No folder with `initdb` and `postgres` was found, or none of the version that wrote the data.
    case binariesMissing
    /// pushlift runs as root, and there is no other user to run Postgres as.
    case accountMissing
    /// A folder is closed to the user that Postgres runs as, or belongs to somebody else.
    case unreachable
    /// The folder holds something that pushlift did not put there.
    case foreignFolder
    /// Another process has held the cluster's lock for too long.
    case busy
    /// `initdb` failed.
    case initializationFailed
    /// Postgres did not come up in time.
    case startFailed
    /// Postgres runs, and takes no session.
    case unanswered
    /// Postgres did not go down in time.
    case stopFailed
    /// The operating system refused a call.
    case system
  }

  package let code: Code
  /// What happened, where, and how to mend it.
  package let message: String

  init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  package var description: String { message }
}
