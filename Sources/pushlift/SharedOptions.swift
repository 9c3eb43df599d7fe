internal import Arguments
internal import EngagementEvents
internal import EventStore
internal import Foundation
internal import HTTPServer
internal import Postgres
internal import Projections

/// The options that several commands take, with one name and one meaning everywhere.
enum SharedOptions {
  static let database = Option<String?>.optional(
    "database", .url(schemes: ["postgres", "postgresql"], example: "postgres://user@host/database"),
    environment: "PUSHLIFT_DATABASE",
    help:
      "The Postgres database of the store. Without it: the PG* variables, or else pushlift's own Postgres.")

  static let data = Option<String?>.optional(
    "data", .path, environment: "PUSHLIFT_DATA",
    help: "The data folder: the device secret and pushlift's own Postgres. Usually ~/.local/share/pushlift.")

  static let app = Option<String?>.optional(
    "app", .text.named("name"), help: "The app. May be left out where the store has only one.")

  static let someApp = Option<String?>.optional(
    "app", .text.named("name"), help: "Only this app. Usually all.")

  static let device = Option<DeviceID>.required(
    "device", .deviceID,
    help: "The device's id, as the app sends it. Nothing but a keyed hash of it is stored.")

  static let listFormat = Option<Listing.Format>(
    "format", .choice, default: .table, help: "How to print the list.")

  static let store: [any DeclaredOption] = [database, data]

  static let host = Option<String>(
    "host", .text.named("address"), default: "127.0.0.1", environment: "PUSHLIFT_HOST",
    help: "The address to listen on.")

  static let port = Option<Int>(
    "port", .integer(in: 0...65_535), default: 8080, environment: "PUSHLIFT_PORT",
    help: "The port; 0 takes a free one.")

  static let seed = Option<UInt64>(
    "seed", .integer(in: 0...UInt64.max), default: 1, help: "The seed: the same one makes the same events.")

  /// Where the arguments say that the store is.
  static func location(_ arguments: ParsedArguments) -> StoreLocation {
    StoreLocation(
      database: arguments[database], dataFolder: arguments[data],
      environment: ProcessInfo.processInfo.environment)
  }

  /// Opens the store that the arguments name, and lends it.
  ///
  /// - Parameters:
  ///   - makes: makes a new store where there is none, which is an error otherwise.
  ///   - prepares: brings the schema up to date first.
  static func withStore<Value>(
    _ arguments: ParsedArguments, makes: Bool = false, prepares: Bool = true,
    _ body: (OpenedStore) async throws -> Value
  ) async throws -> Value {
    let opened = try OpenedStore.open(location(arguments), makes: makes)
    Interruption.current.onInterrupt { try? opened.close() }
    do {
      if prepares {
        _ = try opened.store.prepare(makes: makes)
      } else if !makes {
        try opened.store.requireSchema()
      }
      let value = try await body(opened)
      try opened.close()
      return value
    } catch {
      try? opened.close()
      throw error
    }
  }
}

extension ParsedArguments {
  /// Finds a zone that Postgres does not know.
  func requireZone(_ zone: String, on connection: borrowing Connection) throws {
    do {
      try TimeZones.require(zone, on: connection)
    } catch let error as StoreError where error.code == .invalidValue {
      throw usageError(error.description)
    }
  }
}

extension ValueParser where Value == DeviceID {
  /// The id of a device, which no message repeats.
  static var deviceID: Self {
    ValueParser(
      placeholder: "id", isSecret: true,
      parse: { text throws(ValueError) in
        do { return try DeviceID(text) } catch {
          throw ValueError(expected: "a device id of 1 to 256 bytes")
        }
      },
      describe: { $0.text })
  }
}

extension ValueParser where Value == String {
  /// The name of an app, which may be a new one.
  static var appName: Self {
    ValueParser(
      placeholder: "name",
      parse: { text throws(ValueError) in
        guard App.isName(text) else {
          throw ValueError(expected: "a name of 1 to 128 bytes without control characters")
        }
        return text
      },
      describe: { $0 })
  }
}

extension CalendarDate {
  /// The same day as Postgres counts it.
  var postgresDate: PostgresDate { PostgresDate(daysSince1970: Int32(daysSince1970)) }
}
