import Reports
import Testing

@testable import Projections

/// The one sentence that is read by those who read nothing else.
struct AnswerTests {
  private func answer(rich: (Int, Int), text: (Int, Int), _ sample: SampleReport = SampleReport()) throws
    -> String
  {
    var sample = sample
    sample.isSpread = true
    sample.add("news", rich: rich, text: text)
    return try sample.report().answer
  }

  @Test func theUpliftComesWithItsIntervalAndTheClaim() throws {
    let answer = try answer(rich: (20_000, 2_620), text: (20_000, 2_000))
    #expect(
      answer.wholeMatch(
        of:
          /Rich notifications get 31 % \(2\d to 3\d %\) more interactions than text-only; the 30–40 % often claimed overlaps with this\./
      ) != nil, "\(answer)")
  }

  @Test func fewerIsToldAsSuchWithTheSmallerLimitFirst() throws {
    let answer = try answer(rich: (20_000, 1_500), text: (20_000, 2_000))
    #expect(
      answer.wholeMatch(
        of:
          /Rich notifications get 25 % \(2\d to 3\d %\) fewer interactions than text-only; that is below the 30–40 % often claimed\./
      ) != nil, "\(answer)")
  }

  @Test func noDifferenceIsToldWithBothSides() throws {
    let answer = try answer(rich: (5_000, 500), text: (5_000, 495))
    #expect(
      answer.wholeMatch(
        of:
          /No difference is shown .* rich ones get [\d.]+ % fewer to [\d.]+ % more interactions; that is below .*\./
      ) != nil, "\(answer)")
  }

  @Test func tooLittleIsToldWithTheReason() throws {
    #expect(try answer(rich: (50, 5), text: (500, 40)) == "No answer yet: 50 rich delivered, 100 needed.")
    #expect(try SampleReport().report().answer == "No answer yet: no notification of this period counts.")
  }

  /// The claim is about interactions.
  @Test func anotherMetricIsNamedWithoutTheClaim() throws {
    let answer = try answer(rich: (20_000, 2_620), text: (20_000, 2_000), SampleReport(.customAction("like")))
    #expect(
      answer.contains("more taps on “like” than text-only.") && !answer.contains("claimed"), "\(answer)")
  }
}
