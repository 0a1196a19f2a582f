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

    /// What is reported of a finding.
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
        for finding in part.findings {
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
        appendBeginning(unreadable, to: &json)
        json.key("results")
        json.beginArray()
        for entry in entries {
            json.next()
            append(entry, ruleIndex: positions[entry.rule] ?? 0, to: &json)
            try write { $0.append(json.text) }
            json.removeText()
        }
        json.endArray()
        Self.appendEnd(broken.map { Rule.all[Int($0)] }, to: &json)
        try write { $0.append(json.text) }
    }

    private func appendBeginning(_ unreadable: [String], to json: inout IndentedJSON) {
        json.beginObject()
        json.member(
            "$schema", "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json")
        json.key("runs")
        json.beginArray()
        json.next()
        json.beginObject()
        json.key("artifacts")
        json.beginArray()
        for file in files {
            json.next()
            json.beginObject()
            json.member("length", file.bytes)
            json.key("location")
            json.beginObject()
            json.member("uri", file.uri)
            json.endObject()
            json.key("roles")
            json.beginArray()
            json.next()
            json.string("analysisTarget")
            json.endArray()
            json.endObject()
        }
        json.endArray()
        json.member("columnKind", "unicodeCodePoints")
        json.member("defaultEncoding", "utf-8")
        json.key("invocations")
        json.beginArray()
        json.next()
        json.beginObject()
        json.member("executionSuccessful", unreadable.isEmpty)
        json.key("toolExecutionNotifications")
        json.beginArray()
        for line in unreadable {
            json.next()
            json.beginObject()
            json.member("level", "error")
            json.message("message", line)
            json.endObject()
        }
        json.endArray()
        json.endObject()
        json.endArray()
    }

    private func append(_ entry: Entry, ruleIndex: Int, to json: inout IndentedJSON) {
        let rule = Rule.all[Int(entry.rule)]
        json.beginObject()
        if !entry.edits.isEmpty { appendFixes(entry, rule, to: &json) }
        json.member("level", Self.level(entry.severity))
        json.key("locations")
        json.beginArray()
        json.next()
        json.beginObject()
        json.key("logicalLocations")
        json.beginArray()
        json.next()
        json.beginObject()
        json.member("fullyQualifiedName", entry.pointer)
        json.member("kind", "value")
        json.endObject()
        json.endArray()
        json.key("physicalLocation")
        json.beginObject()
        appendLocation(entry.file, to: &json)
        json.key("region")
        Self.append(entry.region, to: &json)
        json.endObject()
        json.endObject()
        json.endArray()
        json.message("message", entry.message)
        json.key("properties")
        json.beginObject()
        json.member("record", entry.record)
        json.endObject()
        json.member("ruleId", rule.id)
        json.member("ruleIndex", ruleIndex)
        json.endObject()
    }

    private func appendFixes(_ entry: Entry, _ rule: Rule, to json: inout IndentedJSON) {
        json.key("fixes")
        json.beginArray()
        json.next()
        json.beginObject()
        json.key("artifactChanges")
        json.beginArray()
        json.next()
        json.beginObject()
        appendLocation(entry.file, to: &json)
        json.key("replacements")
        json.beginArray()
        for edit in entry.edits {
            json.next()
            json.beginObject()
            json.key("deletedRegion")
            Self.append(edit.region, to: &json)
            json.message("insertedContent", String(decoding: edit.replacement, as: UTF8.self))
            json.endObject()
        }
        json.endArray()
        json.endObject()
        json.endArray()
        json.message("description", "Fix: \(rule.title)")
        json.endObject()
        json.endArray()
    }

    private func appendLocation(_ file: Int32, to json: inout IndentedJSON) {
        json.key("artifactLocation")
        json.beginObject()
        json.member("index", Int(file))
        // Findings of a file that could not be read to its end have no file.
        json.member("uri", files.indices.contains(Int(file)) ? files[Int(file)].uri : "")
        json.endObject()
    }

    private static func append(_ region: Region, to json: inout IndentedJSON) {
        json.beginObject()
        json.member("byteLength", region.range.count)
        json.member("byteOffset", region.range.lowerBound)
        json.member("endColumn", region.end.column)
        json.member("endLine", region.end.line)
        json.member("startColumn", region.start.column)
        json.member("startLine", region.start.line)
        json.endObject()
    }

    private static func appendEnd(_ rules: [Rule], to json: inout IndentedJSON) {
        json.key("tool")
        json.beginObject()
        json.key("driver")
        json.beginObject()
        json.member("informationUri", ToolVersion.repository)
        json.member("name", "pushpipe")
        json.key("rules")
        json.beginArray()
        for rule in rules {
            json.next()
            append(rule, to: &json)
        }
        json.endArray()
        json.member("semanticVersion", ToolVersion.current)
        json.member("version", ToolVersion.current)
        json.endObject()
        json.endObject()
        json.endObject()
        json.endArray()
        json.member("version", "2.1.0")
        json.endObject()
        json.endText()
    }

    private static func append(_ rule: Rule, to json: inout IndentedJSON) {
        json.beginObject()
        json.key("defaultConfiguration")
        json.beginObject()
        json.member("level", level(rule.severity))
        json.endObject()
        json.message("fullDescription", rule.explanation)
        json.key("help")
        json.beginObject()
        json.member(
            "markdown",
            "\(rule.explanation)\n\nSource: [\(rule.source.title)](\(rule.source.url))\n\n[Examples](\(rule.page))")
        json.member("text", "\(rule.explanation) Source: \(rule.source.title), \(rule.source.url)")
        json.endObject()
        json.member("helpUri", rule.page)
        json.member("id", rule.id)
        json.message("shortDescription", rule.title)
        json.endObject()
    }

    private static func level(_ severity: Finding.Severity) -> String {
        switch severity {
        case .error: "error"
        case .warning: "warning"
        case .info: "note"
        }
    }

    /// A path as a URI: relative as it was typed, absolute with `file://`.
    static func uri(_ path: String) -> String {
        let relative = path.hasPrefix("./") ? String(path.dropFirst(2)) : path
        return (path.hasPrefix("/") ? "file://" : "") + PercentEncoding.encoded(relative, keeping: "/")
    }
}
