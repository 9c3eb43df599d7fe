package import EngagementEvents
public import Foundation

/// The app's notification categories, read from the file that the server has as well (`pushlift category import`).
///
/// ```swift
/// let categories = try NotificationCategories(named: "categories")
/// options.categories = categories.offers
/// UNUserNotificationCenter.current().setNotificationCategories(categories.makeNotificationCategories())
/// ```
public struct NotificationCategories: Sendable, Hashable {
  package let registry: CategoryRegistry

  /// Reads a file; keys that this version does not know are ignored.
  ///
  /// - Throws: where the file is not there, is no such file, or breaks a rule. `pushlift category lint` says where.
  public init(contentsOf file: URL) throws(EngagementError) {
    let data: Data
    do { data = try Data(contentsOf: file) } catch {
      throw EngagementError(
        .invalidConfiguration, "the categories \(file.lastPathComponent) cannot be read: \(error)")
    }
    try self.init(data)
  }

  /// Reads a file of a bundle; for an extension that is its own, so make the file a member of each target.
  ///
  /// - Parameters:
  ///   - name: without the ending `.json`.
  ///   - bundle: the app's or the extension's.
  /// - Throws: as ``init(contentsOf:)``.
  public init(named name: String, in bundle: Bundle = .main) throws(EngagementError) {
    guard let file = bundle.url(forResource: name, withExtension: "json") else {
      throw EngagementError(
        .invalidConfiguration, "there is no \(name).json in the bundle; make it a member of this target")
    }
    try self.init(contentsOf: file)
  }

  /// Reads JSON that was got in another way.
  ///
  /// - Throws: as ``init(contentsOf:)``.
  public init(_ json: Data) throws(EngagementError) {
    do { registry = try JSONDecoder().decode(CategoryRegistry.self, from: json) } catch {
      throw EngagementError(
        .invalidConfiguration,
        "the categories are not as they should be; pushlift category lint says where: \(error)")
    }
  }

  /// The identifiers, in the file's order.
  public var identifiers: [String] { registry.categories.map(\.category.text) }

  /// What the categories offer, for ``EngagementOptions/categories``.
  public var offers: [CategoryOffer] {
    registry.categories.map { category in
      CategoryOffer(
        identifier: category.category.text, actions: category.actions.map(\.id.text),
        hasContentExtension: category.hasContentExtension)
    }
  }
}
