internal import Dashboards
internal import EventStore
internal import Postgres
package import Projections

/// The report as a page that its reader steers, without a script: a form above that asks for another one by a link.
package struct DashboardPage: Sendable {
  /// Where it is served.
  package static let path = "/dashboard"

  /// Who looks at it.
  package enum Viewer: Sendable {
    /// Whoever is on this machine; the apps to choose from.
    case anyone(apps: [String])
    /// The bearer of a key of this app.
    case key(app: String)
  }

  /// What the address asks for, as it was written.
  package struct Choice: Sendable, Hashable {
    /// In the form's order; those left empty are not there.
    package var values: [Field: String] = [:]

    package init() {}

    package subscript(field: Field) -> String? { values[field] }

    /// The address of the page that this chooses.
    package var link: String {
      let items = Field.allCases.compactMap { field in values[field].map { (field.rawValue, $0) } }
      return items.isEmpty ? path : "\(path)?\(QueryText.encoded(items))"
    }

    func changing(_ changes: [Field: String?]) -> Choice {
      var other = self
      for (field, value) in changes { other.values[field] = value }
      return other
    }
  }

  /// What can be chosen, by its name in the address.
  package enum Field: String, Sendable, Hashable, CaseIterable {
    case app, from, to, metric, button, window, zone
    case richMeans = "rich-means"
    case details
  }

  private let viewer: Viewer
  private let choice: Choice
  private let frames: [RateFrame]

  /// - Parameter frames: the zones and windows that the app keeps beside its own, which the form offers.
  package init(_ viewer: Viewer, _ choice: Choice, frames: [RateFrame] = []) {
    self.viewer = viewer
    self.choice = choice
    self.frames = frames
  }

  /// The whole style of every page, as it stands between the tags: what a Content-Security-Policy names by its hash.
  package static let styleElement = "\n" + style

  private static let style = PageTemplate.style + PageTemplate.formStyle

  /// The page with a report.
  package func html(_ report: EngagementReport) -> [UInt8] {
    let content: [HTML] = [
      bar, form(report), partsNote(report), HTML(template: .report, report.places),
    ]
    return Self.page(report.title, HTML(content, separator: "\n"))
  }

  /// The page with a word instead of a report.
  package func html(saying words: String, isError: Bool) -> [UInt8] {
    let note: HTML = "<p class=\"note\(isError ? " error" as HTML : "")\" role=\"alert\">\(words)</p>"
    return Self.page("pushlift", "\(bar)\n\(form(nil))\n\(note)\n")
  }

  /// The page that asks for a key.
  ///
  /// - Parameters:
  ///   - words: why, if not just so.
  ///   - choice: what to show then.
  package static func login(saying words: String?, for choice: Choice) -> [UInt8] {
    let note: HTML = words.map { "<p class=\"note error\" role=\"alert\">\($0)</p>" } ?? ""
    return page(
      "pushlift: log in",
      HTML(
        template: .login, ["note": note, "return": .fieldValue(String(choice.link.dropFirst(path.count)))])
    )
  }

  /// A page with nothing but a few words.
  package static func message(_ words: String) -> [UInt8] {
    page("pushlift", "<p class=\"note\" role=\"alert\">\(words)</p>\n")
  }

  /// A page that asks for itself once more. A link from another site comes without the cookie; what this page asks for
  /// does not.
  package static func again(_ choice: Choice) -> [UInt8] {
    let link = HTML.fieldValue(choice.link)
    return HTML.page(
      title: "pushlift", policy: "<meta http-equiv=\"refresh\" content=\"0; url=\(link)\">", style: style,
      content: "<p><a href=\"\(link)\">Go on</a></p>\n")
  }

  private static func page(_ title: HTML, _ content: HTML) -> [UInt8] {
    HTML.page(title: title, policy: "", style: style, content: content)
  }

  private var bar: HTML {
    switch viewer {
    case .anyone: "<div class=\"bar\"><p>pushlift</p></div>"
    case .key(let app):
      """
      <div class="bar"><p>\(HTML.name(app))</p>
      <form method="post" action="\(Self.path)/logout"><button>Log out</button></form></div>
      """
    }
  }

  /// Says what was left unread, and offers to read it.
  private func partsNote(_ report: EngagementReport) -> HTML {
    guard !report.parts.isSuperset(of: .perUnit) else { return "" }
    let buttons: HTML = report.parts.contains(.actions) ? "Reasons" : "Buttons, reasons"
    let link = HTML.fieldValue(choice.changing([.details: "1"]).link)
    let units = report.rates.result.total.rich.units + report.rates.result.total.text.units
    return """
      <p class="note">\(buttons) of fallbacks and the make-up of the arms are left out: with \
      \(Format.count(units)) notifications they take a while. <a href="\(link)">Show them too</a></p>
      """
  }
}

extension DashboardPage {
  private func form(_ report: EngagementReport?) -> HTML {
    var fields: [HTML] = []
    if case .anyone(let apps) = viewer { fields.append(select(.app, "App", apps.map { ($0, $0) })) }
    fields += [
      input(.from, "Delivered from", type: "date"), input(.to, "to, inclusive", type: "date"),
      select(.metric, "Metric", Metric.simple.map { ($0.id, $0.id) }),
      input(.button, "One button", placeholder: "of metric action"),
      input(
        .window, "Within", placeholder: report.map { Self.duration($0.query.app.windowSeconds) } ?? "24h",
        offering: frames.map { Self.duration($0.windowSeconds) }),
      input(
        .zone, "Days of zone", placeholder: report?.query.app.zone ?? "UTC", offering: frames.map(\.zone)),
      select(.richMeans, "Rich means", ArmRule.allCases.map { ($0.rawValue, "as \($0.rawValue)") }),
      """
      <label class="check"><input type="checkbox" name="details" value="1"\
      \(choice[.details] == "1" ? " checked" as HTML : "")> Look at each notification</label>
      """,
      "<button>Show</button>",
    ]
    return """
      <div class="chooser">
      <form class="choose" method="get" action="\(Self.path)">
      \(HTML(fields, separator: "\n"))
      </form>
      \(periods(report))</div>
      """
  }

  /// Links to usual periods, up to the last day that counts.
  private func periods(_ report: EngagementReport?) -> HTML {
    guard let last = report?.lastDay else { return "" }
    let links = [7, 28, 90].map { days -> HTML in
      let first = PostgresDate(daysSince1970: last.daysSince1970 - Int32(days) + 1).text
      return link("\(days) days", choice.changing([.from: first, .to: last.text]))
    }
    return """
      <ul class="periods">
      \(HTML(links + [link("All days", choice.changing([.from: nil, .to: nil]))], separator: "\n"))
      </ul>

      """
  }

  private func link(_ words: String, _ choice: Choice) -> HTML {
    "<li><a href=\"\(HTML.fieldValue(choice.link))\">\(words)</a></li>"
  }

  /// - Parameter values: what is offered beside what can be typed; those of the app itself stand in the placeholder.
  private func input(
    _ field: Field, _ label: String, type: String = "text", placeholder: String = "",
    offering values: [String] = []
  ) -> HTML {
    let options = Set(values).subtracting([placeholder]).sorted().map { value -> HTML in
      "<option value=\"\(HTML.fieldValue(value))\"></option>"
    }
    let list: HTML = options.isEmpty ? "" : " list=\"kept-\(field.rawValue)\""
    let kept: HTML =
      options.isEmpty
      ? "" : "<datalist id=\"kept-\(field.rawValue)\">\(HTML(options, separator: ""))</datalist>"
    return """
      <label>\(label)
      <input type="\(type)" name="\(field.rawValue)" value="\(HTML.fieldValue(choice[field] ?? ""))" \
      placeholder="\(HTML.fieldValue(placeholder))" maxlength="256" autocomplete="off"\(list)></label>\(kept)
      """
  }

  private func select(_ field: Field, _ label: String, _ options: [(value: String, words: String)]) -> HTML {
    let items = options.map { option -> HTML in
      let isChosen = choice[field].map { $0 == option.value } ?? false
      return """
        <option value="\(HTML.fieldValue(option.value))"\(isChosen ? " selected" as HTML : "")>\(option.words)</option>
        """
    }
    return
      "<label>\(label)\n<select name=\"\(field.rawValue)\">\n\(HTML(items, separator: "\n"))\n</select></label>"
  }

  /// As windows are typed.
  private static func duration(_ seconds: Int) -> String {
    for (unit, size) in [("d", 86_400), ("h", 3_600), ("m", 60)]
    where seconds.isMultiple(of: size) && (unit != "d" || seconds > 172_800) {
      return "\(seconds / size)\(unit)"
    }
    return "\(seconds)s"
  }
}

extension EngagementReport {
  /// The last day with figures; nil where there is none.
  fileprivate var lastDay: PostgresDate? { trend.points.last?.lastDay }
}
