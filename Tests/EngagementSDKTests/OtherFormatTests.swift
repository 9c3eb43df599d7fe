import EngagementEvents
import Foundation
import TestSupport
import Testing

@testable import EngagementSDK

/// What pretends to be media that iOS attaches.
struct OtherFormatTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func judge(_ bytes: [UInt8], contentType: String? = nil, name: String? = nil) throws(MediaFault)
    -> MediaFile
  {
    let file = folder.url.appendingPathComponent("download")
    guard (try? Data(bytes).write(to: file)) != nil else { throw MediaFault(.downloadFailed) }
    return try MediaFile(
      LoadedMedia(file: file, contentType: contentType),
      hint: name.flatMap { MediaFormat(fileExtension: $0) }, limits: MediaLimits())
  }

  private func fault(_ bytes: [UInt8], contentType: String? = nil, name: String? = nil) -> MediaFault? {
    do throws(MediaFault) {
      _ = try judge(bytes, contentType: contentType, name: name)
      return nil
    } catch { return error }
  }

  /// A 200 that is an error page, whatever the name and the header claim.
  @Test(arguments: [
    "<!DOCTYPE html><html><head><title>Sign in</title></head></html>", "<html>", "  \n<HTML>",
    "\u{FEFF}<?xml version=\"1.0\"?><Error><Code>AccessDenied</Code></Error>", #"{"error":"not found"}"#,
    "[]",
    "Not found", "Größe: 5\r\n", "#EXTM3U\n#EXT-X-VERSION:3\n",
  ])
  func textIsNoMedia(page: String) {
    for name in MediaFormat.allCases.flatMap(\.fileExtensions) {
      let kind = MediaFormat(fileExtension: name)?.kind
      for type in ["text/html", "application/octet-stream", nil] {
        #expect(fault(Array(page.utf8), contentType: type, name: name) == MediaFault(.invalid, kind: kind))
      }
    }
    #expect(
      fault(Array(page.utf8), contentType: "audio/mpeg", name: "mp4") == MediaFault(.invalid, kind: .audio))
    #expect(fault(Array(page.utf8)) == MediaFault(.unsupportedType))
    let wide = Array(page.utf16).flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
    #expect(fault([0xFF, 0xFE] + wide, name: "mp3") == MediaFault(.invalid, kind: .audio))
  }

  /// A sound may begin with anything; what has control characters is no text.
  @Test func whatCannotBeToldIsWhatItClaims() throws {
    #expect(try judge([0, 0, 0, 0, 0xFF, 0xFB], name: "mp3").format == .mp3)
    #expect(try judge(Array("TAG".utf8) + [0, 1], contentType: "audio/mpeg").format == .mp3)
    #expect(try judge([0, 0, 1, 0xB8], name: "mpg").format == .mpeg)
    // Every file of these has its mark.
    for name in ["mp4", "m4a", "wav", "aiff", "avi", "jpg", "png", "gif"] {
      let kind = MediaFormat(fileExtension: name)?.kind
      #expect(fault([0, 0, 0, 0, 0xFF, 0xFB], name: name) == MediaFault(.invalid, kind: kind))
    }
  }

  private static let strangers: [(bytes: [UInt8], kind: MediaKind)] = [
    ([0x1A, 0x45, 0xDF, 0xA3, 0x9F, 0x42], .video),  // WebM, Matroska
    (MediaSample.mp4(seconds: 1, brand: "qt  "), .video),
    ([0, 0, 0, 8] + Array("wide".utf8) + [0, 0], .video), ([0, 0, 1, 0] + Array("moov".utf8), .video),
    ([0, 0, 1, 0] + Array("mdat".utf8), .video), (Array("FLV".utf8) + [1, 5, 0], .video),
    ([0x30, 0x26, 0xB2, 0x75, 0x8E], .video),
    ([UInt8](repeating: 0x47, count: 600), .video),
    (Array("OggS".utf8) + [0, 2], .audio), (Array("fLaC".utf8) + [0, 0], .audio),
    (Array("caff".utf8) + [0, 1], .audio), (Array("#!AMR\n".utf8), .audio), ([0xFF, 0xF1, 0x50], .audio),
    (Array("RIFF....WEBPVP8 ".utf8), .image), (Array("BM".utf8) + [1, 2, 3, 4, 0, 0, 0, 0, 54], .image),
    (Array("II*".utf8) + [0], .image), (Array("MM".utf8) + [0, 42], .image),
    ([0, 0, 0, 12] + Array("JXL ".utf8) + [13, 10], .image), ([0xFF, 0x0A, 1], .image),
  ]

  @Test func mediaThatIOSDoesNotAttachIsToldByItsBytes() {
    for (bytes, kind) in Self.strangers {
      for name in ["mp4", "mpg", "mp3", "m4a", "jpg", nil] {
        #expect(
          fault(bytes, contentType: "video/mp4", name: name) == MediaFault(.unsupportedType, kind: kind),
          "\(bytes.prefix(12)) as \(name ?? "nothing")")
      }
    }
    for file in ["%PDF-1.7", "PK\u{3}\u{4}"] {
      #expect(fault(Array(file.utf8), name: "mp4") == MediaFault(.unsupportedType, kind: .video))
    }
    #expect(fault([0x1F, 0x8B, 8, 0], name: "mp3") == MediaFault(.unsupportedType, kind: .audio))
  }

  @Test(arguments: [
    ["isom"], ["isom", "iso2", "avc1", "mp41"], ["mp41"], ["mp42", "isom"], ["M4V ", "mp42"], ["M4VH"],
    ["avc1"], ["iso5", "dash"], ["iso6"], ["iso8"], ["MSNV"], ["3gp4", "isom"], ["XAVC", "mp42"],
    ["Odd ", "mp42"],
    ["dash"], ["mmp4"], ["f4v ", "isom"],
  ])
  func filmsAreToldByTheirBrands(brands: [String]) throws {
    let film = MediaSample.mp4(brands: brands, duration: [0, 0, 2, 88])
    #expect(try judge(film).format == .mp4)
    #expect(try judge(film, contentType: "audio/mp4").format == .m4a)
  }

  @Test(arguments: [
    ["heic", "mif1", "heic"], ["heix"], ["heim"], ["heis"], ["hevc", "msf1", "iso8"], ["hevx"], ["hevm"],
    ["hevs"],
    ["mif1", "heic"], ["msf1", "iso8", "mp41"], ["avif", "mif1", "miaf"],
    ["avis", "avif", "msf1", "iso8", "mp42"],
    ["jxl ", "isom"], ["jp2 "], ["jpx "], ["crx ", "isom"], ["qt  ", "mp42"], ["M4P ", "isom"], ["aax "],
    ["3gp4"], ["Odd "],
  ])
  func othersAreNoFilms(brands: [String]) {
    let other = MediaSample.mp4(brands: brands, duration: [0, 0, 2, 88])
    for (type, name) in [(nil, "mp4"), ("video/mp4", nil), ("audio/mp4", "m4a"), (nil, nil)]
      as [(String?, String?)]
    {
      #expect(fault(other, contentType: type, name: name)?.reason == .unsupportedType)
    }
  }

  @Test(arguments: [["M4A ", "isom"], ["M4B "]]) func soundsAreToldByTheirBrands(brands: [String]) throws {
    let sound = MediaSample.mp4(brands: brands, duration: [0, 0, 2, 88])
    #expect(try judge(sound, contentType: "video/mp4").format == .m4a)
  }

  private static let unknown = [UInt8](repeating: 0xFF, count: 4)
  private static let unknownLong = [UInt8](repeating: 0xFF, count: 8)

  /// Films in fragments, and those that were written into a stream.
  @Test(
    arguments: [
      (MediaSample.mp4(duration: [0, 0, 2, 88]), 1), (MediaSample.mp4(duration: unknown), nil),
      (MediaSample.mp4(duration: unknownLong), nil),
      (MediaSample.mp4(duration: [0, 0, 0, 0], beside: MediaSample.fragments(nil)), nil),
      (MediaSample.mp4(duration: [0, 0, 0, 0], beside: MediaSample.fragments([0, 0, 4, 176])), 2),
      (
        MediaSample.mp4(duration: [0, 0, 0, 0], beside: MediaSample.fragments([0, 0, 0, 0, 0, 0, 4, 176])), 2
      ),
      (MediaSample.mp4(duration: [0, 0, 0, 0], beside: MediaSample.fragments(unknown)), nil),
      (MediaSample.mp4(duration: [0, 0, 0, 0], beside: MediaSample.fragments(unknownLong)), nil),
      (MediaSample.mp4(duration: [0, 0, 0, 0], beside: MediaSample.fragments([0, 0, 0, 0])), nil),
      (MediaSample.mp4(duration: [0, 0, 0, 0, 0, 0, 0, 0], beside: MediaSample.fragments(nil)), nil),
      (MediaSample.avi(seconds: 0), nil),
    ] as [([UInt8], Double?)])
  func aLengthThatNobodyKnowsIsNotTold(bytes: [UInt8], seconds: Double?) throws {
    let file = try judge(bytes)
    #expect(file.attachment.kind == .video)
    #expect(file.attachment.seconds == seconds)
  }

  @Test func whatHasNothingToPlayIsNotAttached() {
    #expect(fault(MediaSample.mp4(duration: [0, 0, 0, 0])) == MediaFault(.invalid, kind: .video))
    #expect(fault(MediaSample.wav(seconds: 0)) == MediaFault(.invalid, kind: .audio))
    #expect(fault(MediaSample.aiff(seconds: 0)) == MediaFault(.invalid, kind: .audio))
  }

  /// Who records into a pipe leaves the length open.
  @Test(arguments: [[0, 0, 0, 0], [0xFF, 0xFF, 0xFF, 0xFF]] as [[UInt8]]) func anOpenSoundEndsWithItsFile(
    length: [UInt8]
  ) throws {
    var sound = MediaSample.wav(seconds: 2)
    sound.replaceSubrange(40..<44, with: length)
    #expect(try judge(sound).attachment.seconds == 2)
  }
}
