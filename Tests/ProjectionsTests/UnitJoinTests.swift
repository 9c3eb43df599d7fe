import Postgres
import Testing

@testable import Projections

/// What keeps the statements fit for tables that are distributed by unit over several machines.
struct UnitJoinTests {
  /// Wherever rows of units meet, they meet by the unit.
  @Test func unitsAreJoinedByUnitAlone() {
    let statements =
      ProjectionStep(tables: .serving).statements
      + ProjectionReplay(tables: .replayed, position: 1).statements.flatMap(\.statements)
    var joins = 0
    for statement in statements {
      let text = statement.text.replacing("\n", with: " ")
      for join in text.matches(of: /join (lateral)?(.{0,200})/) {
        let rest = String(join.2)
        // The small table of apps is everywhere.
        if rest.firstMatch(of: /^ ?app using \(app_id\)/) != nil { continue }
        joins += 1
        #expect(
          rest.firstMatch(of: /using \(unit_id\)|unit_id = [a-z_]+\.unit_id/) != nil, "\(join.0)")
      }
      for semi in text.matches(of: /exists \((.{0,200})/) {
        joins += 1
        #expect(String(semi.1).contains(/unit_id = [a-z_]+\.unit_id/), "\(semi.0)")
      }
    }
    #expect(joins > 8)
  }
}
