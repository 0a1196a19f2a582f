import PushJSON
import PushLanguageServer
import PushSystem
import Testing

/// Positions and edits (Language Server Protocol 3.17, Position, TextDocumentContentChangeEvent).
struct TextDocumentTests {
    private func document(_ text: String, _ encoding: PositionEncoding = .utf16) -> TextDocument {
        TextDocument(uri: "file:///a.json", languageID: "json", version: 1, text: text, encoding: encoding)
    }

    /// The protocol's own example: `a𐐀b`.
    @Test(arguments: [(PositionEncoding.utf16, [0, 1, 3, 4]), (.utf8, [0, 1, 5, 6])])
    func `characters count in the client's units`(encoding: PositionEncoding, units: [Int]) {
        let document = document("a𐐀b", encoding)
        for (offset, character) in zip([0, 1, 5, 6], units) {
            let position = DocumentPosition(line: 0, character: character)
            #expect(document.position(of: offset) == position)
            #expect(document.offset(of: position) == offset)
        }
    }

    @Test func `lines end in any of three ways`() {
        let document = document("a\nb\r\nc\rd\n")
        let starts = (0...4).map { document.offset(of: DocumentPosition(line: $0, character: 0)) }
        #expect(starts == [0, 2, 5, 7, 9])
        #expect(document.position(of: 7) == DocumentPosition(line: 3, character: 0))
    }

    @Test func `a position outside is the nearest one inside`() {
        let document = document("é\r\n𐐀")
        #expect(document.offset(of: DocumentPosition(line: 0, character: 99)) == 2)
        #expect(document.offset(of: DocumentPosition(line: 7, character: 0)) == 8)
        // The second half of a pair.
        #expect(document.offset(of: DocumentPosition(line: 1, character: 1)) == 4)
        #expect(document.position(of: 99) == DocumentPosition(line: 1, character: 2))
    }

    @Test func `changes apply one after another`() {
        var document = document("one\ntwo\n")
        let start = DocumentPosition(line: 1, character: 0)
        document.apply(
            [
                .init(range: (start, DocumentPosition(line: 1, character: 3)), text: "zwei\ndrei"),
                .init(
                    range: (DocumentPosition(line: 2, character: 4), DocumentPosition(line: 2, character: 4)), text: "!"
                ),
                .init(range: (DocumentPosition(line: 0, character: 0), start), text: ""),
            ], version: 2)
        #expect(String(decoding: document.text, as: UTF8.self) == "zwei\ndrei!\n")
        document.apply([.init(range: nil, text: "{}")], version: 3)
        #expect(document.text == Array("{}".utf8))
        #expect(document.version == 3)
    }

    @Test func `lines are right after any edit`() {
        let pieces = ["", "a", "\n", "\r", "\r\n", "b\rc", "\n\r", "é\n"]
        var generator = SplitMix64(seed: 7)
        func next(_ bound: Int) -> Int { Int(generator.next() % UInt64(bound)) }
        var document = document("a\r\nb\rc\n")
        for _ in 0..<2000 {
            let positions = [next(6), next(6)].sorted().map { DocumentPosition(line: $0, character: next(3)) }
            document.apply([.init(range: (positions[0], positions[1]), text: pieces[next(pieces.count)])], version: 2)
            let fresh = self.document(String(decoding: document.text, as: UTF8.self))
            for offset in 0...document.text.count {
                #expect(document.position(of: offset) == fresh.position(of: offset))
            }
        }
    }

    @Test func `a range that ends before it begins inserts`() {
        var document = document("abc")
        document.apply(
            [
                .init(
                    range: (DocumentPosition(line: 0, character: 2), DocumentPosition(line: 0, character: 1)), text: "x"
                )
            ],
            version: 2)
        #expect(String(decoding: document.text, as: UTF8.self) == "abxc")
    }
}
