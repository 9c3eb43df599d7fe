#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// Owner and permissions of a file; symbolic links are not followed unless that is asked for.
struct FileStatus {
  let owner: uid_t
  let group: gid_t
  let mode: mode_t
  /// The same for all paths that lead to one file.
  let identity: Identity

  struct Identity: Equatable {
    let device: dev_t
    let inode: ino_t
  }

  /// Nil where there is nothing at `path`, or nothing that this process may see.
  init?(path: String, followingLinks: Bool = true) {
    var status = stat()
    guard (followingLinks ? stat(path, &status) : lstat(path, &status)) == 0 else { return nil }
    owner = status.st_uid
    group = status.st_gid
    mode = status.st_mode
    identity = Identity(device: status.st_dev, inode: status.st_ino)
  }

  var isDirectory: Bool { mode & S_IFMT == S_IFDIR }

  /// Whether only the owner may do anything with it.
  var isPrivate: Bool { mode & 0o077 == 0 }

  /// Whether a user may go through this folder.
  func isPassable(user: uid_t, group userGroup: gid_t) -> Bool {
    if user == owner { return mode & S_IXUSR != 0 }
    if userGroup == group { return mode & S_IXGRP != 0 }
    return mode & S_IXOTH != 0
  }
}
