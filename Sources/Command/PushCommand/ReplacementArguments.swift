import ArgumentParser
public import PushModel

/// How the extension that `--replace-by` emulates finds what it removes.
struct ReplacementArguments: ParsableArguments {
    @Option(
        help: .init(
            """
            Replace notifications by this payload member, a name or a JSON Pointer, as an extension could. \
            Without mutable-content in the payloads, add --assume-mutable.
            """,
            valueName: "key"))
    var replaceBy: String?

    @Option(
        help: .init(
            "Which notifications with the same id to remove; first removes only the oldest.", valueName: "which"))
    var replaceMatch = ReplacementRule.Match.all

    @Option(help: .init("Whether two notifications without an id count as equal.", valueName: "when"))
    var replaceMissing = ReplacementRule.Missing.never
    @Option(help: .init("How to compare ids; string ignores ids that are not strings.", valueName: "how"))
    var replaceCompare = ReplacementRule.Comparison.text

    /// Nil without `--replace-by`. Throws `ValidationError`.
    func rule() throws -> ReplacementRule? {
        let rule = ReplacementRule(
            key: replaceBy ?? "", match: replaceMatch, missing: replaceMissing, comparison: replaceCompare)
        if replaceBy == "" { throw ValidationError("--replace-by needs the name of a payload member.") }
        if replaceBy == nil, rule != ReplacementRule(key: "") {
            throw ValidationError("--replace-match, --replace-missing and --replace-compare need --replace-by.")
        }
        return replaceBy == nil ? nil : rule
    }
}

extension ReplacementRule.Match: ExpressibleByArgument {}
extension ReplacementRule.Missing: ExpressibleByArgument {}
extension ReplacementRule.Comparison: ExpressibleByArgument {}
