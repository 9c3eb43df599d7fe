import Payloads
import Testing

/// Where media is looked for, and what is said of its address.
@Suite struct PayloadMediaTests {
  @Test(arguments: [
    #"{"aps":{"alert":"x"},"fcm_options":{"image":"https://e.com/a.jpg"}}"#,
    #"{"aps":{"alert":"x","mutable-content":0},"media-url":"https://e.com/a.mp4"}"#,
    #"{"aps":{"alert":{"body":"x","mutable-content":1}},"media-url":"https://e.com/a.jpg"}"#,
    #"{"aps":{"alert":"x"},"media-url":"https://e.com/a.html"}"#,
  ])
  func aRichPushWithoutTheFlagIsToldThatNoExtensionRuns(_ json: String) throws {
    let report = lint(json)
    #expect(report.richness == .declaredOnly)
    #expect(report.told.contains("warning media_without_extension"))
    #expect(try #require(report.words("media_without_extension")).contains(#"add "mutable-content": 1"#))
  }

  @Test func withTheFlagOrWithoutMediaNothingIsSaidOfThat() {
    for json in [
      #"{"aps":{"alert":"x","mutable-content":1},"media-url":"https://e.com/a.jpg"}"#,
      #"{"aps":{"alert":"x"}}"#, #"{"aps":{"content-available":1},"media-url":"https://e.com/a.jpg"}"#,
    ] { #expect(!lint(json).codes.contains("media_without_extension"), "\(json)") }
  }

  @Test(arguments: [
    #""fcm_options":{"image":"https://e.com/abc"}"#, #""imageUrl":"https://e.com/abc?x=.jpg""#,
  ])
  func anAddressWithoutAnExtensionIsHintedAtThoughTheKeyTellsTheKind(_ member: String) {
    let report = lint(beside: member)
    #expect(report.richness == .yes)
    #expect(report.mediaKinds == [.image])
    #expect(report.told == ["note media_no_extension"])
  }

  @Test func aTypeBesideAnAddressWithoutAnExtensionIsEnough() {
    #expect(lint(beside: #""imageUrl":"https://e.com/abc","imageType":"image/png""#).told.isEmpty)
  }

  @Test(arguments: ["a.pdf", "a.zip", "a.txt", "a.JSON"])
  func aFileThatIsNoMediaIsUnsupportedWhateverItsKeyMeans(_ name: String) throws {
    for key in ["imageUrl", "media-url"] {
      let report = lint(beside: #""\#(key)":"https://e.com/\#(name)""#)
      #expect(report.richness == .declaredOnly)
      #expect(report.told == ["warning media_unsupported"])
      #expect(!(try #require(report.words("media_unsupported"))).contains("file extension"))
    }
  }

  @Test(arguments: [
    "https://youtu.be/abc", "https://www.youtube.com/watch?v=abc", "https://vimeo.com/1",
    "https://e.com/watch/1",
    "https://e.com/watch", "https://e.com/a.html",
  ])
  func aPageIsNoMediaUnderAKeyForImages(_ url: String) {
    let report = lint(beside: #""imageUrl":"\#(url)""#)
    #expect(report.richness == .declaredOnly)
    #expect(report.told.contains("warning media_is_page"))
  }

  @Test func anUnknownExtensionIsNamed() throws {
    let words = try #require(lint(beside: #""media-url":"https://e.com/a.xyz""#).words("media_no_extension"))
    #expect(words.contains(".xyz"))
    #expect(!words.contains("nothing tells"))
  }

  @Test(arguments: [
    (#""media":[{"url":"U"}]"#, "media[0].url"), (#""media":{"url":["U"]}"#, "media.url[0]"),
    (#""attachments":[{"url":"U","type":"image"}]"#, "attachments[0].url"),
    (#""attachments":["U"]"#, "attachments[0]"), (#""images":["U"]"#, "images[0]"),
    (#""imageUrls":["U"]"#, "imageUrls[0]"), (#""photos":[["U"]]"#, "photos[0][0]"),
    (#""media":{"src":"U"}"#, "media.src"), (#""image":{"href":"U"}"#, "image.href"),
    (#""imageUrl":{"ios":"U"}"#, "imageUrl.ios"), (#""media":{"urls":["U"]}"#, "media.urls[0]"),
    (#""video":{"source":{"uri":"U"}}"#, "video.source.uri"),
    (#""image":{"url":{"ios":"U"}}"#, "image.url.ios"),
    (#""a":{"b":{"c":{"d":{"e":{"f":{"g":{"h":{"i":{"image":"U"}}}}}}}}}"#, "a.b.c.d.e.f.g.h.i.image"),
  ])
  func mediaIsFoundInListsAndObjectsHoweverDeep(_ members: String, _ key: String) {
    let report = lint(beside: members.replacing("\"U\"", with: "\"https://e.com/a.jpg\""))
    #expect(report.richness == .yes)
    #expect(report.mediaKey == key)
  }

  @Test func mediaIsFoundInTheAlert() {
    let report = lint(#"{"aps":{"alert":{"body":"x","image":"https://e.com/a.jpg"},"mutable-content":1}}"#)
    #expect(report.mediaKey == "aps.alert.image")
    // Apple's own keys name nothing that is attached.
    let own = lint(
      #"{"aps":{"alert":{"body":"https://e.com/a.jpg","launch-image":"a.png"},"mutable-content":1}}"#)
    #expect(own.richness == .no)
  }

  @Test(arguments: [#""link":{"url":"https://e.com/a.jpg"}"#, #""image":{"android":"https://e.com/a.jpg"}"#])
  func anAddressUnderAnotherKeyIsNoMedia(_ members: String) {
    #expect(lint(beside: members).richness == .no)
  }

  // MARK: keys

  @Test func anAddressOfMediaUnderAKeyThatNobodyReadsIsToldWithTheOption() throws {
    let report = lint(beside: #""data":{"foo":"https://e.com/a.jpg"}"#)
    #expect(report.told == ["note media_key_unknown"])
    #expect(try #require(report.words("media_key_unknown")).contains("--media-key data.foo"))
    for other in [
      #""foo":"https://e.com/a""#, #""image":"https://e.com/b.jpg","avatar":"https://e.com/a.jpg""#,
    ] {
      #expect(!lint(beside: other).codes.contains("media_key_unknown"), "\(other)")
    }
  }

  @Test(arguments: [
    (#""com.example.x":"U""#, "com.example.x"), (#""com.example":{"x":"U"}"#, "com.example.x"),
    (#""com":{"example.x":{"y.z":"U"}}"#, "com.example.x.y.z"), (#""x.":"U""#, "x."),
  ])
  func ownKeysMayHaveDotsInTheirNames(_ members: String, _ path: String) {
    let json = #"{"aps":{"alert":"x","mutable-content":1},\#(members)}"#.replacing(
      "\"U\"", with: "\"https://e.com/a.jpg\"")
    #expect(lint(json, keys: [path]).mediaKey == path)
    #expect(lint(json, keys: ["com", "example.x", "x"]).mediaKey == nil)
  }

  @Test func anOwnKeyMeansTheElementsOfItsList() {
    let json = #"{"aps":{"alert":"x","mutable-content":1},"x":[{"y":"https://e.com/a.jpg"}]}"#
    #expect(lint(json).richness == .no)
    #expect(lint(json, keys: ["x.y"]).mediaKey == "x[0].y")
  }

  @Test func oneMediumUnderTwoKeysIsOne() {
    #expect(lint(beside: #""image":"https://e.com/a.jpg","imageUrl":"https://e.com/a.jpg""#).told.isEmpty)
    #expect(
      lint(beside: #""image":"https://e.com/a.jpg","imageUrl":"https://e.com/b.jpg""#).told
        == ["warning media_multiple"])
  }

  @Test func whatIsNoTextUnderAKeyForMediaIsTold() {
    #expect(lint(beside: #""imageUrl":5"#).told == ["error media_type"])
    #expect(lint(beside: #""media-url":true"#).told == ["error media_type"])
    #expect(lint(beside: #""media-url":null"#).told == ["note media_null"])
    #expect(lint(beside: #""videoUrl":[null]"#).told.isEmpty)
    // A count, or whether there is one.
    #expect(lint(beside: #""images":3,"video":true"#).told.isEmpty)
  }

  // MARK: types

  @Test(arguments: [("0", "0"), ("true", "true"), (#""drawing""#, "drawing")])
  func aTypeThatIsNoneIsTold(_ value: String, _ shown: String) throws {
    let report = lint(beside: #""media-url":"https://e.com/a.jpg","mediaType":\#(value)"#)
    #expect(report.told == ["warning media_hint_unknown"])
    #expect(try #require(report.words("media_hint_unknown")).contains("“\(shown)”"))
  }

  @Test(arguments: ["image/heic", "image/webp", "public.heic", "video/quicktime", "image/svg+xml", "webm"])
  func aTypeThatIOSDoesNotAttachIsToldWhereTheAddressDoesNot(_ type: String) {
    #expect(
      lint(beside: #""media-url":"https://e.com/a","media-type":"\#(type)""#).told
        == ["warning media_unsupported"])
  }

  @Test(arguments: [
    ("public.jpeg", PayloadReport.MediaKind.image), ("com.compuserve.gif", .image), ("public.mpeg-4", .video),
    ("audio/mpeg", .audio), ("audio/mp4", .audio), ("video/mp4", .video), ("image/png; q=1", .image),
    ("public.mp3", .audio), ("video", .video), (".jpg", .image),
  ])
  func aTypeIsReadInTheWordsOfMIMEAndOfApple(_ type: String, _ kind: PayloadReport.MediaKind) {
    let report = lint(beside: #""media-url":"https://e.com/a","media-type":"\#(type)""#)
    #expect(report.mediaKinds == [kind])
    #expect(report.told.isEmpty)
  }

  // MARK: addresses

  @Test(arguments: [
    "https://e.com:70000/a.jpg", "https://e.com:http/a.jpg", "https://:80/a.jpg", "https:///a.jpg",
    "https://e.com/a\u{200B}b.jpg", "e.com/a.jpg", "cdn.example.co.uk/b/a.jpg",
  ])
  func whatIsNoURLIsTold(_ url: String) {
    let report = lint(beside: #""media-url":"\#(url)""#)
    #expect(report.richness == .declaredOnly)
    #expect(report.told == ["error media_url_invalid"])
  }

  @Test(arguments: [
    "https://e.com:65535/a.jpg", "https://u:p@e.com/a.jpg", "https://[::1]:80/a.jpg", "https://[::1]/a.jpg",
    "https://bücher.example/ä.jpg",
  ])
  func whatIsOneIsNot(_ url: String) { #expect(lint(beside: #""media-url":"\#(url)""#).told.isEmpty) }

  @Test(arguments: ["images/a.jpg", "/a.jpg", "a.jpg", "v1.2/a.jpg"])
  func aRelativeAddressIsOne(_ url: String) {
    #expect(lint(beside: #""media-url":"\#(url)""#).told == ["warning media_url_relative"])
  }

  @Test func whatCannotBeSeenAroundAnAddressIsTold() {
    let report = lint(beside: "\"media-url\":\"\u{200B}https://e.com/a.jpg\"")
    #expect(report.richness == .yes)
    #expect(report.told == ["warning media_url_whitespace"])
  }
}
