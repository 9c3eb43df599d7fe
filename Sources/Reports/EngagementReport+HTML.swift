internal import Dashboards
internal import EngagementEvents
internal import EventStore
internal import Postgres
internal import Projections

extension EngagementReport {
  /// The report as one page that needs nothing but itself: no script, no request, for browsers and for mail.
  package var html: [UInt8] {
    let policy: HTML = """
      <meta name="referrer" content="no-referrer">
      <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
      """
    return HTML.page(
      title: title, policy: policy, style: PageTemplate.style, content: HTML(template: .report, places))
  }

  var title: HTML {
    "\(query.app.name): rich against text-only notifications, \(rates.period)"
  }

  var query: RateQuery { rates.result.query }

  /// What fills the template's places.
  var places: [String: HTML] {
    [
      "kind":
        "\(HTML.name(query.app.name)) · rich against text-only notifications · \(rates.period) (\(query.zone))",
      "answer": "\(rates.answer)", "notes": HTML(notes, separator: "\n"), "frame": frame,
      "forest": forest, "categories": armTable, "trendNote": "\(trendNote)", "trend": trendFigure,
      "funnel": funnelFigure, "actions": actionFigure, "fallbacks": fallbackFigure, "leftOut": leftOut,
      "arms": armSections,
      "window": "\(Format.window(query.windowSeconds))", "armRule": "\(query.armRule.meaning)",
      "metric": "\(query.metric.eventWords.capitalisedFirst)", "metricMeaning": "\(query.metric.meaning)",
      "confidence": "\(Format.confidence(rates.confidence))",
      "family": "\(rates.familySize) with a verdict", "definitionVersion": "\(Metric.definitionVersion)",
    ]
  }

  /// What one must know beside the answer.
  private var notes: [HTML] {
    var notes: [HTML] = [note(rates.assignment.sentence, isWarning: rates.assignment.isSampleRatioMismatch)]
    if let warning = balanceWarning { notes.append(note(warning, isWarning: true)) }
    notes += rates.sourceLines.map { note($0, isWarning: true) }
    if let warning = rates.simpsonWarning { notes.append(note(warning, isWarning: true)) }
    if !rates.pooled.leftOut.isEmpty {
      notes.append(
        note("In the comparison by category but not in the answer: \(rates.leftOutNames).", isWarning: true))
    }
    let devices = rates.result.total.devices
    if devices > 0, devices < Comparison.fewDevices {
      notes.append(
        note(
          "Few devices (\(Format.count(devices))): how alike a device's notifications are is hardly known.",
          isWarning: true))
    }
    return notes
  }

  private func note(_ words: String, isWarning: Bool) -> HTML {
    "<p class=\"note\(isWarning ? " warning" as HTML : "")\">\(words)</p>"
  }

  /// What was counted, and how far the log had been read.
  private var frame: HTML {
    let checkpoint = rates.result.checkpoint
    let rows: [(String, String)] = [
      (
        "Counted",
        query.metric.id + (query.category.map { ", category \(Comparison.Scope.category($0).name)" } ?? "")
      ),
      ("Delivered", "\(rates.period), days of \(query.zone)"),
      ("Window", "\(Format.window(query.windowSeconds)) from the delivery"),
      ("Rich", "as \(query.armRule.rawValue)"),
      (
        "Read up to",
        "position \(checkpoint.position)"
          + (checkpoint.watermark.map { ", arrived \(Timestamp($0).rfc3339)" } ?? "")
      ),
      ("Definitions", "version \(Metric.definitionVersion)"),
    ]
    let lines = rows.map { "<tr><th scope=\"row\">\($0.0)</th><td>\($0.1)</td></tr>\n" as HTML }
    return "<table class=\"frame\">\n\(lines)</table>"
  }

  private var trendNote: String {
    var words =
      query.metric.eventWords.capitalisedFirst + " of those delivered on a day, all categories added up"
    if trend.step > 1 { words += trend.step == 7 ? ", by week" : ", every \(trend.step) days" }
    if let first = trend.points.first?.firstDay, let last = trend.points.last?.lastDay {
      words += "; \(first.text) to \(last.text)"
    }
    return words + "." + trendRemarks.map { " \($0)" }.joined()
  }
}

extension RateReport {
  /// `2026-11-01 to 2026-11-28`, `2026-11-28`, `all days`.
  var period: String {
    switch (result.query.firstDay?.text, result.query.lastDay?.text) {
    case (nil, nil): "all days"
    case (let first?, nil): "from \(first)"
    case (nil, let last?): "up to \(last)"
    case (let first?, let last?): first == last ? first : "\(first) to \(last)"
    }
  }

  /// The same as part of a sentence: `deliveries of 2026-11-28`, `deliveries from 2026-11-01`, `all deliveries`.
  var deliveries: String {
    switch (result.query.firstDay, result.query.lastDay) {
    case (nil, nil): "all deliveries"
    case (nil, _), (_, nil): "deliveries \(period)"
    case (_?, _?): "deliveries of \(period)"
    }
  }

  /// What the query selects and no figure counts yet, as a sentence; nil where there is no such thing.
  package var immatureSentence: String? {
    let category = result.query.category
    let facts = category.map { result.facts[ExactText($0)] ?? CategoryFacts() } ?? result.total
    let immature = facts.rich.immature + facts.text.immature
    guard immature > 0 else { return nil }
    let (were, they) = immature == 1 ? ("was", "it counts") : ("were", "they count")
    return
      "\(Format.count(immature)) \(were) delivered too recently: \(they) once \(Format.window(result.query.windowSeconds)) have passed."
  }
}

extension ArmRule {
  fileprivate var meaning: String {
    let text = " All others are text-only."
    return switch self {
    case .intended:
      "Rich is what was meant to carry an image, GIF, video or audio, whether or not the device could show it."
        + text
    case .shown: "Rich is what an image, GIF, video or audio was really attached to." + text
    case .shownOrInterface:
      "Rich is what an image, GIF, video or audio was really attached to, or a custom view was drawn for."
        + text
    }
  }
}

extension String {
  fileprivate var capitalisedFirst: String { prefix(1).uppercased() + dropFirst() }
}
