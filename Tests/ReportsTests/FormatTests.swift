import Reports
import Testing

struct FormatTests {
  @Test func decimalsAreRoundedHalfAwayFromZero() {
    #expect(Format.decimal(0.5, digits: 0) == "1")
    #expect(Format.decimal(-0.5, digits: 0) == "-1")
    #expect(Format.decimal(0.125, digits: 2) == "0.13")
    #expect(Format.decimal(2.0 / 3, digits: 8) == "0.66666667")
    #expect(Format.decimal(12_345.678, digits: 1) == "12345.7")
    #expect(Format.decimal(0.05, digits: 4) == "0.0500")
    #expect(Format.decimal(9.999, digits: 2) == "10.00")
  }

  @Test func zeroHasNoSign() {
    #expect(Format.decimal(-0.0, digits: 2) == "0.00")
    #expect(Format.decimal(-0.004, digits: 2) == "0.00")
    #expect(Format.decimal(-0.006, digits: 2) == "-0.01")
    #expect(Format.signed(-0.0001, digits: 2) == "0.00")
    #expect(Format.signed(0, digits: 1) == "0.0")
    #expect(Format.signed(1.25, digits: 2) == "+1.25")
    #expect(Format.signed(-1.25, digits: 2) == "−1.25")
  }

  @Test func tinyAndLargeNumbersHaveNoExponent() {
    #expect(Format.decimal(1e-12, digits: 10) == "0.0000000000")
    #expect(Format.decimal(1e-5, digits: 10) == "0.0000100000")
    #expect(Format.decimal(.leastNonzeroMagnitude, digits: 15) == "0.000000000000000")
    #expect(Format.decimal(1e9, digits: 8) == "1000000000.00000000")
    #expect(Format.decimal(9_007_199_254_740_992, digits: 0) == "9007199254740992")
  }

  @Test func countsHaveCommasBetweenThousands() {
    let expected = [
      0: "0", 7: "7", 999: "999", 1_000: "1,000", 12_345: "12,345", 999_999: "999,999",
      1_000_000: "1,000,000",
      -999: "-999", -1_000: "-1,000", 1_234_567_890: "1,234,567,890",
    ]
    for (number, text) in expected { #expect(Format.count(number) == text) }
  }

  @Test func sharesAndProbabilities() {
    #expect(Format.percent(0.1234) == "12.3 %")
    #expect(Format.percent(1, digits: 2) == "100.00 %")
    #expect(Format.signedPercent(0.351) == "+35.1 %")
    #expect(Format.signedPercent(-0.04) == "−4.0 %")
    #expect(Format.signedPercent(.infinity) == "unlimited")
    #expect(Format.pValue(0.04999) == "p = 0.0500")
    #expect(Format.pValue(0.00009) == "p < 0.0001")
    #expect(Format.pValue(0) == "p < 0.0001")
    #expect(Format.pValue(1) == "p = 1.0000")
  }

  @Test(arguments: [
    (60, "1 min"), (90, "90 s"), (3_600, "1 h"), (86_400, "24 h"), (172_800, "48 h"), (604_800, "7 d"),
    (90_000, "25 h"), (2_592_000, "30 d"),
  ])
  func aWindowIsToldInItsLargestUnit(_ seconds: Int, _ text: String) {
    #expect(Format.window(seconds) == text)
  }
}
