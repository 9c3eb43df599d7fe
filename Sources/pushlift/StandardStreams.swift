internal import Foundation

/// Standard input, output and error, which whoever starts a command may have closed (`>&-`).
enum StandardStreams {
  /// Called before anything is opened: the first file or connection would get the number of a closed stream, and what is printed would
  /// be written into it.
  ///
  /// What takes the place of input cannot be read, and of output not be written, so that a command which needs them says so. What takes
  /// the place of errors swallows them: there is nobody to tell.
  static func holdClosed() {
    for (descriptor, mode) in [
      (STDIN_FILENO, O_WRONLY), (STDOUT_FILENO, O_RDONLY), (STDERR_FILENO, O_WRONLY),
    ] where fcntl(descriptor, F_GETFD) < 0 {
      // The lowest free number, which this is, those before it being open.
      _ = open("/dev/null", mode)
    }
  }
}
