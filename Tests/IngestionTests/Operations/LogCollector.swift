import Foundation
import Ingestion
import Synchronization

/// Keeps the lines of a log.
final class LogCollector: Sendable {
  private let kept = Mutex<[String]>([])

  var lines: [String] { kept.withLock { $0 } }

  func log(_ level: ServiceLog.Level = .info, _ format: ServiceLog.Format = .json) -> ServiceLog {
    ServiceLog(level: level, format: format) { line in
      self.kept.withLock { $0.append(String(decoding: line, as: UTF8.self)) }
    }
  }

  /// The lines with this message, parsed.
  func entries(_ message: String) throws -> [[String: Any]] {
    try lines.compactMap { line in
      let entry = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
      return entry?["message"] as? String == message ? entry : nil
    }
  }
}
