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
        out.append("{\"findings\":")
        let findings = TextLinter().lint(request.body).diagnostics
        let positions = PositionTable(
            of: findings.flatMap { [$0.range.lowerBound, $0.range.upperBound] }, in: request.body)
        out.appendArray(findings, separator: ",\n") { Self.append($0, positions, to: &$1) }
        out.appendArray(named: "messages", TextLinter().budgets(of: request.body), separator: ",\n") {
            Self.append($0, to: &$1)
        }
        out.append("}\n")
        return .api(out)
    }

    private static func append(_ finding: Diagnostic, _ positions: PositionTable, to out: inout ByteBuffer) {
        let start = positions[finding.range.lowerBound]
        let end = positions[finding.range.upperBound]
        out.append("{\"rule\":")
        out.appendJSONString(finding.rule.id.text)
        out.appendMember("severity", finding.severity.rawValue)
        out.appendMember("message", finding.message)
        out.appendMember("pointer", finding.pointer)
        out.appendMember("line", start.line)
        out.appendMember("column", start.column)
        out.appendMember("endLine", end.line)
        out.appendMember("endColumn", end.column)
        out.appendMember("offset", finding.range.lowerBound)
        out.appendMember("length", finding.range.count)
        out.appendArray(named: "edits", finding.edits) { edit, out in
            out.append("{\"offset\":")
            out.append(UInt64(edit.range.lowerBound))
            out.appendMember("length", edit.range.count)
            out.appendMember("text", String(decoding: edit.replacement, as: UTF8.self))
            out.append("}")
        }
        out.append("}")
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
        out.appendArray(named: "parts", budget.entries) { entry, out in
            out.append("{\"pointer\":")
            out.appendJSONString(entry.pointer)
            out.appendMember("depth", entry.depth)
            out.appendMember("bytes", entry.bytes)
            out.append("}")
        }
        out.append("}")
    }

    /// The output of `pushpipe explain` for a rule.
    func rule(_ id: String) throws(APIError) -> GatewayAnswer {
        guard let rule = Rule.named(id) else {
            throw APIError(status: 404, message: "unknown rule \(id); pushpipe explain --rules lists them")
        }
        var out = ByteBuffer()
        RuleText.appendJSON(rule, to: &out)
        return .api(out)
    }
}
