import PushDecoding
import PushJSON
import PushLint
import PushModel

/// Every finding about a record has a position in it, and no edit turns JSON into text that is not JSON.
enum LintCheck {
    @Sendable static func make() -> FuzzTarget.Check {
        let linters = (0..<8).map { index in
            var options = DecodingOptions()
            options.format = index == 0 ? nil : RecordFormat.allCases[(index - 1) % RecordFormat.allCases.count]
            options.acceptsRelaxedJSON = index == 7
            return RecordLinter(options)
        }
        return { bytes in
            guard let input = FuzzInput(bytes) else { return nil }
            let linter = linters[Int(input.options.0 & 7)]
            return input.text.withCopy { text in
                let found = linter.lint(text)
                if found.count > Linter.maximumDiagnostics { return "\(found.count) findings" }
                let wasJSON = isJSON(text)
                var start = 0
                for diagnostic in found {
                    let range = diagnostic.range
                    guard range.lowerBound >= start, range.upperBound <= text.count else {
                        return "\(diagnostic.rule.id) at \(range)"
                    }
                    start = range.lowerBound
                    if diagnostic.message.isEmpty || diagnostic.message.contains(where: \.isNewline) {
                        return "\(diagnostic.rule.id): no line of message"
                    }
                    if JSONPointer.tokens(diagnostic.pointer) == nil {
                        return "\(diagnostic.rule.id): no pointer: \(diagnostic.pointer)"
                    }
                    if let trouble = check(diagnostic, in: text, wasJSON: wasJSON) { return trouble }
                }
                // For half of the inputs, because it doubles the time.
                guard input.options.0 & 8 == 0 else { return nil }
                let again = linter.lint(text)
                let isSame = again.map(\.finding) == found.map(\.finding) && again.map(\.range) == found.map(\.range)
                return isSame ? nil : "linting again gives other findings"
            }
        }
    }

    private static func check(_ diagnostic: Diagnostic, in text: UnsafeRawBufferPointer, wasJSON: Bool) -> String? {
        guard !diagnostic.edits.isEmpty else { return nil }
        let edits = TextEdit.sorted(diagnostic.edits)
        var end = 0
        for edit in edits {
            guard edit.range.lowerBound >= end, edit.range.upperBound <= text.count else {
                return "\(diagnostic.rule.id): edits overlap"
            }
            end = edit.range.upperBound
        }
        let edited = TextEdit.apply(edits, to: text)
        if edited.elementsEqual(text) { return "\(diagnostic.rule.id): edits that change nothing" }
        if wasJSON, !edited.withUnsafeBytes(isJSON) {
            return "\(diagnostic.rule.id): the fixed text is not JSON: \(readable(edited))"
        }
        return nil
    }
}
