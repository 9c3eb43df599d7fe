import EventStore
import Testing

@Suite struct WordSearchTests {
  @Test(arguments: [
    ("d-1", "d-1", true), ("d-1", "x d-1,", true), ("d-1", "\"d-1\"", true), ("d-1", "d-12 xd-1 d-1_", false),
    ("d-1", "d-12 d-1", true), ("aa", "aaa", false), ("aab", "aa aab", true), ("d-1", "", false),
    ("", "x", false),
    ("é", "éé é", true),
  ])
  func aWordStandsByItself(_ word: String, _ text: String, _ isThere: Bool) {
    #expect(Array(text.utf8).containsWord(Array(word.utf8)) == isThere)
  }

  @Test func atTheEdgesOfAPieceItIsNotTold() {
    for text in ["d-1 ", " d-1", "d-1"] {
      #expect(!Array(text.utf8).containsWord(Array("d-1".utf8), atEdges: false))
    }
    #expect(Array(" d-1 ".utf8).containsWord(Array("d-1".utf8), atEdges: false))
  }
}
