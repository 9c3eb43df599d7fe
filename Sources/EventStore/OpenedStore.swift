internal import Foundation
package import Postgres

/// Which store is meant, as the command line and the environment tell it.
package struct StoreLocation: Sendable {
  /// A connection URL or keyword string; nil for the PG* environment and, where that names nothing, pushlift's own
  /// Postgres.
  package var database: String?
  /// The data folder: the device secret, and pushlift's own Postgres. Nil for the usual place.
  package var dataFolder: String?
  package var environment: [String: String]

  package init(database: String? = nil, dataFolder: String? = nil, environment: [String: String]) {
    self.database = database
    self.dataFolder = dataFolder
    self.environment = environment
  }

  /// The data folder, absolute.
  package var folder: String {
    let path = dataFolder ?? PrivateCluster.defaultDirectory(environment: environment)
    return path.hasPrefix("/") ? path : FileManager.default.currentDirectoryPath + "/" + path
  }

  /// The database that is named; nil for pushlift's own.
  ///
  /// - Throws: `StoreError.invalidValue` where it cannot be understood.
  package var namedDatabase: ConnectionConfiguration? {
    get throws {
      guard let text = database ?? environment["PUSHLIFT_DATABASE"], !text.isEmpty else {
        // A folder that is named means the Postgres in it, whatever the environment says.
        return dataFolder == nil ? ConnectionConfiguration(environment: environment) : nil
      }
      do {
        return try ConnectionConfiguration(text)
      } catch {
        throw StoreError(.invalidValue, "--database cannot be read: \(error.message).", cause: error)
      }
    }
  }
}

/// A store that is in use by this process. Close it before leaving, so that the last one out stops a private Postgres.
package final class OpenedStore: Sendable {
  package let store: EventStore
  /// The data folder, absolute.
  package let dataFolder: String
  /// The migrations that were applied to a new store before it got its secret.
  package let applied: [String]
  /// Nil where the database was named.
  private let cluster: PrivateCluster?

  private init(
    _ database: ConnectionConfiguration, dataFolder: String, cluster: PrivateCluster?,
    environment: [String: String], makes: Bool
  ) throws {
    var applied: [String] = []
    let secret = try StoreSecret.load(from: dataFolder, environment) {
      guard makes, let migrations = try EventStore.migrateIfNew(database) else { return false }
      applied = migrations
      return true
    }
    self.store = EventStore(database: database, secret: secret)
    self.dataFolder = dataFolder
    self.applied = applied
    self.cluster = cluster
  }

  /// Finds the store, starts or joins pushlift's own Postgres where no other database is named, and reads the device
  /// secret, which is made with the store: once its schema is there, and never for one that has had a secret.
  ///
  /// - Parameter makes: makes a store where there is none. Whoever only reads does not: a mistyped folder would look like an
  ///   empty store, and leave one behind.
  /// - Throws: `StoreError` that names the remedy.
  package static func open(_ location: StoreLocation, makes: Bool = true) throws -> OpenedStore {
    let folder = location.folder
    if let named = try location.namedDatabase {
      return try OpenedStore(
        named, dataFolder: folder, cluster: nil, environment: location.environment, makes: makes)
    }
    let cluster = PrivateCluster(directory: folder + "/cluster", environment: location.environment)
    guard makes || PrivateCluster.hasData(directory: cluster.directory) else {
      throw StoreError(
        .missing, "There is no store in \(folder).",
        remedy: "pushlift serve or key create makes one; --data names another folder, --database a database.")
    }
    do {
      let database = try cluster.start()
      do {
        return try OpenedStore(
          database, dataFolder: folder, cluster: cluster, environment: location.environment, makes: makes)
      } catch {
        try? cluster.stop()
        throw error
      }
    } catch let error as PrivateClusterError {
      throw StoreError(.cluster, "pushlift's own Postgres cannot be used: \(error)")
    }
  }

  /// Starts pushlift's own Postgres again whenever it goes down, until the keeper is stopped.
  ///
  /// - Returns: nil where the database was named, which is its owner's to start.
  package func keepRunning(observer: @escaping ClusterKeeper.Observer) -> ClusterKeeper? {
    cluster.map { ClusterKeeper($0, observer: observer) }
  }

  /// Whether Postgres is pushlift's own, in the data folder.
  package var isPrivate: Bool { cluster != nil }

  /// Leaves the store. Harmless if repeated.
  package func close() throws { try cluster?.stop() }
}

extension StoreSecret {
  /// The secret of `PUSHLIFT_SECRET` (64 hexadecimal digits), or of the file `device-secret` in the data folder, which is
  /// made with mode 0600 if it is not there.
  ///
  /// - Parameter mayMake: whether one may be made; asked only where there is none.
  static func load(
    from folder: String, _ environment: [String: String], mayMake: () throws -> Bool = { true }
  ) throws -> StoreSecret {
    if let text = environment["PUSHLIFT_SECRET"], !text.isEmpty {
      guard let key = Digest.bytes(hexadecimal: text) else {
        throw StoreError(.secret, "PUSHLIFT_SECRET is not hexadecimal.", remedy: "It has 64 digits 0–9, a–f.")
      }
      return try StoreSecret(key: key)
    }
    let path = folder + "/device-secret"
    if let secret = try read(path) { return secret }
    guard try mayMake() else {
      throw StoreError(
        .secret, "There is no device secret in \(folder).",
        remedy:
          "Let --data name the store's folder, bring the file device-secret back from a backup, or set PUSHLIFT_SECRET."
      )
    }
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try create(path)
    guard let secret = try read(path) else {
      throw StoreError(.secret, "The device secret \(path) vanished.", remedy: "See who removes files there.")
    }
    return secret
  }

  private static func read(_ path: String) throws -> StoreSecret? {
    guard let data = FileManager.default.contents(atPath: path) else {
      guard FileManager.default.fileExists(atPath: path) else { return nil }
      throw StoreError(
        .secret, "The device secret \(path) cannot be read.", remedy: "Run as the user who owns it.")
    }
    let text = String(decoding: data, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    guard let key = Digest.bytes(hexadecimal: text), key.count == length else {
      throw StoreError(
        .secret, "The device secret \(path) is damaged: it holds no 64 hexadecimal digits.",
        remedy: "Bring it back from a backup; without it every device would count as a new one.")
    }
    return try StoreSecret(key: key)
  }

  /// Two processes may try at once: the file appears whole, and the first one stays.
  private static func create(_ path: String) throws {
    let temporary = "\(path).\(ProcessInfo.processInfo.processIdentifier)"
    let text = Digest.hexadecimal(makeRandom()) + "\n"
    let attributes: [FileAttributeKey: Any] = [.posixPermissions: 0o600]
    guard FileManager.default.createFile(atPath: temporary, contents: Data(text.utf8), attributes: attributes)
    else {
      throw StoreError(
        .secret, "The device secret \(path) cannot be written.", remedy: "Choose another --data.")
    }
    defer { try? FileManager.default.removeItem(atPath: temporary) }
    // A hard link is refused if the file is there, which a rename is not.
    try? FileManager.default.linkItem(atPath: temporary, toPath: path)
  }
}
