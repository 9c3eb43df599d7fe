import EngagementEvents
import Foundation
import TestSupport
import Testing

@testable import EngagementSDK

/// What a file is, and whether iOS would take it.
struct MediaTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func check(
    _ bytes: [UInt8], contentType: String? = nil, hint: MediaFormat? = nil,
    limits: MediaLimits = MediaLimits()
  ) throws -> MediaFile {
    let file = folder.url.appendingPathComponent("download")
    try Data(bytes).write(to: file)
    return try MediaFile(LoadedMedia(file: file, contentType: contentType), hint: hint, limits: limits)
  }

  private func fault(
    _ bytes: [UInt8], contentType: String? = nil, hint: MediaFormat? = nil,
    limits: MediaLimits = MediaLimits()
  ) -> MediaFault? {
    #expect(throws: MediaFault.self) {
      try check(bytes, contentType: contentType, hint: hint, limits: limits)
    }
  }

  @Test(arguments: [
    (MediaSample.png(), MediaFormat.png), (MediaSample.jpeg(), .jpeg), (MediaSample.gif(), .gif),
    (MediaSample.avi(seconds: 3), .avi),
  ])
  func picturesTellTheirSize(bytes: [UInt8], format: MediaFormat) throws {
    let file = try check(bytes)
    #expect(file.format == format)
    #expect(file.attachment.kind == format.kind)
    #expect(file.attachment.bytes == Int64(bytes.count))
    #expect(file.attachment.width == 640)
    #expect(file.attachment.height == 480)
    #expect(file.url.pathExtension == format.fileExtensions[0])
    #expect(try Data(contentsOf: file.url).count == bytes.count)
  }

  @Test(arguments: [
    (MediaSample.wav(seconds: 3), MediaFormat.wav), (MediaSample.aiff(seconds: 3), .aiff),
    (MediaSample.avi(seconds: 3), .avi), (MediaSample.mp4(seconds: 3), .mp4),
    (MediaSample.mp4(seconds: 3, brand: "M4A "), .m4a), (MediaSample.longMP4(seconds: 3), .mp4),
  ])
  func soundsAndFilmsTellTheirLength(bytes: [UInt8], format: MediaFormat) throws {
    let file = try check(bytes)
    #expect(file.format == format)
    #expect(abs(try #require(file.attachment.seconds) - 3) < 1e-9)
  }

  /// firebase/firebase-ios-sdk#6590: the address is a UUID, and only the header tells what it is. The bytes have the last word.
  @Test func theContentTypeStandsInForAName() throws {
    let address = "https://example.com/f/00000000-0000-4000-8000-000000000000"
    let request = MediaRequest(address)
    #expect(request.url?.absoluteString == address)
    #expect(request.format == nil)
    #expect(request.isKindGuessed)
    #expect(request.kind == .image)  // no text-only notification
    #expect(try check(MediaSample.jpeg(), contentType: "image/jpeg").url.pathExtension == "jpg")
    #expect(try check([1, 2, 3, 4], contentType: "audio/mpeg; charset=x").format == .mp3)
    #expect(try check(MediaSample.jpeg(), contentType: "application/octet-stream").format == .jpeg)
    #expect(try check(MediaSample.gif(), contentType: "image/jpeg", hint: .png).format == .gif)
    #expect(try check(MediaSample.mp4(seconds: 1), contentType: "audio/mp4").format == .m4a)
  }

  @Test(arguments: [
    ("https://e.com/a.JPG?w=1", nil, MediaKind.image, false), ("https://e.com/a.gif", nil, .gif, false),
    ("https://e.com/a", "video/mp4", .video, false), ("https://e.com/a", "audio", .audio, false),
    ("https://e.com/a", "mp3", .audio, false), ("https://e.com/a.webp", nil, .image, true),
  ])
  func whatIsIntendedIsToldByTypeOrName(address: String, type: String?, kind: MediaKind, isGuess: Bool) {
    let request = MediaRequest(address, type: type)
    #expect(request.kind == kind)
    #expect(request.isKindGuessed == isGuess)
  }

  /// The linter says that blanks are to be removed, and that the media will show.
  @Test(arguments: [
    " https://e.com/ok.gif ", "\thttps://e.com/ok.gif\r\n", "\u{A0}https://e.com/ok.gif\u{3000}",
  ])
  func blanksAroundAnAddressAreNoPartOfIt(address: String) {
    #expect(MediaRequest(address).url?.absoluteString == "https://e.com/ok.gif")
    #expect(MediaRequest(address).kind == .gif)
    for type in [" video ", "mp4\n", " video/mp4 "] {
      #expect(MediaRequest(address, type: type).kind == .video)
    }
  }

  @Test(arguments: [
    "", " ", "not a url", "file:///etc/passwd", "ftp://e.com/a.png", "https://", "/a.png", "data:image/png,x",
  ])
  func addressesThatAreNoneAreKnown(address: String) {
    #expect(MediaRequest(address).url == nil)
  }

  @Test func eachKindHasItsLimit() throws {
    var limits = MediaLimits()
    #expect(limits.imageBytes == 10_485_760)
    #expect(limits.audioBytes == 5_242_880)
    #expect(limits.videoBytes == 52_428_800)
    #expect(try check(MediaSample.png(bytes: 10 << 20)).attachment.bytes == 10 << 20)
    #expect(fault(MediaSample.png(bytes: (10 << 20) + 1)) == MediaFault(.tooLarge, kind: .image))
    limits.audioBytes = 8_000
    #expect(fault(MediaSample.wav(seconds: 1), limits: limits) == MediaFault(.tooLarge, kind: .audio))
    limits.seconds = 2.5
    #expect(fault(MediaSample.mp4(seconds: 3), limits: limits) == MediaFault(.tooLarge, kind: .video))
    #expect(throws: Never.self) { try check(MediaSample.mp4(seconds: 2), limits: limits) }
  }

  @Test func whatIsNoMediaIsNotAttached() {
    let page = Array("<html>Not found</html>".utf8)
    #expect(fault(page, contentType: "image/jpeg") == MediaFault(.invalid, kind: .image))
    #expect(fault(page, hint: .png) == MediaFault(.invalid, kind: .image))
    #expect(fault(page, contentType: "text/html") == MediaFault(.unsupportedType))
    #expect(fault(page) == MediaFault(.unsupportedType))
    #expect(fault([], hint: .mp4) == MediaFault(.invalid, kind: .video))
    #expect(fault(MediaSample.mp4(seconds: 0)) == MediaFault(.invalid, kind: .video))
    #expect(fault(MediaSample.mp4(seconds: 1, brand: "qt  ")) == MediaFault(.unsupportedType, kind: .video))
    #expect(
      fault(Array("RIFF....WEBPVP8 ".utf8), contentType: "image/webp")
        == MediaFault(.unsupportedType, kind: .image))
  }

  /// All that Apple's identifiers stand for, and what else such files are called: public.jpeg has jpe, public.mpeg-2-video m2v,
  /// com.microsoft.waveform-audio wave.
  @Test(arguments: [
    ("jpg jpeg jpe jfif", MediaFormat.jpeg), ("png", .png), ("gif", .gif), ("aiff aif aifc", .aiff),
    ("wav wave", .wav), ("mp3", .mp3), ("m4a", .m4a), ("mpg mpeg mpe mpeg2 m2v", .mpeg), ("mp4 m4v", .mp4),
    ("avi", .avi),
  ])
  func namesTellTheFormat(names: String, format: MediaFormat) {
    for name in names.split(separator: " ") {
      #expect(MediaRequest("https://e.com/a.\(name.uppercased())?b=c").format == format)
    }
  }

  @Test func aFileThatIsGoneIsAFailedDownload() {
    let lost = LoadedMedia(file: folder.url.appendingPathComponent("nothing"), contentType: "image/png")
    let fault = #expect(throws: MediaFault.self) { try MediaFile(lost, hint: nil, limits: MediaLimits()) }
    #expect(fault?.reason == .downloadFailed)
  }

  /// Anybody can send a payload with any file behind it.
  @Test func noFileHasItsWay() {
    let samples = [
      MediaSample.png(), MediaSample.jpeg(), MediaSample.gif(), MediaSample.wav(seconds: 0) + [0, 0],
      MediaSample.aiff(seconds: 1), MediaSample.avi(seconds: 1), MediaSample.mp4(seconds: 1),
      MediaSample.longMP4(seconds: 1),
    ]
    var generator = SystemRandomNumberGenerator()
    for sample in samples {
      for round in 0..<400 {
        var bytes = sample
        for _ in 0..<(round % 8) {
          bytes[Int.random(in: 0..<bytes.count, using: &generator)] = [0, 0xFF, 0x7F, .random(in: 0...255)]
            .randomElement()!
        }
        bytes.removeLast(Int.random(in: 0...bytes.count, using: &generator) * (round % 2))
        for format in MediaFormat.allCases { _ = MediaProperties(format, of: MediaBytes(bytes)) }
        _ = MediaFormat(MediaHead(bytes), hint: nil)
        _ = OtherFormat(MediaHead(bytes))
      }
    }
  }
}
