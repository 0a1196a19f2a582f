import PushFiles
import PushJSON
package import PushLint
import PushModel
import PushSystem
import PushText
import PushYAML

extension LintConfiguration {
    /// Reads the contents of a `.pushpipe.yml`, which need not be UTF-8: that is an error.
    ///
    /// - Parameters:
    ///   - yaml: the contents.
    ///   - path: the name of the file in errors.
    ///   - directory: the absolute path that the names of schemas are relative to.
    ///   - schemas: reads those that it names.
    /// - Throws: an error with line, column and the allowed values.
    package init(
        yaml: [UInt8], path: String, directory: String, schemas: SchemaReader
    ) throws(ConfigurationError) {
        self.init()
        self.directory = directory
        var reader = ConfigurationReader()
        do throws(PlainError) {
            try reader.read(yaml, into: &self)
        } catch {
            throw ConfigurationError(error, path: path)
        }
        let contract = try schemas.open([])
        for entry in reader.schemas {
            do throws(ConfigurationError) {
                contracts.append(try contract(entry.path(in: directory), entry.scope))
            } catch {
                // A mistake in a schema has a place there; a schema that cannot be read is a mistake here.
                guard error.place == nil else { throw error }
                let wrong = entry.file.wrong("cannot read the schema '\(error.path)': \(error.message)")
                throw ConfigurationError(wrong, path: path)
            }
        }
    }
}

/// Reads the JSON Schemas that configurations and `--schema` name.
package struct SchemaReader: Sendable {
    /// Makes a contract of the schema in a file.
    package typealias Contract = (_ path: String, _ scope: SchemaScope) throws(ConfigurationError) -> PayloadContract

    /// Makes what reads schemas that may refer to each other; it is given the paths of the files that are known before.
    let open: @Sendable ([String]) throws(ConfigurationError) -> Contract

    package init(open: @escaping @Sendable ([String]) throws(ConfigurationError) -> Contract) { self.open = open }

    /// The reader of a build without JSON Schema: it refuses every schema.
    package static func missing(_ message: String = "this build has no JSON Schema") -> SchemaReader {
        SchemaReader { _ in
            { path, _ throws(ConfigurationError) in throw ConfigurationError(path: path, message: message) }
        }
    }

    /// The contracts of schemas that may refer to each other, for all payloads.
    package func contracts(_ paths: [String]) throws(ConfigurationError) -> [PayloadContract] {
        let contract = try open(paths)
        return try paths.map { path throws(ConfigurationError) in try contract(path, SchemaScope()) }
    }

    /// Reads configurations with them.
    package var configuration: ConfigurationFinder.Reader {
        { yaml, path, directory throws(ConfigurationError) in
            try LintConfiguration(yaml: yaml, path: path, directory: directory, schemas: self)
        }
    }
}

extension ConfigurationError {
    fileprivate init(_ error: PlainError, path: String) {
        var place: Place?
        if let line = error.line, let column = error.column { place = .init(line: line, column: column) }
        self.init(path: path, place: place, message: error.message)
    }
}

extension YAMLNode {
    /// The members of a mapping whose keys are known. One with an empty value is the same as none.
    fileprivate func settings(
        of name: String, allowed: [String], advice: String = ""
    ) throws(PlainError) -> [(key: String, value: YAMLNode)] {
        try members(of: name, allowed: allowed, advice: advice).filter { !$0.value.isEmpty }
    }
}

/// An element of `schemas`.
private struct SchemaEntry {
    static let keys = ["file", "provider", "topic", "push-type", "pointer"]

    var file: YAMLNode
    var provider: SchemaScope.Provider?
    var topic: String?
    var pushType: PushType?
    var pointer: [String] = []

    /// - Parameter node: a mapping, or only the name of the file.
    init(_ node: YAMLNode) throws(PlainError) {
        file = node
        guard node.isMapping else {
            guard let text = node.text, !text.isEmpty else {
                throw node.wrong("an element of schemas is a file, or a mapping with file")
            }
            return
        }
        var hasFile = false
        for (key, value) in try node.settings(of: "an element of schemas", allowed: Self.keys) {
            guard let text = value.text else { throw value.wrong("\(key) is text") }
            switch key {
            case "file":
                hasFile = !text.isEmpty
                file = value
            case "provider":
                guard let known = SchemaScope.Provider(rawValue: text) else {
                    throw value.wrong(
                        "provider is apns, for objects with aps, or fcm, for the data of messages to Google, not '\(TerminalText.clean(text))'"
                    )
                }
                provider = known
            case "topic":
                guard GlobPattern(text.utf8, .configuration) != nil else {
                    throw value.wrong("topic \(GlobList.complaint(about: text))")
                }
                topic = text
            case "push-type":
                guard let type = PushType.table.first(where: { $0.wireName.description == text })?.type else {
                    let names = PushType.table.map(\.wireName.description).joined(separator: ", ")
                    throw value.wrong("push-type is one of \(names), not '\(TerminalText.clean(text))'")
                }
                pushType = type
            default:
                guard let tokens = JSONPointer.tokens(text) else {
                    throw value.wrong(
                        "pointer is a JSON Pointer such as /order, or empty for the whole payload, not '\(TerminalText.clean(text))'"
                    )
                }
                pointer = tokens
            }
        }
        guard hasFile else { throw node.wrong("an element of schemas needs a file") }
    }

    func path(in directory: String) -> String {
        let name = file.text ?? ""
        return name.hasPrefix("/") || directory.isEmpty ? name : directory + "/" + name
    }

    var scope: SchemaScope { SchemaScope(provider, topic: topic, pushType: pushType, pointer: pointer) }
}

/// Parses the member `lint`.
private struct ConfigurationReader {
    private static let ruleKeys = ["severity", "select", "ignore", "extend", "rules"]
    private static let keys = ruleKeys + ["per-file", "exclude", "files", "budget", "schemas"]
    private static let severities = Finding.Severity.allCases.reversed().map(\.rawValue)

    private(set) var schemas: [SchemaEntry] = []

    mutating func read(_ bytes: [UInt8], into configuration: inout LintConfiguration) throws(PlainError) {
        guard let root = try YAMLNode.read(bytes) else { return }
        let members = try root.settings(
            of: "the configuration", allowed: LintConfiguration.ownKeys + ["ignore"] + LintConfiguration.otherKeys,
            advice: "; ignore is for a file next to a payload, the others are for \(LintConfiguration.fileName)")
        for (key, value) in members {
            configuration.keys.insert(key)
            if LintConfiguration.otherKeys.contains(key) { continue }
            if key == "ignore" {
                for node in try value.elements(of: key) { configuration.suppressions.append(try suppression(node)) }
            } else if key == "extends" {
                guard value.text == "parent" else {
                    throw value.wrong("extends is parent: the configuration of a directory above")
                }
                configuration.extendsParent = true
                configuration.lines.append(.init(key, "parent", line: value.line ?? 1))
            } else {
                for (key, value) in try value.settings(of: "lint", allowed: Self.keys) {
                    if key != "per-file" {
                        configuration.lines.append(.init(key, value.summary, line: value.line ?? 1))
                    }
                    try set(key, value, in: &configuration)
                }
            }
        }
    }

    private mutating func set(
        _ key: String, _ value: YAMLNode, in configuration: inout LintConfiguration
    ) throws(PlainError) {
        switch key {
        case "per-file":
            for (name, value) in try value.pairs(of: key) {
                guard let pattern = FilePattern(name.text ?? "") else {
                    throw name.wrong(Self.badPattern(name.text, of: key))
                }
                if value.isEmpty { continue }
                configuration.lines.append(
                    .init(key, value.summary, line: name.line ?? 1, perFile: configuration.perFile.count))
                var file = FileSettings(pattern, try settings(value), line: name.line)
                if pattern.isLiteral, !value.isMapping {
                    file.ignored = try value.list(of: key).map { node in
                        Suppression(node.text ?? "", isSetting: true, line: node.line ?? 1, column: node.column ?? 1)
                    }
                }
                configuration.perFile.append(file)
            }
        case "exclude": configuration.exclude = try globs(value, of: key)
        case "files": configuration.files = try globs(value, of: key)
        case "budget":
            guard let budget = value.text.flatMap({ Budget(parsing: $0) }) else {
                let names = Budget.table.compactMap(\.name).joined(separator: ", ")
                throw value.wrong("budget is a number of bytes or one of \(names)")
            }
            configuration.budget = budget
        case "schemas":
            for node in try value.elements(of: key) { schemas.append(try SchemaEntry(node)) }
        default:
            var settings = RuleSettings(severity: configuration.severity, rules: configuration.rules)
            try set(key, value, in: &settings)
            configuration.severity = settings.severity
            configuration.rules = settings.rules
        }
    }

    /// An element of `ignore`: a rule, or a mapping with a rule, a record and a path.
    private func suppression(_ node: YAMLNode) throws(PlainError) -> Suppression {
        guard node.isMapping else {
            return Suppression(node.text ?? "", line: node.line ?? 1, column: node.column ?? 1)
        }
        var rule: YAMLNode?
        var record: Int?
        var path: [String] = []
        for (key, value) in try node.settings(of: "an element of ignore", allowed: ["rule", "record", "path"]) {
            switch key {
            case "rule": rule = value
            case "record":
                guard let number = value.text.flatMap({ Int($0) }), number > 0 else {
                    throw value.wrong("record is the number of a record, from 1")
                }
                record = number
            default:
                guard let tokens = value.text.flatMap({ JSONPointer.tokens($0) }) else {
                    throw value.wrong("path is a JSON Pointer such as /aps/alert")
                }
                path = tokens
            }
        }
        guard let rule, let text = rule.text else { throw node.wrong("an element of ignore needs a rule") }
        return Suppression(text, record: record, path: path, line: rule.line ?? 1, column: rule.column ?? 1)
    }

    /// The settings of some files: a mapping, or only the rules to leave out.
    private func settings(_ value: YAMLNode) throws(PlainError) -> RuleSettings {
        var settings = RuleSettings()
        guard value.isMapping else {
            try set("ignore", value, in: &settings)
            return settings
        }
        for (key, value) in try value.settings(of: "per-file", allowed: Self.ruleKeys) {
            try set(key, value, in: &settings)
        }
        return settings
    }

    private func set(_ key: String, _ value: YAMLNode, in settings: inout RuleSettings) throws(PlainError) {
        switch key {
        case "severity": settings.severity = try severity(value, allowed: Self.severities, for: "severity")
        case "select": settings.rules.selected = try patterns(value, of: key)
        case "ignore": settings.rules.disabled.formUnion(try patterns(value, of: key))
        case "extend": settings.rules.enabled.formUnion(try patterns(value, of: key))
        default: for (name, value) in try value.pairs(of: key) { try set(name, value, in: &settings.rules) }
        }
    }

    private func patterns(_ value: YAMLNode, of key: String) throws(PlainError) -> Set<RulePattern> {
        var patterns: Set<RulePattern> = []
        for node in try value.list(of: key) { patterns.insert(try pattern(node)) }
        return patterns
    }

    /// A member of `rules`: another severity, or off.
    private func set(_ name: YAMLNode, _ value: YAMLNode, in rules: inout RuleChoice) throws(PlainError) {
        let pattern = try pattern(name)
        if value.isEmpty { return }
        // YAML 1.1 reads a plain off as false, so both spellings are accepted.
        if ["off", "false"].contains(value.text?.lowercased()) {
            rules.disabled.insert(pattern)
        } else {
            rules.severities[pattern] = try severity(value, allowed: Self.severities + ["off"], for: "a rule")
        }
    }

    private static func badPattern(_ text: String?, of key: String) -> String {
        "a pattern of \(key) \(GlobList.complaint(about: text ?? ""))"
    }

    private func globs(_ value: YAMLNode, of key: String) throws(PlainError) -> GlobList {
        var globs = GlobList()
        for node in try value.list(of: key) {
            guard globs.add(node.text ?? "", .configuration) else {
                throw node.wrong(Self.badPattern(node.text, of: key))
            }
        }
        return globs
    }

    private func pattern(_ node: YAMLNode) throws(PlainError) -> RulePattern {
        let typed = node.text ?? ""
        do throws(UnknownRule) { return try RulePattern(typed) } catch { throw node.wrong(error.description) }
    }

    private func severity(
        _ node: YAMLNode, allowed: [String], for name: String
    ) throws(PlainError) -> Finding.Severity {
        guard let severity = node.text.flatMap({ Finding.Severity(rawValue: $0) }) else {
            let found = node.text.map { ", not '\(TerminalText.clean($0))'" } ?? ""
            throw node.wrong("\(name) is one of \(allowed.joined(separator: ", "))\(found)")
        }
        return severity
    }
}

extension LintConfiguration {
    /// A JSON Schema (draft 2020-12) of `.pushpipe.yml` and of files next to payloads, for editors.
    ///
    /// - Parameter sections: the properties that other commands read, each with a comma after it.
    package static func schema(adding sections: String) -> String {
        let rules = #"{"enum":\#(list(RulePattern.names))}"#
        let severities = Finding.Severity.allCases.reversed().map(\.rawValue)
        let ruleKeys = """
            "severity":{"description":"Lowest severity to show.","enum":\(choices(severities))},
            "select":{"description":"Show only these rules, whatever their severity.","$ref":"#/$defs/rules"},
            "ignore":{"description":"Omit these rules.","$ref":"#/$defs/rules"},
            "extend":{"description":"Show these rules too, whatever their severity.","$ref":"#/$defs/rules"},
            "rules":{"description":"Other severities for rules, or off.","type":["object","null"],"propertyNames":{"$ref":"#/$defs/rule"},
            "additionalProperties":{"enum":\(choices(severities + ["off"]).dropLast()),false]}}
            """
        return """
            {"$schema":"https://json-schema.org/draft/2020-12/schema",
            "title":"The configuration of pushpipe",
            "type":["object","null"],
            "properties":{
            \(sections)"extends":{"description":"Also apply the configuration of a directory above.","enum":\(choices(["parent"]))},
            "ignore":{"description":"In a file next to a payload: what to ignore in it.","$ref":"#/$defs/suppressions"},
            "lint":{"description":"Settings of the linter.","type":["object","null"],"properties":{
            \(ruleKeys),
            "per-file":{"description":"Settings for some files, by pattern: rules to omit, or a mapping.","type":["object","null"],
            "additionalProperties":{"anyOf":[{"$ref":"#/$defs/rules"},{"type":"object","properties":{
            \(ruleKeys)},
            "additionalProperties":false}]}},
            "exclude":{"description":"Files and directories to skip.","$ref":"#/$defs/patterns"},
            "files":{"description":"Payloads in directories, whatever their names.","$ref":"#/$defs/patterns"},
            "budget":{"description":"In bytes, or by name.","anyOf":[{"type":"integer","minimum":0},{"type":"string"},{"type":"null"}]},
            "schemas":{"description":"JSON Schemas for the data in payloads.","anyOf":[{"$ref":"#/$defs/schema"},
            {"type":"array","items":{"$ref":"#/$defs/schema"}},{"type":"null"}]}},
            "additionalProperties":false}},
            "additionalProperties":false,
            "$defs":{
            "rule":\(rules),
            "rules":{"anyOf":[{"$ref":"#/$defs/rule"},{"type":"array","items":{"$ref":"#/$defs/rule"}},{"type":"null"}]},
            "patterns":{"anyOf":[{"type":"string","minLength":1},{"type":"array","items":{"type":"string","minLength":1}},{"type":"null"}]},
            "suppression":{"anyOf":[{"$ref":"#/$defs/rule"},{"type":"object","properties":{
            "rule":{"description":"What to ignore.","$ref":"#/$defs/rule"},
            "record":{"description":"Only in this record, from 1.","type":["integer","null"],"minimum":1},
            "path":{"description":"Only in this value and below it, as a JSON Pointer.","type":["string","null"]}},
            "required":["rule"],"additionalProperties":false}]},
            "suppressions":{"anyOf":[{"$ref":"#/$defs/suppression"},{"type":"array","items":{"$ref":"#/$defs/suppression"}},{"type":"null"}]},
            "schema":{"anyOf":[{"type":"string","minLength":1},{"type":"object","properties":{
            "file":{"description":"The schema, relative to the configuration.","type":"string","minLength":1},
            "provider":{"description":"Only for objects with aps, or for the data of messages to Google.","enum":["apns","fcm",null]},
            "topic":{"description":"Only for payloads with this topic.","type":["string","null"]},
            "push-type":{"description":"Only for payloads of this push type.","enum":\(choices(PushType.table.map(\.wireName.description)))},
            "pointer":{"description":"The part of the payload, as a JSON Pointer.","type":["string","null"]}},"required":["file"],"additionalProperties":false}]}}}

            """
    }

    /// Values of a key that may be empty.
    private static func choices(_ names: [String]) -> String { "\(list(names).dropLast()),null]" }

    /// `["a","b"]`. No name has a character to escape.
    private static func list(_ names: [String]) -> String {
        "[\(names.map { "\"\($0)\"" }.joined(separator: ","))]"
    }
}
