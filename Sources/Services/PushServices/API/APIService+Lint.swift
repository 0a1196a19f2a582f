import PayloadJSON
import PushLint
import PushModel

/// The linter, for whoever writes a push.
extension APIService {
    /// Findings about the records in the body, and the sizes of their messages.
    func lint(_ request: GatewayRequest) throws(APIError) -> GatewayAnswer {
        guard !request.isTooLarge else { throw APIError(status: 413, message: "the body is over 64 KiB") }
        guard !request.body.isEmpty else { throw .badRequest("the body is a record, as pushpipe run reads it") }
        var out = ByteBuffer()
        out.append("{\"findings\":[")
        let findings = TextLinter().lint(request.body).findings
        let positions = PositionTable(
            of: findings.flatMap { [$0.range.lowerBound, $0.range.upperBound] }, in: request.body)
        for (index, finding) in findings.enumerated() {
            if index > 0 { out.append(",\n") }
            Self.append(finding, positions, to: &out)
        }
        out.append("],\"messages\":[")
        for (index, budget) in TextLinter().budgets(of: request.body).enumerated() {
            if index > 0 { out.append(",\n") }
            Self.append(budget, to: &out)
        }
        out.append("]}\n")
        return .api(out)
    }

    private static func append(_ finding: LintFinding, _ positions: PositionTable, to out: inout ByteBuffer) {
        let start = positions[finding.range.lowerBound]
        let end = positions[finding.range.upperBound]
        out.append("{\"rule\":")
        out.appendJSONString(finding.rule.id)
        out.appendMember("severity", finding.severity.rawValue)
        out.appendMember("message", finding.message)
        out.appendMember("pointer", finding.pointer)
        out.appendMember("line", start.line)
        out.appendMember("column", start.column)
        out.appendMember("endLine", end.line)
        out.appendMember("endColumn", end.column)
        out.appendMember("offset", finding.range.lowerBound)
        out.appendMember("length", finding.range.count)
        out.appendMemberName("edits")
        out.append("[")
        for (index, edit) in finding.edits.enumerated() {
            if index > 0 { out.append(",") }
            out.append("{\"offset\":")
            out.append(UInt64(edit.range.lowerBound))
            out.appendMember("length", edit.range.count)
            out.appendMember("text", String(decoding: edit.replacement, as: UTF8.self))
            out.append("}")
        }
        out.append("]}")
    }

    private static func append(_ budget: BudgetReport, to out: inout ByteBuffer) {
        out.append("{\"provider\":")
        out.appendJSONString(budget.provider.name.description)
        if let target = budget.target { out.appendMember("target", target) }
        out.appendMember("bytes", budget.bytes)
        out.appendMember("limit", budget.limit)
        out.appendMember("punctuation", budget.punctuation)
        out.appendMember("whitespace", budget.whitespace)
        out.appendMember("escapes", budget.escapes)
        out.appendMemberName("parts")
        out.append("[")
        for (index, entry) in budget.entries.enumerated() {
            if index > 0 { out.append(",") }
            out.append("{\"pointer\":")
            out.appendJSONString(entry.pointer)
            out.appendMember("depth", entry.depth)
            out.appendMember("bytes", entry.bytes)
            out.append("}")
        }
        out.append("]}")
    }

    /// What `pushpipe explain` says of a rule.
    func rule(_ id: String) throws(APIError) -> GatewayAnswer {
        guard let rule = Rule.named(id) else {
            throw APIError(status: 404, message: "unknown rule \(id); pushpipe rules lists them")
        }
        var out = ByteBuffer()
        RuleText.appendJSON(rule, to: &out)
        return .api(out)
    }
}
