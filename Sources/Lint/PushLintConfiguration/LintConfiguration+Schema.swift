package import PushLint
import PushModel

extension LintConfiguration {
    /// A JSON Schema (draft 2020-12) of `.pushpipe.yml` and of files next to payloads, for editors.
    package static var schema: String {
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
            "title":"The configuration of pushpipe lint",
            "type":["object","null"],
            "properties":{
            "extends":{"description":"Also apply the configuration of a directory above.","enum":\(choices(["parent"]))},
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
