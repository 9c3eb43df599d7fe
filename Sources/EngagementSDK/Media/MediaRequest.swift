internal import EngagementEvents
internal import Foundation

/// The media that a payload asks for.
struct MediaRequest: Equatable {
  /// Nil where the payload names an address that is none.
  let url: URL?
  /// What the payload and the address say it is; nil where they do not.
  let format: MediaFormat?
  /// The kind that the payload says, even where it does not say the format.
  private let namedKind: MediaKind?

  /// - Parameters:
  ///   - address: as the payload has it, which may be with blanks around it.
  ///   - type: a kind, a file name's extension or a MIME type; nil if the payload does not tell.
  init(_ address: String, type: String? = nil) {
    let parsed = URL(string: address.trimmingCharacters(in: .whitespacesAndNewlines))
    let type = type?.trimmingCharacters(in: .whitespacesAndNewlines)
    let isWeb =
      ["http", "https"].contains(parsed?.scheme?.lowercased() ?? "") && parsed?.host?.isEmpty == false
    url = isWeb ? parsed : nil
    namedKind = type.flatMap { MediaKind(rawValue: $0.lowercased()) }
    format =
      type.flatMap { MediaFormat(contentType: $0) ?? MediaFormat(fileExtension: $0) }
      ?? parsed.flatMap { MediaFormat(fileExtension: $0.pathExtension) }
  }

  /// What was intended, as far as can be told before the download. Unknown media is taken for a picture, as most is:
  /// media it is in any case, and the notification no text-only one.
  var kind: MediaKind { namedKind ?? format?.kind ?? .image }
  /// Whether ``kind`` is a guess, and what is downloaded knows better.
  var isKindGuessed: Bool { namedKind == nil && format == nil }
}
