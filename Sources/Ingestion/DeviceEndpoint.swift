internal import Dispatch
internal import EngagementEvents
internal import EventStore
internal import HTTPServer

/// `DELETE /v1/devices/{id}`: forgets a device of the key's app, and answers once that is on disk.
struct DeviceEndpoint: Sendable {
  static let folder = "/v1/devices/"
  /// As the description has it, and the log.
  static let path = folder + "{id}"

  let store: EventStore
  let keys: KeyRing
  let log: ServiceLog
  /// One after the other, and on no thread that serves others: each goes through the whole log.
  private let queue = DispatchQueue(label: "pushlift.erase")

  var route: Route {
    Route(.delete, Self.folder + "*", admit: { keys.admit($0, for: .admin) }, handle: handle)
  }

  private func handle(_ request: HTTPRequest, _ responder: Responder) {
    guard let key = request.context as? ApiKey else {
      preconditionFailure("the route admits only requests with a key")
    }
    let device: DeviceID
    do {
      device = try DeviceID(String(request.path.dropFirst(Self.folder.count)))
    } catch {
      responder.respond(HTTPFault(.badRequest, "invalid_device", error.message))
      return
    }
    queue.async { [store, log] in
      do {
        let record = try DeviceErasure(store).run(
          device, of: key.app, requester: "key \(key.id)")
        responder.respond(
          HTTPResponse(status: .ok, contentType: "application/json", body: Self.answer(record).utf8))
      } catch {
        log.summarise(
          .error, "erasure failed", ServiceLog.fields(of: error, code: "erasure"))
        responder.respond(
          HTTPFault(
            .serviceUnavailable, "store_unavailable",
            "The device is not erased, or not as a whole; send the same again later.",
            headers: ["Retry-After": "30"]))
      }
    }
  }

  static func answer(_ record: DeviceErasure.Record) -> JSONValue {
    [
      "position": .integer(Int(record.position)), "replies": .integer(record.replies),
      "deadLetters": .integer(record.deadLetters), "events": .integer(record.events),
      "notifications": .integer(record.units),
    ]
  }
}
