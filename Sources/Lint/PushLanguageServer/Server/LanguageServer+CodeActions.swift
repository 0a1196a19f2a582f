import PayloadJSON
import PushLint
import PushRPC

extension LanguageServer {
    /// The kind of action that fixes a whole document.
    static let fixAllKind = "source.fixAll.pushpipe"

    /// `textDocument/codeAction`: a quick fix for each finding in a range that has one, and one action for the whole document.
    func codeActions(_ params: RPCValue) throws(RPCMessage.Failure) -> RPCValue {
        let document = try document(params)
        guard let start = DocumentPosition(params[["range", "start"]]),
            let end = DocumentPosition(params[["range", "end"]])
        else { throw .invalidParams("range is missing or invalid") }
        let range = document.offset(of: start)...max(document.offset(of: start), document.offset(of: end))
        let wanted = params[["context", "only"]]?.elements.compactMap(\.string)
        /// A client that asks for `source` gets `source.fixAll.pushpipe`, too. The empty kind is the root of all.
        func isWanted(_ kind: String) -> Bool {
            wanted?.contains { $0.isEmpty || kind == $0 || kind.hasPrefix($0 + ".") } ?? true
        }
        var actions: [RPCValue] = []
        if isWanted("quickfix") {
            actions = findings(in: document)
                .filter {
                    !$0.edits.isEmpty && $0.range.lowerBound <= range.upperBound
                        && range.lowerBound <= $0.range.upperBound
                }
                .map { quickFix($0, in: document) }
        }
        if isWanted(Self.fixAllKind), let edit = Difference(from: document.text, to: fixed(document)) {
            actions.append(
                .members([
                    "title": "Fix all problems that pushpipe can fix", "kind": .string(Self.fixAllKind),
                    "edit": edits([(edit.range, edit.replacement)], of: document),
                ]))
        }
        return .array(actions)
    }

    private func quickFix(_ finding: Diagnostic, in document: TextDocument) -> RPCValue {
        .members([
            "title": .string(Self.title(of: finding)), "kind": "quickfix",
            "diagnostics": [Self.diagnostic(finding, in: document)],
            // Edits are proposed only where the meaning is certain.
            "isPreferred": true,
            "edit": edits(finding.edits.map { ($0.range, $0.replacement) }, of: document),
        ])
    }

    /// `Replace with "mutable-content"`; for what is longer or in several places, the rule's title.
    private static func title(of finding: Diagnostic) -> String {
        guard let edit = finding.edits.first, finding.edits.count == 1, edit.replacement.count <= 60 else {
            return "Fix: \(finding.rule.title)"
        }
        let text = String(decoding: edit.replacement, as: UTF8.self)
        if text.contains(where: \.isNewline) { return "Fix: \(finding.rule.title)" }
        return text.isEmpty
            ? "Remove: \(finding.rule.title)" : edit.range.isEmpty ? "Insert \(text)" : "Replace with \(text)"
    }

    /// A `WorkspaceEdit`.
    private func edits(_ edits: [(Range<Int>, [UInt8])], of document: TextDocument) -> RPCValue {
        let list = RPCValue.array(
            edits.map { range, replacement in
                .members([
                    "range": document.range(range), "newText": .string(String(decoding: replacement, as: UTF8.self)),
                ])
            })
        guard client.hasDocumentChanges else {
            return .members(["changes": .object([RPCValue.Member(name: document.uri, value: list)])])
        }
        let identifier = RPCValue.members([
            "uri": .string(document.uri), "version": document.version.map { .integer($0) } ?? .null,
        ])
        return .members(["documentChanges": [.members(["textDocument": identifier, "edits": list])]])
    }
}

/// The single replacement that turns one text into another.
private struct Difference {
    var range: Range<Int>
    var replacement: [UInt8]

    /// Nil if the texts are equal. Both ends are between characters. O(bytes).
    init?(from old: [UInt8], to new: [UInt8]) {
        guard old != new else { return nil }
        let shorter = min(old.count, new.count)
        var start = 0
        while start < shorter, old[start] == new[start] { start += 1 }
        while start > 0, Self.isInside(old, start) || Self.isInside(new, start) { start -= 1 }
        var tail = 0
        while tail < shorter - start, old[old.count - 1 - tail] == new[new.count - 1 - tail] { tail += 1 }
        while tail > 0, Self.isInside(old, old.count - tail) || Self.isInside(new, new.count - tail) { tail -= 1 }
        range = start..<old.count - tail
        replacement = Array(new[start..<new.count - tail])
    }

    /// True if an offset is between the bytes of a character.
    private static func isInside(_ text: [UInt8], _ offset: Int) -> Bool {
        offset < text.count && text[offset] & 0xC0 == 0x80
    }
}
