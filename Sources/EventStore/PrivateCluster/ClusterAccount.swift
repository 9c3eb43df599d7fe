#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif
#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// The operating system's user that a private cluster runs as: one's own, but never root, which Postgres refuses.
struct ClusterAccount {
  let name: String
  let user: uid_t
  let group: gid_t

  /// Whether programs of the cluster need another user than this process has.
  var isOther: Bool { user != geteuid() }

  /// - Parameter directory: the cluster's folder; root acts as its owner, if that is somebody else, and as `postgres` where it is new.
  init(directory: String) throws(PrivateClusterError) {
    let own = geteuid()
    guard own == 0 else {
      self.init(name: "uid \(own)", user: own, group: getegid())
      return
    }
    if let owner = FileStatus(path: directory)?.owner, owner != 0, let entry = getpwuid(owner)?.pointee {
      self.init(name: String(cString: entry.pw_name), user: entry.pw_uid, group: entry.pw_gid)
      return
    }
    guard let postgres = Self.postgres else {
      throw PrivateClusterError(
        .accountMissing,
        "Postgres does not run as root, and there is no user postgres here: run pushlift as another user, or make one "
          + "with useradd --system postgres")
    }
    self = postgres
  }

  private init(name: String, user: uid_t, group: gid_t) {
    self.name = name
    self.user = user
    self.group = group
  }

  /// The account that Postgres' packages make; nil where they are not installed.
  static var postgres: ClusterAccount? {
    guard let entry = getpwnam("postgres")?.pointee else { return nil }
    return ClusterAccount(name: "postgres", user: entry.pw_uid, group: entry.pw_gid)
  }

  /// The command line that runs `arguments` as this account.
  func command(_ arguments: [String]) throws(PrivateClusterError) -> [String] {
    guard isOther else { return arguments }
    for folder in ["/usr/bin", "/bin", "/usr/sbin", "/sbin"] {
      let setpriv = folder + "/setpriv"
      if FileManager.default.isExecutableFile(atPath: setpriv) {
        return [setpriv, "--reuid=\(user)", "--regid=\(group)", "--init-groups", "--"] + arguments
      }
    }
    for folder in ["/usr/sbin", "/sbin", "/usr/bin", "/bin"] {
      let runuser = folder + "/runuser"
      if FileManager.default.isExecutableFile(atPath: runuser) {
        return [runuser, "-u", name, "--"] + arguments
      }
    }
    for su in ["/bin/su", "/usr/bin/su"] where FileManager.default.isExecutableFile(atPath: su) {
      return [su, "-s", "/bin/sh", name, "-c", "exec \"$0\" \"$@\"", "--"] + arguments
    }
    throw PrivateClusterError(
      .accountMissing,
      "none of setpriv, runuser and su is here to run Postgres as \(name): install util-linux")
  }

  /// The first folder on the way to `directory`, from the root, that this account cannot pass; nil where the way is open.
  func obstacle(onTheWayTo directory: String) -> String? {
    guard isOther else { return nil }
    var path = ""
    for part in directory.split(separator: "/").dropLast() {
      path += "/" + part
      guard let status = FileStatus(path: path) else { return nil }
      if !status.isPassable(user: user, group: group) { return path }
    }
    return nil
  }

  /// Gives a file or folder to this account.
  func adopt(_ path: String) throws(PrivateClusterError) {
    guard isOther, chown(path, user, group) != 0 else { return }
    let reason = String(cString: strerror(errno))
    throw PrivateClusterError(.system, "cannot give \(path) to \(name): \(reason)")
  }
}
