import Foundation
import Testing

/// The queries of the dashboards that are provided for Grafana, as Grafana would send them.
enum GrafanaFiles {
  struct Query: Sendable {
    /// Dashboard and panel or variable.
    let name: String
    /// With Grafana's macros still in it.
    let raw: String
    let isTimeSeries: Bool
  }

  private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../Dashboards/grafana/dashboards").standardizedFileURL

  /// Every query of every panel and every variable, in the order of the files.
  static func queries() throws -> [Query] {
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    return try names.flatMap { name -> [Query] in
      let dashboard = try JSONDecoder().decode(
        Dashboard.self, from: Data(contentsOf: folder.appending(path: name)))
      let variables = dashboard.templating.list.filter { $0.type == "query" }.map {
        Query(name: "\(name): $\($0.name)", raw: $0.query, isTimeSeries: false)
      }
      let panels = dashboard.panels.flatMap { panel in
        panel.targets.map {
          Query(name: "\(name): \(panel.title)", raw: $0.rawSql, isTimeSeries: $0.format == "time_series")
        }
      }
      return variables + panels
    }
  }

  private struct Dashboard: Decodable {
    struct Panel: Decodable {
      struct Target: Decodable {
        let rawSql: String
        let format: String
      }
      let title: String
      let targets: [Target]
    }
    struct Templating: Decodable {
      struct Variable: Decodable {
        let name: String
        let type: String
        let query: String
      }
      let list: [Variable]
    }
    let panels: [Panel]
    let templating: Templating
  }

  /// Expands the macros of Grafana's Postgres data source, and variables: `$name` and `${name:raw}`; those with several
  /// values as a list in quotes.
  ///
  /// - Parameters:
  ///   - from: RFC 3339.
  ///   - interval: as `$__interval` has it.
  static func expanded(
    _ raw: String, from: String, to: String, interval: String = "1m", _ variables: [String: [String]]
  ) -> String {
    var text = raw.replacing("$__interval", with: interval)
    for (name, values) in variables.sorted(by: { $0.key.count > $1.key.count }) {
      let quoted = values.map { "'" + $0.replacing("'", with: "''") + "'" }.joined(separator: ",")
      text = text.replacing("${\(name):raw}", with: values.joined(separator: ","))
      // Within quotes of the query's own a value stands as it is.
      text = text.replacing("'$\(name)'", with: quoted).replacing("$\(name)", with: quoted)
    }
    text = text.replacing(/\$__timeFilter\(([^)]*)\)/) { "\($0.1) BETWEEN '\(from)' AND '\(to)'" }
    text = text.replacing(/\$__timeGroup(Alias)?\(([^,]*), '?(\d+[smhd])'?\)/) { match in
      let seconds = seconds(match.3)
      let group = "floor(extract(epoch from \(match.2))/\(seconds))*\(seconds)"
      return match.1 == nil ? group : group + " AS \"time\""
    }
    return text.replacing("$__timeFrom()", with: "'\(from)'").replacing("$__timeTo()", with: "'\(to)'")
  }

  private static func seconds(_ interval: Substring) -> Int {
    let sizes: [Character: Int] = ["s": 1, "m": 60, "h": 3_600, "d": 86_400]
    return (Int(interval.dropLast()) ?? 1) * (interval.last.flatMap { sizes[$0] } ?? 1)
  }
}
