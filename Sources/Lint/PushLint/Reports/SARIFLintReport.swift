import PayloadJSON
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

    var keepsNothing: Bool { false }

    mutating func add(_ part: LintedFile, to out: inout ByteBuffer) {
        for finding in part.diagnostics {
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
        var json = IndentedJSON()
        try json.object { json in
            json.member(
                "$schema", "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json")
            try json.array("runs") { json in
                try json.element { json in
                    appendInputs(unreadable, to: &json)
                    try json.array("results") { json in
                        for entry in entries {
                            json.element { append(entry, ruleIndex: positions[entry.rule] ?? 0, to: &$0) }
                            try write { $0.append(json.text) }
                            json.removeText()
                        }
                    }
                    Self.appendTool(broken.map { Rule.all[Int($0)] }, to: &json)
                }
            }
            json.member("version", "2.1.0")
        }
        json.endText()
        try write { $0.append(json.text) }
    }

    private func appendInputs(_ unreadable: [String], to json: inout IndentedJSON) {
        json.array("artifacts") { json in
            for file in files {
                json.element {
                    $0.member("length", file.bytes)
                    $0.object("location") { $0.member("uri", file.uri) }
                    $0.array("roles") { $0.element("analysisTarget") }
                }
            }
        }
        json.member("columnKind", "unicodeCodePoints")
        json.member("defaultEncoding", "utf-8")
        json.array("invocations") { json in
            json.element { json in
                json.member("executionSuccessful", unreadable.isEmpty)
                json.array("toolExecutionNotifications") { json in
                    for line in unreadable {
                        json.element {
                            $0.member("level", "error")
                            $0.message("message", line)
                        }
                    }
                }
            }
        }
    }

    private func append(_ entry: Entry, ruleIndex: Int, to json: inout IndentedJSON) {
        let rule = Rule.all[Int(entry.rule)]
        if !entry.edits.isEmpty { appendFixes(entry, rule, to: &json) }
        json.member("level", Self.level(entry.severity))
        json.array("locations") { json in
            json.element { json in
                json.array("logicalLocations") { json in
                    json.element {
                        $0.member("fullyQualifiedName", entry.pointer)
                        $0.member("kind", "value")
                    }
                }
                json.object("physicalLocation") { json in
                    appendLocation(entry.file, to: &json)
                    Self.append(entry.region, named: "region", to: &json)
                }
            }
        }
        json.message("message", entry.message)
        json.object("properties") { $0.member("record", entry.record) }
        json.member("ruleId", rule.id.text)
        json.member("ruleIndex", ruleIndex)
    }

    private func appendFixes(_ entry: Entry, _ rule: Rule, to json: inout IndentedJSON) {
        json.array("fixes") { json in
            json.element { json in
                json.array("artifactChanges") { json in
                    json.element { json in
                        appendLocation(entry.file, to: &json)
                        json.array("replacements") { json in
                            for edit in entry.edits {
                                json.element {
                                    Self.append(edit.region, named: "deletedRegion", to: &$0)
                                    $0.message("insertedContent", String(decoding: edit.replacement, as: UTF8.self))
                                }
                            }
                        }
                    }
                }
                json.message("description", "Fix: \(rule.title)")
            }
        }
    }

    private func appendLocation(_ file: Int32, to json: inout IndentedJSON) {
        json.object("artifactLocation") {
            $0.member("index", Int(file))
            // Findings of a file that could not be read to its end have no file.
            $0.member("uri", files.indices.contains(Int(file)) ? files[Int(file)].uri : "")
        }
    }

    private static func append(_ region: Region, named name: StaticString, to json: inout IndentedJSON) {
        json.object(name) {
            $0.member("byteLength", region.range.count)
            $0.member("byteOffset", region.range.lowerBound)
            $0.member("endColumn", region.end.column)
            $0.member("endLine", region.end.line)
            $0.member("startColumn", region.start.column)
            $0.member("startLine", region.start.line)
        }
    }

    private static func appendTool(_ rules: [Rule], to json: inout IndentedJSON) {
        json.object("tool") { json in
            json.object("driver") { json in
                json.member("informationUri", ToolVersion.repository)
                json.member("name", "pushpipe")
                json.array("rules") { json in
                    for rule in rules { json.element { append(rule, to: &$0) } }
                }
                json.member("semanticVersion", ToolVersion.current)
                json.member("version", ToolVersion.current)
            }
        }
    }

    private static func append(_ rule: Rule, to json: inout IndentedJSON) {
        json.object("defaultConfiguration") { $0.member("level", level(rule.severity)) }
        json.message("fullDescription", rule.explanation)
        json.object("help") {
            $0.member(
                "markdown",
                "\(rule.explanation)\n\nSource: [\(rule.source.title)](\(rule.source.url))\n\n[Examples](\(rule.page))")
            $0.member("text", "\(rule.explanation) Source: \(rule.source.title), \(rule.source.url)")
        }
        json.member("helpUri", rule.page)
        json.member("id", rule.id.text)
        json.message("shortDescription", rule.title)
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
