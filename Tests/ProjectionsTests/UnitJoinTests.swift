import Postgres
import Testing

@testable import Projections

/// What keeps the statements fit for tables that are distributed by unit over several machines.
struct UnitJoinTests {
  /// Wherever rows of units meet, they meet by the unit.
  @Test func unitsAreJoinedByUnitAlone() {
    let statements =
      ProjectionStep(tables: .serving).statements
      + ProjectionReplay(tables: .replayed, position: 1).statements([:], areUnitsSealed: true).flatMap(
        \.statements)
    var joins = 0
    for statement in statements {
      let text = statement.text.replacing("\n", with: " ")
      for join in text.matches(of: /\bjoin (lateral )?/) {
        let rest = Self.withoutParentheses(text[join.range.upperBound...])
        // The small tables of apps and their frames are everywhere.
        if rest.firstMatch(of: /^ ?(app|frame) using \(app_id\)/) != nil { continue }
        // What a unit was offered lies in its row.
        if text[join.range.upperBound...].hasPrefix("(select distinct action_id from jsonb_array") {
          continue
        }
        joins += 1
        // A lateral one is bound inside.
        let condition = join.1 == nil ? rest : String(text[join.range.upperBound...].prefix(200))
        #expect(
          condition.firstMatch(of: /using \(unit_id\)|unit_id = [a-z_]+\.unit_id/) != nil, "\(join.0)\(rest)")
      }
      for semi in text.matches(of: /exists \((.{0,200})/) {
        joins += 1
        #expect(String(semi.1).contains(/unit_id = [a-z_]+\.unit_id/), "\(semi.0)")
      }
    }
    #expect(joins > 8)
  }

  /// What follows a join: a table or, in parentheses that are left out here, a query, and how it is joined.
  private static func withoutParentheses(_ text: Substring) -> String {
    guard text.first == "(" else { return String(text.prefix(60)) }
    var depth = 0
    for (place, character) in zip(text.indices, text) {
      if character == "(" { depth += 1 }
      if character == ")" { depth -= 1 }
      if depth == 0 { return String(text[text.index(after: place)...].prefix(60)) }
    }
    return ""
  }
}
