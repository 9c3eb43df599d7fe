internal import EngagementEvents

extension PayloadChecks {
  mutating func checkMedia(_ search: MediaSearch) {
    for candidate in search.candidates { check(candidate) }
    for misfit in search.misfits { check(misfit: misfit.path, misfit.node) }
    checkSeveral(search)
    if search.candidates.isEmpty, push.hasAlert, let stray = search.strays.first {
      let key = EventFault.escape(stray.key)
      findings.append(
        PayloadFinding(
          "media_key_unknown", .note, at: stray.offset,
          "\(key) names media, but is no key that is known to be attached",
          "if your extension attaches it, lint with --media-key \(key)"))
    }
  }

  private mutating func check(misfit path: [String], _ node: PayloadNode) {
    let key = EventFault.escape(path.joined(separator: "."))
    if node.isNull {
      note("media_null", .note, node, "\(key) is null, so that nothing is attached", "leave the key out")
    } else {
      note("media_type", .error, node, "\(key) is \(node.typeName)", "write the media's URL as a string")
    }
  }

  private mutating func checkSeveral(_ search: MediaSearch) {
    var named = search.candidates
    if push.envelope == .firebase, named.contains(where: { $0.path.suffix(2) == ["fcm_options", "image"] }) {
      // Firebase sends iOS the one for it alone.
      named.removeAll { $0.path.suffix(2) == ["notification", "image"] || $0.path.contains("webpush") }
    }
    // One medium under the keys of several SDKs is one.
    var addresses: Set<String> = []
    named = named.filter { addresses.insert($0.text).inserted }
    guard named.count > 1 else { return }
    let keys = named.prefix(5).map { EventFault.escape($0.key) }.joined(separator: ", ")
    let usable = named.first(where: \.isUsable).map { EventFault.escape($0.key) } ?? "none"
    findings.append(
      PayloadFinding(
        "media_multiple", .warning, at: named[1].offset, "media is named more than once: \(keys)",
        "the first usable one (\(usable)) is taken here; your extension may take another"))
  }

  private typealias Add = (String, PayloadFinding.Severity, String, String) -> Void

  private mutating func check(_ candidate: MediaSearch.Candidate) {
    func add(_ code: String, _ severity: PayloadFinding.Severity, _ message: String, _ remedy: String) {
      findings.append(
        PayloadFinding(
          code, severity, at: candidate.offset, "\(EventFault.escape(candidate.key)): \(message)", remedy))
    }
    let url = candidate.url
    checkFault(url, add)
    checkExtension(candidate, add)
    if url.hasSpaceAround {
      add(
        "media_url_whitespace", .warning, "there are blanks or invisible characters around the URL",
        "remove them")
    }
    if url.isPlainHTTP {
      let sender = candidate.known.map(\.sender) ?? ""
      let who = candidate.known?.requiresHTTPS == true ? "\(sender)'s SDK" : "App Transport Security"
      add("media_http", .warning, "plain http is usually refused by \(who)", "serve it by https")
    }
    if url.fault == nil, url.isRelative {
      add("media_url_relative", .warning, "the URL is relative", "your extension has to know the rest of it")
    }
    checkHint(candidate, add)
  }

  private func checkFault(_ url: MediaURL, _ add: Add) {
    switch url.fault {
    case .invalid?: add("media_url_invalid", .error, "this is no URL", "write it as https://…")
    case .noScheme?: add("media_url_invalid", .error, "the URL lacks its scheme", "write it as https://…")
    case .scheme(let scheme)?:
      add("media_url_scheme", .error, "nothing is fetched by \(quoted(scheme))", "serve it by https")
    case .page?:
      add("media_is_page", .warning, "this is a web page, and no media", "link the media file itself")
    case .foreign(let name)?: add("media_unsupported", .warning, "iOS attaches no .\(name)", Self.convert)
    case .unknownKind?, nil: return
    }
  }

  private static let convert = "convert it: JPEG, PNG, GIF, MP3, WAV, AIFF, M4A, MP4, MPEG or AVI"

  /// Where the address does not tell what it is of.
  private func checkExtension(_ candidate: MediaSearch.Candidate, _ add: Add) {
    let url = candidate.url
    let hint = candidate.hint.flatMap { MediaFormats.named($0.text) }
    if let name = url.fileExtension.flatMap({ MediaFormats.kinds[$0] == nil ? nil : $0 }) ?? hint {
      guard !MediaFormats.supported.contains(name) else { return }
      return add("media_unsupported", .warning, "iOS attaches no .\(name)", Self.convert)
    }
    switch url.fault {
    case nil: break
    case .page? where url.fileExtension == nil: break
    default: return
    }
    let ending = url.fileExtension.map { "of .\(EventFault.escape($0)) nobody knows" } ?? "nothing tells"
    let remedy = "end the URL in a file extension such as .jpg, or name the type beside it"
    if url.kind == .unknown {
      add("media_no_extension", .warning, "\(ending) whether this is an image, audio or video", remedy)
    } else if candidate.hint == nil {
      add(
        "media_no_extension", .note,
        "only the key tells that this is \(url.kind == .audio ? "audio" : "\(url.kind == .image ? "an" : "a") \(url.kind.rawValue)"); iOS goes by the file's extension",
        "\(remedy), or let your extension give the file its name")
    }
  }

  private func checkHint(_ candidate: MediaSearch.Candidate, _ add: Add) {
    let url = candidate.url
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
