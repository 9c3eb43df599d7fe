internal import EngagementEvents
internal import Foundation
internal import Payloads

/// Files that a command is given to read as a whole.
enum InputFile {
  /// - Parameter path: `-` for standard input.
  static func bytes(of path: String) throws -> [UInt8] {
    if path == "-" { return Array(FileHandle.standardInput.readDataToEndOfFile()) }
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
      throw InputFileError("\(path) is not there.")
    }
    guard !isFolder.boolValue else { throw InputFileError("\(path) is a folder; name the files in it.") }
    // A pipe will do as well.
    guard let file = FileHandle(forReadingAtPath: path), let data = try? file.readToEnd() ?? Data() else {
      throw InputFileError("\(path) cannot be read; look at its permissions.")
    }
    return Array(data)
  }

  /// The registry that a file holds, and what the linter has to say of it.
  ///
  /// - Throws: with the first error that the linter finds.
  static func registry(_ path: String) throws -> (registry: CategoryRegistry, findings: [String]) {
    try registry(path, try bytes(of: path))
  }

  /// The names of the categories that a file holds, be it a registry or a plain list of names.
  ///
  /// - Throws: with the first error that the linter finds.
  static func categoryNames(_ path: String) throws -> Set<String> {
    let bytes = try bytes(of: path)
    return try CategoryLint.names(in: bytes)
      ?? Set(registry(path, bytes).registry.categories.map(\.category.text))
  }

  private static func registry(
    _ path: String, _ bytes: [UInt8]
  ) throws -> (registry: CategoryRegistry, findings: [String]) {
    let report = CategoryLint.report(on: bytes)
    let lines = report.findings.filter { $0.severity != .note }.lines(file: path, bytes: bytes)
    guard report.isValid else {
      let errors = report.findings.filter { $0.severity == .error }
      let more = errors.count > 1 ? " (and \(errors.count - 1) more: pushlift category lint \(path))" : ""
      throw InputFileError(errors.prefix(1).lines(file: path, bytes: bytes).joined() + more)
    }
    do {
      return (try JSONDecoder().decode(CategoryRegistry.self, from: Data(bytes)), lines)
    } catch {
      throw InputFileError("\(path) cannot be read as categories: \(error)")
    }
  }
}

struct InputFileError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
