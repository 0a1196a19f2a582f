import Foundation
import PushLintConfiguration
import PushSystem
import TestSupport
import Testing

@testable import PushLint
@testable import PushLintFiles

/// Files that have no end, wait for their other end, or take very long to read.
struct HostileFileTests {
    // MARK: - YAML

    /// Each anchored mapping has the one before it twice.
    private func nested(_ levels: Int, inKeys: Bool) -> String {
        let pairs = (1..<levels).map { level in
            inKeys
                ? "&a\(level) {*a\(level - 1) : 1, [*a\(level - 1)]: 2}" : "&a\(level) [*a\(level - 1), *a\(level - 1)]"
        }
        return "lint:\n  exclude:\n" + (["&a0 {k: v}"] + pairs).map { "    - \($0)\n" }.joined()
    }

    @Test(arguments: [true, false]) func `aliases of aliases are refused with their place`(inKeys: Bool) {
        // Expanded, they are 2²⁰⁰ values.
        #expect {
            try LintConfiguration(yaml: Array(nested(200, inKeys: inKeys).utf8))
        } throws: { error in
            guard let error = error as? ConfigurationError else { return false }
            return error.message.hasPrefix("more than 32 aliases") && error.place?.line == 20
        }
    }

    @Test func `as many aliases as are allowed are read`() throws {
        let aliases = (0..<32).map { _ in "*old" }.joined(separator: ", ")
        _ = try LintConfiguration(yaml: Array("lint:\n  exclude: [&old old/, \(aliases)]\n".utf8))
        #expect(throws: ConfigurationError.self) {
            try LintConfiguration(yaml: Array("lint:\n  exclude: [&old old/, \(aliases), *old]\n".utf8))
        }
        // They are refused, but not before they are read: the most that fit.
        #expect(throws: ConfigurationError.self) {
            try LintConfiguration(yaml: Array(nested(17, inKeys: true).utf8))
        }
    }

    @Test func `patterns with asterisks are not aliases`() throws {
        let patterns = (0..<100).map { "    - old/**/a\($0)-*.json\n    - \"*.txt\"\n" }.joined()
        _ = try LintConfiguration(yaml: Array("lint:\n  exclude:\n\(patterns)".utf8))
    }

    @Test(arguments: ["[", "{", "{[", "? ", "- ? ", "{a: "]) func `deeply nested values and keys are refused`(
        text: String
    ) {
        #expect(throws: ConfigurationError.self) {
            try LintConfiguration(yaml: Array(String(repeating: text, count: 50_000).utf8))
        }
    }

    // MARK: - Files without an end

    @Test func `an endless configuration is an error`() throws {
        let folder = try LintFolder(["in.json": Payload.good])
        #expect {
            try folder.run("in.json") { $0.configuration = .file("/dev/zero") }
        } throws: { error in
            (error as? ConfigurationError)?.message == "larger than 1 MiB, the most that is read of such a file"
        }
    }

    @Test func `a pipe is not fixed, and not opened`() throws {
        let folder = try LintFolder(["in.json": Payload.misspelled])
        #expect(mkfifo(folder.path("pipe"), 0o600) == 0)
        let output = try folder.run("pipe", "in.json") { $0.fixing = .write }
        #expect(output.outcome.hasUnreadable)
        #expect(output.notes.hasPrefix("pushpipe: pipe: not a regular file, so it cannot be replaced\n"))
        #expect(try folder.read("in.json") == Payload.fixed)
    }

    @Test func `a schema that a configuration names must be a regular file`() throws {
        let folder = try LintFolder([
            "in.json": Payload.good, ".pushpipe.yml": "lint:\n  schemas:\n    - file: pipe\n",
        ])
        #expect(mkfifo(folder.path("pipe"), 0o600) == 0)
        let error = #expect(throws: ConfigurationError.self) { try folder.run("in.json") }
        #expect(error?.message.hasSuffix("not a regular file") == true)
    }
}
