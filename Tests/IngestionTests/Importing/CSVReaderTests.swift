import Testing

@testable import Ingestion

@Suite struct CSVReaderTests {
  /// The header and the records of a text, read in pieces of every size up to 9.
  private func records(_ text: String, pieceSize: Int) throws -> [[String]] {
    var reader = try CSVReader(ByteSource(name: "file", Array(text.utf8), pieceSize: pieceSize))
    var all: [[String]] = []
    if let header = try reader.header() {
      all.append(header.cells.map { String(decoding: $0, as: UTF8.self) })
    }
    while let record = try reader.next() {
      all.append(record.cells.map { String(decoding: $0, as: UTF8.self) })
    }
    return all
  }

  @Test(arguments: [
    ("a,b\n1,2\n", [["a", "b"], ["1", "2"]]),
    ("a,b\r\n1,2", [["a", "b"], ["1", "2"]]),
    ("a,b\r1,2\r3,4\r", [["a", "b"], ["1", "2"], ["3", "4"]]),
    ("\n\r\na;\"b,,c\"\n1;\"2;3\"\n", [["a", "b,,c"], ["1", "2;3"]]),
    ("\"a\",\"b\"\n1,2\n", [["a", "b"], ["1", "2"]]),
    ("a\tb\tc\n1\t\t3\n", [["a", "b", "c"], ["1", "", "3"]]),
    ("a;b;c\n1,5;;x\n", [["a", "b", "c"], ["1,5", "", "x"]]),
    ("a,b\n\"x\r\ny\"\"z\",\"\"\n", [["a", "b"], ["x\r\ny\"z", ""]]),
    ("a,b\n\n\r\n1,\n\n", [["a", "b"], ["1", ""]]),
    ("a,b\n5\" x,y\n", [["a", "b"], ["5\" x", "y"]]),
    ("\u{FEFF}a,b\n1,2\n", [["a", "b"], ["1", "2"]]),
    ("one\n1\n", [["one"], ["1"]]),
    ("a,b\n1,\"\"", [["a", "b"], ["1", ""]]),
    ("", []),
  ])
  func cellsAreReadAcrossPieces(_ text: String, _ expected: [[String]]) throws {
    for size in 1...9 { #expect(try records(text, pieceSize: size) == expected, "in pieces of \(size)") }
  }

  @Test func aRecordTellsTheLineWhereItBegins() throws {
    let text = "a,b\n1,\"x\ny\nz\"\n\n2,w\r\n3,\"p\r\nq\"\n4,v\n"
    var reader = try CSVReader(ByteSource(name: "file", Array(text.utf8), pieceSize: 3))
    _ = try reader.header()
    var lines: [Int] = []
    while let record = try reader.next() { lines.append(record.line) }
    #expect(lines == [2, 6, 7, 9])
  }

  @Test func textBehindAClosingQuotationMarkIsAFaultOfItsRowOnly() throws {
    var reader = try CSVReader(ByteSource(name: "file", Array("a,b\n\"x\"y,1\n2,3\n".utf8), pieceSize: 2))
    _ = try reader.header()
    #expect(try reader.next()?.isMalformed == true)
    let next = try reader.next()
    #expect(next?.isMalformed == false)
    #expect(next?.line == 3)
  }

  @Test func anUnclosedQuotationMarkIsNamedByItsLineAndEndsInBoundedMemory() throws {
    for filler in [0, 2 * CSVReader.recordBytes] {
      let text = "a,b\n1,2\n3,\"open\n" + String(repeating: "x,y\n", count: filler / 4)
      var reader = try CSVReader(ByteSource(name: "file", Array(text.utf8), pieceSize: 1 << 16))
      _ = try reader.header()
      _ = try reader.next()
      let error = #expect(throws: ImportError.self) { while try reader.next() != nil {} }
      #expect(error?.code == .unclosedQuote)
      #expect(error?.message.contains("line 3") == true)
    }
  }

  @Test(
    arguments: [
      [0xFF, 0xFE, 0x61, 0x00], [0xFE, 0xFF, 0x00, 0x61], [0x61, 0x00, 0x2C, 0x00], [0x00, 0x61, 0x00, 0x2C],
    ] as [[UInt8]])
  func utf16IsNamedWithARemedy(_ bytes: [UInt8]) {
    let error = #expect(throws: ImportError.self) {
      _ = try CSVReader(ByteSource(name: "file", bytes, pieceSize: 1))
    }
    #expect(error?.code == .format)
    #expect(error?.message.contains("iconv -f UTF-16 -t UTF-8") == true)
  }

  @Test func compressedFilesAreNamedWithARemedy() {
    let error = #expect(throws: ImportError.self) {
      _ = try LineReader(ByteSource(name: "file", [0x1F, 0x8B, 8, 0], pieceSize: 4))
    }
    #expect(error?.message.contains("zcat") == true)
  }
}
