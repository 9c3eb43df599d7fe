internal import EngagementEvents

extension PayloadChecks {
  mutating func checkMedia(_ search: MediaSearch) {
    for candidate in search.candidates { check(candidate) }
    for misfit in search.misfits {
      note(
        "media_type", .error, misfit.node,
        "\(EventFault.escape(misfit.path.joined(separator: "."))) is \(misfit.node.typeName)",
        "write the media's URL as a string")
    }
    let usable = search.candidates.filter(\.isUsable)
    if search.candidates.count > 1 {
      let keys = search.candidates.prefix(5).map { EventFault.escape($0.key) }.joined(separator: ", ")
      findings.append(
        PayloadFinding(
          "media_multiple", .warning, at: search.candidates[1].offset,
          "media is named more than once: \(keys)",
          "the first usable one (\(usable.first.map { EventFault.escape($0.key) } ?? "none")) is taken here; your extension may take another"
        ))
    }
  }

  private mutating func check(_ candidate: MediaSearch.Candidate) {
    func add(_ code: String, _ severity: PayloadFinding.Severity, _ message: String, _ remedy: String) {
      findings.append(
        PayloadFinding(
          code, severity, at: candidate.offset, "\(EventFault.escape(candidate.key)): \(message)", remedy))
    }
    let url = candidate.url
    switch url.obstacle {
    case .invalid?: add("media_url_invalid", .error, "this is no URL", "write it as https://…")
    case .scheme(let scheme)?:
      add("media_url_scheme", .error, "nothing is fetched by \(scheme)", "serve it by https")
    case .page?:
      add("media_is_page", .warning, "this is a web page, and no media", "link the media file itself")
    case .unknownKind?:
      add(
        "media_no_extension", .warning, "nothing tells whether this is an image, audio or video",
        "end the URL in a file extension, or name the type beside it")
    case nil: break
    }
    if url.hasSpaceAround {
      add("media_url_whitespace", .warning, "there are blanks around the URL", "remove them")
    }
    if url.isPlainHTTP {
      let sender = candidate.known.map(\.sender) ?? ""
      let who = candidate.known?.requiresHTTPS == true ? "\(sender)'s SDK" : "App Transport Security"
      add("media_http", .warning, "plain http is usually refused by \(who)", "serve it by https")
    }
    if url.fault == nil, url.isRelative {
      add("media_url_relative", .warning, "the URL is relative", "your extension has to know the rest of it")
    }
    checkKind(candidate, add)
  }

  private func checkKind(
    _ candidate: MediaSearch.Candidate,
    _ add: (String, PayloadFinding.Severity, String, String) -> Void
  ) {
    let url = candidate.url
    if let name = url.fileExtension, MediaURL.kinds[name] != nil, !MediaURL.supported.contains(name) {
      add(
        "media_unsupported", .warning, "iOS attaches no .\(name)",
        "convert it: JPEG, PNG, GIF, MP3, WAV, AIFF, M4A, MP4, MPEG or AVI")
    }
    guard let hint = candidate.hint else { return }
    guard let hinted = MediaURL.kind(named: hint.text) else {
      return add(
        "media_hint_unknown", .warning, "the type beside it, \(quoted(hint.text)), is none",
        "write image, audio or video")
    }
    let named = hint.text.lowercased()
    if url.kind != .unknown, hinted != url.kind || named.contains("wave") && url.fileExtension == "mp3" {
      add(
        "media_hint_mismatch", .warning, "the type beside it says \(quoted(hint.text))",
        "let both say the same")
    }
  }
}
