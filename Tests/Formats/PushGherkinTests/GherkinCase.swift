import Foundation
import Testing

@testable import PushGherkin

/// A file in `Cases`, and what is expected of it beside it: pickles of those in `good`, errors of those in `bad`.
struct GherkinCase: Sendable, CustomTestStringConvertible {
    let name: String
    let bytes: [UInt8]
    let expected: String

    var testDescription: String { name }

    static func all(in folder: String) -> [GherkinCase] {
        let url = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("Cases/\(folder)")
        let names = (try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []
        return names.filter { $0.hasSuffix(".feature") }.sorted().compactMap { name in
            let path = url.appendingPathComponent(name)
            let expected = path.deletingPathExtension().appendingPathExtension("expected")
            guard let bytes = try? Data(contentsOf: path),
                let text = try? String(contentsOf: expected, encoding: .utf8)
            else { return nil }
            return GherkinCase(name: name, bytes: Array(bytes), expected: text)
        }
    }
}

/// Pickles as `Cases/good` has them.
enum PickleText {
    static func of(_ document: GherkinDocument) -> String { Pickles(document).map(lines).joined() }

    private static func lines(_ pickle: Pickle) -> String {
        let head = [place(pickle.location)] + pickle.tags.map(\.name)
        return head.joined(separator: " ") + ": \(pickle.name)\n" + pickle.steps.map(lines).joined()
    }

    private static func lines(_ step: Step) -> String {
        var text = "  step \(step.text)\n"
        if let string = step.docString {
            text += "    string\n"
            text += string.components(separatedBy: "\n").map { "      >\($0)\n" }.joined()
        }
        for row in step.table ?? [] {
            let cells = row.map { "[\($0.replacingOccurrences(of: "\n", with: "\\n"))]" }
            text += "    row \(cells.joined())\n"
        }
        return text
    }

    static func place(_ location: Location) -> String { "\(location.line):\(location.column)" }
}

/// What the parser makes of a text: pickles or errors.
func outcome(_ bytes: some Sequence<UInt8>) -> String {
    var problems = ""
    let document = GherkinParser.parse(Array(bytes)) { problems = $0.list.map { "\($0)\n" }.joined() }
    return document.map { PickleText.of($0) } ?? problems
}

func outcome(_ text: String) -> String { outcome(text.utf8) }
