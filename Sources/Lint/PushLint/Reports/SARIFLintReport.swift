import PushJSON
import PushModel
import PushSystem

/// SARIF 2.1.0, which code hosts and editors read: one run with all files, the broken rules, and fixes.
///
/// The files and the numbers of the broken rules come before the results, so findings are kept until the end. Texts are not.
struct SARIFLintReport: LintReportForm {
    /// A place in a file.
    private struct Region {
        var range: Range<Int>
        var start: TextPosition
        var end: TextPosition

        init(_ range: Range<Int>, _ positions: PositionTable) {
            self.range = range
            start = positions[range.lowerBound]
            end = positions[range.upperBound]
        }

        var json: JSONValue {
            .members([
                "byteLength": .number(range.count), "byteOffset": .number(range.lowerBound),
                "endColumn": .number(end.column), "endLine": .number(end.line), "startColumn": .number(start.column),
                "startLine": .number(start.line),
            ])
        }
    }

    /// The reported parts of a finding.
    private struct Entry {
        var file: Int32
        var record: Int
        /// Index in `Rule.all`.
        var rule: Int32
        var severity: Finding.Severity
        var message: String
        var pointer: String
        var region: Region
        var edits: [(region: Region, replacement: [UInt8])]
    }

    /// Each with its size in bytes.
    private var files: [(uri: String, bytes: Int)] = []
    private var entries: [Entry] = []
    /// Findings after the first `LintReport.mostKept`.
    private var leftOut = 0

    var keepsNothing: Bool { false }

    mutating func add(_ part: LintedFile, to out: inout ByteBuffer) {
        for finding in part.diagnostics {
            guard entries.count < LintReport.mostKept else {
                leftOut += 1
                continue
            }
            entries.append(
                Entry(
                    file: Int32(truncatingIfNeeded: files.count), record: finding.record,
                    rule: Int32(truncatingIfNeeded: Rule.position(of: finding.rule.id)), severity: finding.severity,
                    message: finding.message, pointer: finding.pointer,
                    region: Region(finding.range, part.positions),
                    edits: finding.edits.map { (Region($0.range, part.positions), $0.replacement) }))
        }
    }

    mutating func endFile(named name: String, bytes: Int) { files.append((Self.uri(name), bytes)) }

    // MARK: - Writing

    func finish(unreadable: [String], to write: Writer) rethrows {
        // The rules are sorted by their ids.
        let broken = Set(entries.map(\.rule)).sorted()
        let positions = Dictionary(uniqueKeysWithValues: broken.enumerated().map { ($1, $0) })
        try write { out in
            out.append("{\n  \"$schema\" : ")
            out.appendJSONString(
                "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json")
            out.append(",\n  \"runs\" : [\n    {\n")
            for member in inputs(unreadable) {
                out.appendLines(member, depth: 3)
                out.append(",\n")
            }
            out.append("      \"results\" : [\n")
        }
        for (index, entry) in entries.enumerated() {
            try write { out in
                out.append(index > 0 ? ",\n        " : "        ")
                out.appendLines(result(entry, ruleIndex: positions[entry.rule] ?? 0), depth: 4)
            }
        }
        try write { out in
            out.append("\n      ],\n")
            let tool = Self.tool(broken.map { Rule.all[Int($0)] })
            out.appendLines(JSONValue.Member(name: "tool", value: tool), depth: 3)
            out.append("\n    }\n  ],\n  \"version\" : \"2.1.0\"\n}\n")
        }
    }

    private func inputs(_ unreadable: [String]) -> [JSONValue.Member] {
        let artifacts = files.map { file -> JSONValue in
            .members([
                "length": .number(file.bytes), "location": .members(["uri": .string(file.uri)]),
                "roles": ["analysisTarget"],
            ])
        }
        var notifications = unreadable.map { JSONValue.members(["level": "error", "message": .message($0)]) }
        if leftOut > 0 {
            let words = "\(leftOut) more findings than the \(LintReport.mostKept) of this report"
            notifications.append(.members(["level": "warning", "message": .message(words)]))
        }
        let invocation = JSONValue.members([
            "executionSuccessful": .bool(unreadable.isEmpty), "toolExecutionNotifications": .array(notifications),
        ])
        return [
            JSONValue.Member(name: "artifacts", value: .array(artifacts)),
            JSONValue.Member(name: "columnKind", value: "unicodeCodePoints"),
            JSONValue.Member(name: "defaultEncoding", value: "utf-8"),
            JSONValue.Member(name: "invocations", value: [invocation]),
        ]
    }

    private func result(_ entry: Entry, ruleIndex: Int) -> JSONValue {
        let rule = Rule.all[Int(entry.rule)]
        let place = JSONValue.members([
            "logicalLocations": [.members(["fullyQualifiedName": .string(entry.pointer), "kind": "value"])],
            "physicalLocation": .members([
                "artifactLocation": location(of: entry.file), "region": entry.region.json,
            ]),
        ])
        return .members([
            "fixes": entry.edits.isEmpty ? nil : .array([fix(entry, rule)]),
            "level": .string(Self.level(entry.severity)),
            "locations": [place], "message": .message(entry.message),
            "properties": .members(["record": .number(entry.record)]), "ruleId": .string(rule.id.text),
            "ruleIndex": .number(ruleIndex),
        ])
    }

    private func fix(_ entry: Entry, _ rule: Rule) -> JSONValue {
        let replacements = entry.edits.map { edit -> JSONValue in
            .members([
                "deletedRegion": edit.region.json,
                "insertedContent": .message(String(decoding: edit.replacement, as: UTF8.self)),
            ])
        }
        let change = JSONValue.members([
            "artifactLocation": location(of: entry.file), "replacements": .array(replacements),
        ])
        return .members(["artifactChanges": [change], "description": .message("Fix: \(rule.title)")])
    }

    private func location(of file: Int32) -> JSONValue {
        // Findings of a file that could not be read to its end have no file.
        let uri = files.indices.contains(Int(file)) ? files[Int(file)].uri : ""
        return .members(["index": .number(Int(file)), "uri": .string(uri)])
    }

    private static func tool(_ rules: [Rule]) -> JSONValue {
        .members([
            "driver": .members([
                "informationUri": .string(ToolVersion.repository), "name": "pushpipe",
                "rules": .array(rules.map(description)), "semanticVersion": .string(ToolVersion.current),
                "version": .string(ToolVersion.current),
            ])
        ])
    }

    private static func description(of rule: Rule) -> JSONValue {
        let source = "[\(rule.source.title)](\(rule.source.url))"
        return .members([
            "defaultConfiguration": .members(["level": .string(level(rule.severity))]),
            "fullDescription": .message(rule.explanation),
            "help": .members([
                "markdown": .string("\(rule.explanation)\n\nSource: \(source)\n\n[Examples](\(rule.page))"),
                "text": .string("\(rule.explanation) Source: \(rule.source.title), \(rule.source.url)"),
            ]),
            "helpUri": .string(rule.page), "id": .string(rule.id.text), "shortDescription": .message(rule.title),
        ])
    }

    private static func level(_ severity: Finding.Severity) -> String {
        severity == .info ? "note" : severity.rawValue
    }

    /// A path as a URI: relative as it was typed, absolute with `file://`.
    static func uri(_ path: String) -> String {
        let relative = path.hasPrefix("./") ? String(path.dropFirst(2)) : path
        return (path.hasPrefix("/") ? "file://" : "") + PercentEncoding.encoded(relative, keeping: "/")
    }
}

extension JSONValue {
    fileprivate static func number(_ number: Int) -> JSONValue { .integer(Int64(number)) }

    /// An object with a member `text`.
    fileprivate static func message(_ text: String) -> JSONValue { .members(["text": .string(text)]) }
}

extension ByteBuffer {
    /// Appends a value over several lines, as Foundation's encoder lays it out. The caller sorts the members.
    ///
    /// - Parameter depth: the number of objects and arrays around the value.
    mutating func appendLines(_ value: JSONValue, depth: Int) {
        switch value {
        case .array(let elements):
            appendLines("[", elements, "]", depth) { out, element in
                out.indent(depth + 1)
                out.appendLines(element, depth: depth + 1)
            }
        case .object(let members):
            appendLines("{", members, "}", depth) { out, member in out.appendLines(member, depth: depth + 1) }
        default: appendJSON(value)
        }
    }

    /// Appends a member on lines of its own, without a line feed at the end.
    mutating func appendLines(_ member: JSONValue.Member, depth: Int) {
        indent(depth)
        appendJSONString(member.name)
        append(" : ")
        appendLines(member.value, depth: depth)
    }

    private mutating func appendLines<Item>(
        _ begin: StaticString, _ items: [Item], _ end: StaticString, _ depth: Int,
        _ append: (inout ByteBuffer, Item) -> Void
    ) {
        self.append(begin)
        self.append("\n")
        for (index, item) in items.enumerated() {
            if index > 0 { self.append(",\n") }
            append(&self, item)
        }
        self.append("\n")
        indent(depth)
        self.append(end)
    }

    private mutating func indent(_ depth: Int) {
        for _ in 0..<depth { append("  ") }
    }
}
