import Reports
import TestSupport
import Testing

struct CSVTests {
  private func text(_ cells: [CSV.Cell]) -> String {
    var csv = CSV(header: cells.map { _ in "h" })
    csv.append(cells)
    return String(String(decoding: csv.utf8, as: UTF8.self).drop { $0 != "\r\n" }.dropFirst().dropLast())
  }

  @Test func quotesCommasAndLineBreaksAreQuoted() {
    #expect(text([.text("plain")]) == "plain")
    #expect(text([.text("a,b")]) == "\"a,b\"")
    #expect(text([.text("say \"hi\"")]) == "\"say \"\"hi\"\"\"")
    #expect(text([.text("a\r\nb")]) == "\"a\r\nb\"")
    #expect(text([.text("a\nb")]) == "\"a\nb\"")
    #expect(text([.text("a\rb")]) == "\"a\rb\"")
    #expect(text([.text(""), .text("x")]) == ",x")
  }

  /// A mark that joins the quote into one character with it must not hide it.
  @Test func aQuoteWithACombiningMarkIsStillAQuote() throws {
    let odd = ["a\"\u{301},b", "\"\u{200D}", ",\u{20DD}\"\u{FE0F}", "\u{1F468}\u{200D}\"x"]
    var csv = CSV(header: ["a", "b"])
    for name in odd { csv.append([.text(name), .text("x")]) }
    let rows = try readCSV(csv.utf8)
    #expect(rows.dropFirst().map { $0[0] } == odd)
    #expect(rows.allSatisfy { $0.count == 2 })
  }

  @Test(arguments: ["=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠", "'"])
  func whatASpreadsheetWouldCalculateIsNeutralised(_ start: String) throws {
    let formula = start + "HYPERLINK(\"http://x\")"
    var csv = CSV(header: ["a"])
    csv.append([.text(formula)])
    #expect(try readCSV(csv.utf8)[1] == ["'" + formula])
    // Further inside it is harmless.
    #expect(text([.text("a" + start)]).contains("'a") == false)
  }

  /// So does one that hides behind a combining mark.
  @Test func aSignWithACombiningMarkIsNeutralised() throws {
    var csv = CSV(header: ["a"])
    csv.append([.text("=\u{301}1+1")])
    #expect(try readCSV(csv.utf8)[1] == ["'=\u{301}1+1"])
  }

  @Test func numbersAreLeftAlone() {
    #expect(
      text([.integer(-12), .decimal(-0.5, digits: 2), .decimal(1e-9, digits: 8)]) == "-12,-0.50,0.00000000")
    #expect(text([.integer(.min), .integer(.max)]) == "-9223372036854775808,9223372036854775807")
    #expect(text([.decimal(1_234_567.891, digits: 2)]) == "1234567.89")
  }

  @Test func whatIsNoNumberIsEmpty() {
    let cells: [CSV.Cell] = [
      .decimal(nil, digits: 2), .decimal(Double?.some(.infinity), digits: 2),
      .decimal(Double?.some(.nan), digits: 2),
      .empty, .integer(1),
    ]
    #expect(text(cells) == ",,,,1")
  }

  @Test func textComesBackAsItWas() throws {
    let names = [
      "Größe", "日本語", "a;b", " x ", "#1", "👩‍👩‍👧", "שלום", "\u{FEFF}bom", "tab\there", "null", "1e5", "007",
    ]
    var csv = CSV(header: ["name", "n"])
    for name in names { csv.append([.text(name), .integer(1)]) }
    #expect(try readCSV(csv.utf8).dropFirst().map { $0[0] } == names)
  }
}
