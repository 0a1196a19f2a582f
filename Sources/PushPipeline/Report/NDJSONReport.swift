package import PayloadJSON
import PushModel

/// Writes reports in the format of `Documentation/reference/report.md`: one JSON object per line, keys in a fixed order.
package struct NDJSONReport {
    package init() {}

    /// Appends one line.
    package func append(_ report: RecordReport, to out: inout ByteBuffer) {
        out.append("{\"seq\":")
        out.append(report.seq)
        if let target = report.message.target {
            out.append(",\"target\":")
            out.append(UInt64(target))
        }
        if let decodeFailure = report.decodeFailure {
            out.append(",\"outcome\":\"malformed\"")
            appendFindings(report.findings, to: &out)
            append(decodeFailure, to: &out)
        } else if let note = report.note {
            append(note, report, to: &out)
        } else {
            appendMessage(report, to: &out)
            appendFindings(report.findings, to: &out)
        }
        out.append("}\n")
    }

    /// The same for a line with rare details.
    private func append(_ note: ReportNote, _ report: RecordReport, to out: inout ByteBuffer) {
        if let original = note.original {
            out.append(",\"original\":")
            out.append(original)
        }
        if let event = note.event {
            out.append(",\"event\":")
            out.appendJSONString(event)
            appendEvent(report, to: &out)
        } else {
            appendMessage(report, to: &out)
        }
        // Only APNs reports since when.
        if let timestamp = note.timestamp, case .rejected(.unregistered) = report.message.verdict {
            out.append(",\"timestamp\":")
            out.appendText(String(timestamp))
        }
        if let canonical = note.canonical {
            out.append(",\"canonical\":")
            out.appendJSONString(canonical)
        }
        if !note.steps.isEmpty {
            out.append(",\"steps\":[")
            for (position, step) in note.steps.enumerated() {
                if position > 0 { out.append(",") }
                out.appendJSONString(step)
            }
            out.append("]")
        }
        if let total = note.totalDeleted {
            out.append(",\"total_deleted\":")
            out.append(UInt64(total))
        }
        appendFindings(report.findings, to: &out)
    }

    private func appendEvent(_ report: RecordReport, to out: inout ByteBuffer) {
        if !report.message.device.isEmpty {
            out.append(",\"device\":")
            out.appendJSONString(report.message.device)
        }
        if !report.message.topic.isEmpty {
            out.append(",\"app\":")
            out.appendJSONString(report.message.topic)
        }
        out.append(",\"outcome\":\"")
        out.append(report.outcome.name)
        out.append("\"")
        if let reason = report.reason {
            out.append(",\"reason\":")
            out.appendJSONString(BorrowedText(reason))
        }
    }

    private func appendMessage(_ report: RecordReport, to out: inout ByteBuffer) {
        switch report.message.provider {
        case .apns: out.append(",\"provider\":\"apns")
        case .gcm: out.append(",\"provider\":\"gcm")
        case .fcm: out.append(",\"provider\":\"fcm")
        }
        if let gateway = report.message.gateway {
            out.append("\",\"via\":\"")
            out.append(gateway.name)
        }
        out.append("\",\"device\":")
        out.appendJSONString(report.message.device)
        if !report.message.topic.isEmpty {
            out.append(",\"topic\":")
            out.appendJSONString(report.message.topic)
        }
        switch report.outcome {
        case .delivered: out.append(",\"outcome\":\"delivered\"")
        case .replaced: out.append(",\"outcome\":\"replaced\"")
        case .silent: out.append(",\"outcome\":\"silent\"")
        case .rejected: out.append(",\"outcome\":\"rejected\"")
        default:
            out.append(",\"outcome\":\"")
            out.append(report.outcome.name)
            out.append("\"")
        }
        if let status = report.status {
            out.append(",\"status\":")
            out.append(UInt64(status))
        }
        if let reason = report.reason {
            out.append(",\"reason\":")
            out.appendJSONString(BorrowedText(reason))
        }
        out.append(",\"bytes\":")
        out.append(UInt64(report.message.byteCount))
        out.append(",\"limit\":")
        out.append(UInt64(report.message.byteLimit))
        if let serviceExtension = report.message.serviceExtension {
            out.append(",\"extension\":\"")
            out.append(serviceExtension.name)
            out.append("\"")
        }
        report.withIdentifier { identifier in
            out.append(",\"identifier\":")
            out.appendJSONString(identifier)
        }
        if let replaces = report.replaces {
            out.append(",\"replaces\":")
            out.append(replaces)
        }
    }

    private func appendFindings(_ findings: ArraySlice<Finding>, to out: inout ByteBuffer) {
        guard !findings.isEmpty else { return }
        out.append(",\"findings\":[")
        for (position, finding) in findings.enumerated() {
            if position > 0 { out.append(",") }
            out.append("{\"rule\":")
            out.appendJSONString(finding.rule)
            out.append(",\"severity\":\"")
            out.appendText(finding.severity.rawValue)
            out.append("\",\"pointer\":")
            out.appendJSONString(finding.pointer)
            out.append(",\"message\":")
            out.appendJSONString(finding.message)
            out.append("}")
        }
        out.append("]")
    }

    private func append(_ decodeFailure: DecodeFailure, to out: inout ByteBuffer) {
        out.append(",\"error\":{\"rule\":")
        out.appendJSONString(decodeFailure.rule)
        out.append(",\"message\":")
        out.appendJSONString(decodeFailure.message)
        out.append(",\"offset\":")
        out.append(UInt64(decodeFailure.offset))
        out.append(",\"line\":")
        out.append(UInt64(decodeFailure.position.line))
        out.append(",\"column\":")
        out.append(UInt64(decodeFailure.position.column))
        out.append("}")
    }
}
