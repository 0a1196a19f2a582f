import Foundation
import PushLint
import PushLintConfiguration
import TestSupport
import Testing

/// The examples of `Documentation/guides/swift.md`. The page shows exactly the lines between `// Example:` and `// End`, below the
/// imports that they need. This file has no others of pushpipe, and is compiled with `MemberImportVisibility`.
final class LibraryExampleTests {
    private let payload = Payload.misspelled
    private var printed: [String] = []

    /// Keeps what an example prints.
    private func print(_ items: Any...) { printed.append(items.map { "\($0)" }.joined(separator: " ")) }

    @Test func `one record`() {
        // Example: one record
        let linter = Linter()
        for diagnostic in linter.lint(#"{"aps":{"alert":"Hi","mutable_content":1}}"#) {
            print(diagnostic)  // error aps.misspelled-key at /aps/mutable_content: …
        }
        // End
        #expect(linter.lint(payload).map(\.pointer) == ["/aps/mutable_content"])
        #expect(printed.map { $0.hasPrefix("error aps.misspelled-key at /aps/mutable_content: unknown key") } == [true])
    }

    @Test func `in a test`() {
        let diagnostics = Linter().lint(payload)
        #expect(diagnostics.map(\.rule.id.text) == ["aps.misspelled-key"])
    }

    @Test func `how records are read`() {
        var decoding = DecodingOptions()
        decoding.format = .fcm
        decoding.budget = Budget(parsing: "apns-voip")
        let linter = Linter(decoding)
        #expect(!linter.lint(payload).isEmpty)
    }

    @Test func `a text`() throws {
        let text = payload + "\n" + payload
        // Example: a text
        let linter = TextLinter()
        let file = LintedFile(name: "payloads.ndjson", bytes: text.utf8, diagnostics: linter.lint(text).diagnostics)
        for diagnostic in file.diagnostics {
            let (line, column) = file.position(of: diagnostic)
            print("\(file.name):\(line):\(column): \(diagnostic.message)")
        }
        // End
        #expect(file.diagnostics.map { file.position(of: $0).line } == [1, 2])
        #expect(file.diagnostics.map { file.position(of: $0).column } == [22, 22])
        let starts = ["payloads.ndjson:1:22: unknown key", "payloads.ndjson:2:22: unknown key"]
        #expect(printed.count == 2 && zip(printed, starts).allSatisfy { $0.hasPrefix($1) })
    }

    @Test func `a configuration`() throws {
        let payload = Payload.silent
        var configuration = LintConfiguration()
        configuration.severity = .info
        configuration.rules.severities[try RulePattern("aps.nothing-visible")] = .error
        configuration.rules.disabled = [try RulePattern("gcm")]
        let result = TextLinter(configuration).lint(payload)
        let fails = result.diagnostics.contains { $0.severity == .error }
        #expect(fails)
    }

    @Test func `a configuration file`() {
        // Example: a configuration file
        do {
            let yaml = "lint:\n  severty: info\n"
            let configuration = try LintConfiguration(yaml: yaml)
            print(TextLinter(configuration).lint(payload).diagnostics.count)
        } catch {
            print(error)  // .pushpipe.yml:2:3: lint has no key 'severty'; the keys allowed are …
        }
        // End
        let start = ".pushpipe.yml:2:3: lint has no key 'severty'; the keys allowed are severity"
        #expect(printed.map { $0.hasPrefix(start) } == [true])
        #expect(throws: ConfigurationError.self) { try LintConfiguration(yaml: "lint:\n  severty: info\n") }
    }

    @Test func `a fix`() {
        // Example: a fix
        let result = TextLinter().fix(payload)
        print(result.text)  // {"aps":{"alert":"Hi","mutable-content":1}}
        print(result.fixed, "fixed,", result.remaining.diagnostics.count, "left")
        // End
        #expect(printed == [Payload.fixed, "1 fixed, 0 left"])
        #expect(result.text == Payload.fixed)
        #expect(result.fixed == 1)
        #expect(result.remaining.diagnostics.isEmpty)
    }

    @Test func `a report`() {
        let files = [LintedFile("a.json", payload), LintedFile("b.json", payload)]
        var report = LintReport(.sarif)
        var output = ""
        for file in files { output += report.add(file) }
        output += report.finish()
        #expect(output.contains(#""ruleId" : "aps.misspelled-key""#))
    }

    @Test func `rules and budgets`() throws {
        let rule = try RuleID("aps.misspelled-key").rule
        print(rule.title, rule.explanation, rule.source.url)
        for report in Linter().budgets(of: payload) {
            print("\(report.bytes) of \(report.limit) bytes, \(report.left) left")
        }
        let size = payload.utf8.count
        let described = "\(rule.title) \(rule.explanation) \(rule.source.url)"
        #expect(printed == [described, "\(size) of 4096 bytes, \(4096 - size) left"])
        #expect(Rule.all.contains(rule))
        #expect(Linter().budgets(of: payload).map(\.bytes) == [payload.utf8.count])
    }

    // MARK: - The page

    /// The lines of each example in this file.
    private func examples() throws -> [String] {
        var examples: [String] = []
        var lines: [Substring]?
        for line in try String(contentsOfFile: #filePath, encoding: .utf8)
            .split(separator: "\n", omittingEmptySubsequences: false)
        {
            if line.hasPrefix("        // Example: ") {
                lines = []
            } else if line == "        // End" {
                examples.append((lines ?? []).joined(separator: "\n"))
                lines = nil
            } else {
                lines?.append(line.dropFirst(8))
            }
        }
        return examples
    }

    /// The Swift code on a page.
    private func code(_ path: String) throws -> [String] {
        try String(contentsOf: packageFolder.appendingPathComponent(path), encoding: .utf8)
            .components(separatedBy: "```swift\n").dropFirst().compactMap { $0.components(separatedBy: "\n```").first }
    }

    @Test func `the module's documentation shows an example of the page`() throws {
        let shown = try code("Sources/Lint/PushLintConfiguration/PushLintConfiguration.docc/PushLintConfiguration.md")
        #expect(try shown.count == 1 && Set(code("Documentation/guides/swift.md")).isSuperset(of: shown))
    }

    @Test func `the page shows these examples`() throws {
        let blocks = try code("Documentation/guides/swift.md")
            // The others are the package manifest's, and those of other libraries.
            .filter { $0.hasPrefix("import PushLint") }.map { $0.components(separatedBy: "\n\n") }
        #expect(try blocks.map { $0.dropFirst().joined(separator: "\n\n") } == examples())
        let imports = try String(contentsOfFile: #filePath, encoding: .utf8).components(separatedBy: "\n\n")[0].lines
        for block in blocks {
            #expect(Set(block[0].lines).isSubset(of: imports), "\(block)")
        }
    }
}
