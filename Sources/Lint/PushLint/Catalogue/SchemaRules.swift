import PushModel

extension Rule {
    static let schemaMismatch = Rule(
        "schema.mismatch", .error, "a payload that does not fit its schema",
        why:
            "The schema is your own, given with --schema or under schemas in .pushpipe.yml. The message says which keyword of which file does not permit the value.",
        source: .jsonSchema, failing: #"{"aps":{"alert":"Shipped"},"order":{"id":7}}"#,
        passing: #"{"aps":{"alert":"Shipped"},"order":{"id":"A-7"}}"#, scope: .schema)
    static let schemaUnfinished = Rule(
        "schema.unfinished", .warning, "a payload that was not checked to the end against its schema",
        why:
            "Checking a value against a schema may take exponentially long, for example if allOf is nested in allOf many times over. The check ends after a number of steps, or when subschemas are nested more than 300 deep.",
        source: .jsonSchema, failing: "", passing: Example.alert, scope: .schema)

    static let schemaRules = [schemaMismatch, schemaUnfinished]
}
