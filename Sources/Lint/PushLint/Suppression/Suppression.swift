import PayloadJSON
import PushText

/// A rule, or a group of rules, whose findings are left out of a file.
package struct Suppression: Sendable {
    /// As it was written.
    package var text: String
    /// Nil if there is no such rule, which is reported.
    package var pattern: RulePattern?
    /// The only record that it is about, from 1; nil for all.
    package var record: Int?
    /// The part of the record that it is about, in tokens of a JSON Pointer; empty for all of it.
    package var path: [String]
    /// True if it is a setting of a configuration, which decides by itself what is shown.
    package var isSetting: Bool
    /// In the file that it stands in, from 1.
    package var line: Int
    package var column: Int

    package init(
        _ text: String, record: Int? = nil, path: [String] = [], isSetting: Bool = false, line: Int, column: Int
    ) {
        self.text = text
        self.isSetting = isSetting
        pattern = try? RulePattern(text)
        self.record = record
        self.path = path
        self.line = line
        self.column = column
    }

    func matches(_ rule: Rule, record: Int, pointer: String) -> Bool {
        guard pattern?.contains(rule) == true, self.record ?? record == record else { return false }
        return path.isEmpty || (JSONPointer.tokens(pointer) ?? []).starts(with: path)
    }

    /// The message about a suppression that no finding needs.
    static func unusedMessage(_ text: String) -> String {
        do throws(UnknownRule) { _ = try RulePattern(text) } catch { return error.description }
        return "nothing breaks \(TerminalText.clean(text)) here, so there is nothing to ignore"
    }
}

/// The suppressions of one file, and where they stand.
package final class SuppressionFile: Sendable {
    /// As reports name it.
    package let name: String
    package let bytes: [UInt8]
    package let suppressions: [Suppression]

    init(_ name: String, _ bytes: [UInt8], _ suppressions: [Suppression]) {
        self.name = name
        self.bytes = bytes
        self.suppressions = suppressions
    }

    /// Findings about those that were not used, in their order.
    ///
    /// - Parameters:
    ///   - used: positions in a list of several files' suppressions.
    ///   - first: the position of this file's first one there.
    ///   - linter: decides which are shown.
    package func unused(_ used: Set<Int>, from first: Int, _ linter: TextWorker) -> LintResult {
        let lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
        var result = LintResult()
        for (index, suppression) in suppressions.enumerated() where !used.contains(first + index) {
            let line = lines.indices.contains(suppression.line - 1) ? lines[suppression.line - 1] : []
            // Columns count characters, whose bytes after the first are left out.
            let starts = line.indices.filter { line[$0] & 0xC0 != 0x80 }
            let column = suppression.column - 1
            let start = starts.indices.contains(column) ? starts[column] : line.endIndex
            let count = max(min(suppression.text.utf8.count, line.endIndex - start), 0)
            let found = Diagnostic(
                rule: .unusedSuppression, message: Suppression.unusedMessage(suppression.text), pointer: "",
                range: start..<start + count)
            linter.report(found, to: &result)
        }
        return result
    }
}
