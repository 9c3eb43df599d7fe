/// A page with places to fill, named in double braces.
package struct PageTemplate: Sendable {
  private enum Piece: Sendable {
    case text(String)
    case place(String)
  }

  private let pieces: [Piece]

  init(_ bytes: [UInt8]) {
    var pieces: [Piece] = []
    var rest = Substring(String(decoding: bytes, as: UTF8.self))
    while let start = rest.firstRange(of: "{{"), let end = rest[start.upperBound...].firstRange(of: "}}") {
      pieces.append(.text(String(rest[..<start.lowerBound])))
      pieces.append(.place(String(rest[start.upperBound..<end.lowerBound])))
      rest = rest[end.upperBound...]
    }
    self.pieces = pieces + [.text(String(rest))]
  }

  /// The page with its places filled, in one pass: braces in what is filled in mean nothing.
  ///
  /// - Parameter values: markup by the place's name; it is a programming error to leave one out.
  package func filled(_ values: [String: String]) -> String {
    pieces.reduce(into: "") { page, piece in
      switch piece {
      case .text(let text): page += text
      case .place(let name):
        guard let value = values[name] else { preconditionFailure("nothing for {{\(name)}}") }
        page += value
      }
    }
  }

  /// What every page has around its content.
  package static let page = PageTemplate(PackageResources.page_html)

  /// The content of a report.
  package static let report = PageTemplate(PackageResources.report_html)

  /// The content of the page that asks for a key.
  package static let login = PageTemplate(PackageResources.login_html)

  /// The style sheet of all pages: a few plain rules, since mail clients know no more.
  package static let style = String(decoding: PackageResources.page_css, as: UTF8.self)

  /// What the dashboard has beside it: its forms.
  package static let formStyle = String(decoding: PackageResources.dashboard_css, as: UTF8.self)
}
