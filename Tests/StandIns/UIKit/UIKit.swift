// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// Apple documents these.

@_exported public import Foundation

// The part of UIKit that the SDK's examples use.

open class UIViewController: NSObject {
  public override init() {}
  open func viewDidLoad() {}
}

public final class UIApplication: NSObject {
  public struct LaunchOptionsKey: Hashable, Sendable {
    public let rawValue: String
  }
}

public protocol UIApplicationDelegate: NSObjectProtocol {
  func application(
    _ application: UIApplication,
    didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
  ) -> Bool
}
