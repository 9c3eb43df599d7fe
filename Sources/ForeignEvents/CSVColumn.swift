package import EngagementEvents

/// What a column of a CSV file can stand for.
package enum CSVColumn: Hashable, Sendable {
  case field(EventField)
  case experimentName, experimentArm
  /// What our own exports tell of a reply beside its text, or in the place of it.
  case replyLength, replyWithheld
  /// The id by which a campaigns file has its campaign. Only a mapping can name it: the contract has no such field.
  case campaign

  /// Those of the contract, in the order in which an event is made of them.
  package static let ofContract =
    EventField.allCases.filter { $0 != .experiment }.map(CSVColumn.field) + [.experimentName, .experimentArm]

  /// Those that our own exports have.
  package static let ofExports = ofContract + [.replyLength, .replyWithheld]

  /// Those that a mapping can name, in the order of the contract's.
  package static let ofMappings = ofContract + [.campaign]

  /// As headers and mappings have it.
  package var name: String {
    switch self {
    case .field(let field): field.rawValue
    case .experimentName: "experiment.name"
    case .experimentArm: "experiment.arm"
    case .replyLength: "replyLength"
    case .replyWithheld: "replyWithheld"
    case .campaign: "campaign"
    }
  }
}
