import Foundation
import TestSupport

/// The body of an answer of 200, 207 or 422.
struct Verdicts: Decodable {
  struct Rejection: Decodable {
    let index: Int
    let id: String?
    let field: String
    let code: String
    let message: String
  }

  struct Warning: Decodable {
    let index: Int?
    let field: String
    let code: String
  }

  let accepted: Int
  let duplicates: Int
  let rejected: [Rejection]
  let warnings: [Warning]?
}

extension HTTPAnswer {
  func verdicts() throws -> Verdicts { try JSONDecoder().decode(Verdicts.self, from: Data(body)) }

  /// The code of the body `{"error":{"code":…,"message":…}}`; nil where it is none.
  var errorCode: String? {
    struct Body: Decodable {
      struct Fault: Decodable { let code: String }
      let error: Fault
    }
    return try? JSONDecoder().decode(Body.self, from: Data(body)).error.code
  }
}
