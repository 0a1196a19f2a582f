import PushJSON
import PushLanguageServer
import PushLint
import PushRPC

/// The language server answers whatever it is sent, however it arrives; and positions and offsets of a document agree after any edits.
enum LanguageServerCheck {
    @Sendable static func make() -> FuzzTarget.Check {
        { bytes in
            guard let input = FuzzInput(bytes) else { return nil }
            let text = Array(input.text)
            return input.options.0 & 1 == 0
                ? session(text, seed: UInt64(input.options.1)) : edits(text, seed: UInt64(input.options.1))
        }
    }

    /// Sends the bytes after an initialization, whole and in pieces.
    private static func session(_ bytes: [UInt8], seed: UInt64) -> String? {
        let beginning = MessageFramer.framed(
            Array(#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"capabilities":{}}}"#.utf8))
        func answers(_ pieces: [ArraySlice<UInt8>]) -> [UInt8] {
            var connection = ServerConnection(
                LanguageServer { _, _, _ in LintConfiguration() }, framer: MessageFramer(maximumContentBytes: 4096))
            var answers = connection.receive(beginning)
            for piece in pieces { answers += connection.receive(piece, hasMore: true) }
            return answers + connection.receive([])
        }
        var pieces: [ArraySlice<UInt8>] = []
        var cuts = CutGenerator(seed: seed)
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = min(1 + cuts.below(40), rest.count)
            pieces.append(rest.prefix(count))
            rest = rest.dropFirst(count)
        }
        for answers in [answers([bytes[...]]), answers(pieces)] {
            var framer = MessageFramer()
            framer.append(answers)
            while let item = framer.next() {
                guard case .content(let content) = item, content.withUnsafeBytes(isJSON) else {
                    return "an answer is not a message"
                }
            }
        }
        return nil
    }

    /// Applies edits that the bytes describe to the text that they are.
    private static func edits(_ bytes: [UInt8], seed: UInt64) -> String? {
        let text = String(decoding: bytes, as: UTF8.self)
        var cuts = CutGenerator(seed: seed)
        var document = TextDocument(
            uri: "file:///a.json", languageID: "json", version: 1, text: text, encoding: seed & 1 == 0 ? .utf8 : .utf16)
        for _ in 0..<8 {
            let positions = (0..<2).map { _ in DocumentPosition(line: cuts.below(6), character: cuts.below(30)) }
            document.apply(
                [.init(range: (positions[0], positions[1]), text: String(text.prefix(cuts.below(12))))], version: 2)
            guard let edited = String(validating: document.text, as: UTF8.self) else {
                return "an edit cuts a character"
            }
            let fresh = TextDocument(
                uri: document.uri, languageID: "json", version: 2, text: edited,
                encoding: seed & 1 == 0 ? .utf8 : .utf16)
            for offset in document.text.indices where document.position(of: offset) != fresh.position(of: offset) {
                return
                    "the byte \(offset) is at \(document.position(of: offset)), and not at \(fresh.position(of: offset))"
            }
            for position in positions {
                let offset = document.offset(of: position)
                guard (0...document.text.count).contains(offset) else { return "the offset \(offset) of \(position)" }
                let again = document.position(of: offset)
                if document.offset(of: again) != offset { return "\(position) is \(offset), and that is \(again)" }
            }
        }
        return nil
    }
}
