import Foundation
import Testing

/// What the privacy manifest declares is what the code does.
struct PrivacyManifestTests {
  private static let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("../..").standardizedFileURL
  private static let sources = package.appendingPathComponent("Sources/EngagementSDK")
  private let manifest: [String: Any]

  init() throws {
    let data = try Data(contentsOf: Self.sources.appendingPathComponent("PrivacyInfo.xcprivacy"))
    manifest = try #require(PropertyListSerialization.propertyList(from: data, format: nil) as? [String: Any])
  }

  @Test func nothingIsTrackedOrLinked() throws {
    #expect(manifest["NSPrivacyTracking"] as? Bool == false)
    #expect((manifest["NSPrivacyTrackingDomains"] as? [String])?.isEmpty == true)
    let types = try #require(manifest["NSPrivacyCollectedDataTypes"] as? [[String: Any]])
    let prefix = "NSPrivacyCollectedDataType"
    #expect(
      types.compactMap { $0[prefix] as? String } == [
        prefix + "DeviceID", prefix + "ProductInteraction", prefix + "OtherUserContent",
      ])
    for type in types {
      #expect(type[prefix + "Linked"] as? Bool == false)
      #expect(type[prefix + "Tracking"] as? Bool == false)
      #expect(type[prefix + "Purposes"] as? [String] == [prefix + "PurposeAnalytics"])
    }
  }

  /// Each kind of interface that wants a reason, by names that give its use away.
  @Test func whatWantsAReasonHasOne() throws {
    let declared = try #require(manifest["NSPrivacyAccessedAPITypes"] as? [[String: Any]])
    let reasons = Dictionary(
      uniqueKeysWithValues: declared.compactMap { type -> (String, [String])? in
        guard let name = type["NSPrivacyAccessedAPIType"] as? String,
          let reasons = type["NSPrivacyAccessedAPITypeReasons"] as? [String]
        else { return nil }
        return (name, reasons)
      })
    #expect(reasons == ["NSPrivacyAccessedAPICategoryFileTimestamp": ["C617.1"]])
    let signs = [
      "FileTimestamp": ["contentModificationDate", "creationDate", "stat("],
      "SystemBootTime": ["systemUptime", "mach_absolute_time"],
      "DiskSpace": ["volumeAvailableCapacity", "systemFreeSize", "statfs", "statvfs"],
      "ActiveKeyboards": ["activeInputModes"],
      "UserDefaults": ["UserDefaults"],
    ]
    let code = try code()
    for (category, names) in signs {
      let isUsed = names.contains { code.contains($0) }
      #expect(isUsed == (reasons["NSPrivacyAccessedAPICategory" + category] != nil), "\(category)")
    }
  }

  /// The manifest reaches the app only as a resource of the target.
  @Test func thePackageHasTheManifest() throws {
    let package = try String(
      contentsOf: Self.package.appendingPathComponent("Package.swift"), encoding: .utf8)
    #expect(package.contains(#"[.copy("PrivacyInfo.xcprivacy")]"#))
  }

  private func code() throws -> String {
    let files = try #require(
      FileManager.default.enumerator(at: Self.sources, includingPropertiesForKeys: nil))
    return try files.compactMap { $0 as? URL }.filter { $0.pathExtension == "swift" }
      .map { try String(contentsOf: $0, encoding: .utf8) }.joined()
  }
}
