import PushLint
import PushRPC
import PushText

extension LanguageServer {
    /// `textDocument/hover`: the rules of the findings at a place, or what the key there means.
    func hover(_ params: RPCValue) throws(RPCMessage.Failure) -> RPCValue {
        let document = try document(params)
        guard let position = DocumentPosition(params["position"]) else {
            throw .invalidParams("position is missing or invalid")
        }
        let offset = document.offset(of: position)
        let found = findings(in: document).filter { $0.range.contains(offset) || $0.range == offset..<offset }
        if let first = found.first {
            var seen: Set<RuleID> = []
            let rules = found.map(\.rule).filter { seen.insert($0.id).inserted }
            let texts = rules.map { client.readsMarkdown ? RuleMarkdown.page($0) : RuleText.explanation($0, .plain) }
            return contents(
                texts.joined(separator: client.readsMarkdown ? "\n\n---\n\n" : "\n\n"), first.range, in: document)
        }
        guard isLinted(document), let key = KeyPlace(at: offset, in: document.text),
            let known = PayloadKey.named(key.path)
        else { return .null }
        return contents(client.readsMarkdown ? known.markdown : known.plainText, key.range, in: document)
    }

    private func contents(_ text: String, _ range: Range<Int>, in document: TextDocument) -> RPCValue {
        .members([
            "contents": .members(["kind": client.readsMarkdown ? "markdown" : "plaintext", "value": .string(text)]),
            "range": document.range(range),
        ])
    }
}

extension TextStyle {
    fileprivate static let plain = TextStyle(hasColors: false)
}
