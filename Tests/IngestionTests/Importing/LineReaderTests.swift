import Testing

@testable import Ingestion

@Suite struct LineReaderTests {
  private func lines(_ text: String, pieceSize: Int) throws -> [(Int, String)] {
    var reader = try LineReader(ByteSource(name: "file", Array(text.utf8), pieceSize: pieceSize))
    var all: [(Int, String)] = []
    while case .event(let line, let json, _)? = try reader.next() {
      all.append((line, String(decoding: json, as: UTF8.self)))
    }
    return all
  }

  @Test func blankLinesCountAndAreSkipped() throws {
    for size in 1...9 {
      let found = try lines("\u{FEFF}{1}\r\n\n  \t\r\n {2} \n{3}", pieceSize: size)
      #expect(found.map(\.0) == [1, 4, 5])
      #expect(found.map(\.1) == ["{1}", "{2}", "{3}"])
    }
  }

  @Test func ofAnEndlessLineOnlyAPartIsKept() throws {
    let text = "{1}\n" + String(repeating: "x", count: 3 * LineReader.keptBytes) + "\n{3}\n"
    let found = try lines(text, pieceSize: 1 << 16)
    #expect(found.map(\.0) == [1, 2, 3])
    #expect(found[1].1.utf8.count == LineReader.keptBytes)
  }

  @Test func aRecordOverSeveralLinesIsNamedWithARemedy() throws {
    let error = #expect(throws: ImportError.self) { try lines(" { \n  \"id\": 1\n}\n", pieceSize: 10) }
    #expect(error?.message.contains("jq -c .") == true)
    // Further down it is one bad line among good ones.
    #expect(try lines("{1}\n{\n{3}", pieceSize: 10).count == 3)
  }

  /// Of one line, of a line an element, and with every value on a line of its own.
  @Test(arguments: [
    " \n[{}]", "[]", "[1,2]\n\n \n", "[{\"a\":1},\n{\"a\":2}]", "[\n{}\n]\n", "[{\"a\":[1]\n}]",
    "[\"]\"\n,1]",
    "[\"\\\"]\"\n,1]",
  ])
  func anArrayIsNamedWithARemedy(text: String) {
    let error = #expect(throws: ImportError.self) { try lines(text, pieceSize: 10) }
    #expect(error?.message.contains("jq -c '.[]'") == true)
  }

  /// It is rejected like any other line that is no event.
  @Test(arguments: ["[1,2]", "[]", "[{\"a\":\"[\"}]"]) func anArrayAmongLinesIsALine(array: String) throws {
    for size in [1, 5, 100] {
      #expect(try lines("\(array)\n\n{2}\n", pieceSize: size).map(\.1) == [array, "{2}"])
      #expect(try lines("\n{1}\n\(array)", pieceSize: size).map(\.1) == ["{1}", array])
    }
  }
}
