import Testing

/// Reference values, a part published and the rest computed to 50 digits, each held at its own tolerance.
@Suite struct GoldenTests {
  @Test(arguments: GoldenRow.all)
  func theReferenceValueIsReproduced(row: GoldenRow) throws {
    guard let function = goldenFunctions[row.function] else {
      throw GoldenError("golden.csv names \(row.function), which these tests do not know")
    }
    let differences = try row.differences(from: function(try GoldenValue(json: row.inputs)))
    #expect(differences.isEmpty, "\(row.source)")
  }

  @Test func theFileHoldsAllItsRows() {
    #expect(GoldenRow.all.count >= 603)
  }
}
