import FoundationEssentials
import PayloadJSON
import PushSystem

/// Writes messages as JSON, in the form of `Documentation/reference/gateway-api.md`.
struct MessageJSON {
    let traffic: GatewayTraffic
    /// True if only the report may be shown.
    private var isRedacted: Bool { traffic.isRedacted }

    /// Appends a message as it is in lists and events, on one line: who answered, what, and the report.
    func append(_ message: LoggedMessage, to out: inout ByteBuffer) {
        appendSummary(message, to: &out)
        out.append("}")
    }

    private func appendSummary(_ message: LoggedMessage, to out: inout ByteBuffer) {
        out.append("{\"id\":")
        out.append(message.id)
        out.appendMember("at", RFC3339.text(message.at))
        out.appendMember("service", message.service)
        out.appendMember("method", message.request.method)
        if !isRedacted {
            out.appendMember("path", message.request.path)
            out.appendMember("client", message.request.sender.address)
        }
        out.appendMember("status", message.answer.status)
        out.appendMember("title", traffic.title(of: message))
        out.appendArray(named: "report", message.reportLines) { $1.appendRaw($0) }
        if message.isReportCut { out.appendMember("report_cut", true) }
    }

    /// Appends everything about a message.
    ///
    /// - Parameter trace: the output of `pushpipe trace` for its records; nil if it is not known.
    func appendWhole(_ message: LoggedMessage, trace: String?, to out: inout ByteBuffer) {
        appendSummary(message, to: &out)
        out.appendMemberName("request")
        out.append("{\"method\":")
        out.appendJSONString(message.request.method)
        if !isRedacted {
            out.appendMember("path", message.request.path)
            append(message.request.headers, to: &out)
        }
        out.appendMember("bytes", message.requestBytes)
        if !isRedacted { append(message.request.body, to: &out) }
        out.append("}")
        out.appendMemberName("answer")
        out.append("{\"status\":")
        out.append(Int64(message.answer.status))
        if !isRedacted {
            append(message.answer.headers, to: &out)
            append(message.answer.body, to: &out)
        }
        out.append("}")
        if !isRedacted {
            out.appendArray(named: "records", message.records.split(separator: UInt8(ascii: "\n"))) { line, out in
                if Array(line).withJSON({ _ in }) != nil {
                    out.appendRaw(line)
                } else {
                    // A body that is no UTF-8 stands in its record as it came.
                    out.append("{\"base64\":")
                    out.appendJSONString(Data(line).base64EncodedString())
                    out.append("}")
                }
            }
        }
        out.appendMember("trace", trace)
        out.append("}")
    }

    private func append(_ headers: [HeaderField], to out: inout ByteBuffer) {
        out.appendArray(named: "headers", headers) { field, out in
            out.append("{\"name\":")
            out.appendJSONString(field.name)
            if Self.isSecret(field.name) {
                out.appendMember("hidden", true)
            } else {
                out.appendMember("value", field.value)
            }
            out.append("}")
        }
    }

    private func append(_ body: [UInt8], to out: inout ByteBuffer) {
        if let text = String(validating: body, as: UTF8.self) {
            out.appendMember("body", text)
        } else {
            out.appendMember("body_base64", Data(body).base64EncodedString())
        }
    }

    /// True if a header's value lets whoever knows it send or read.
    private static func isSecret(_ name: String) -> Bool {
        ["authorization", "cookie", "token", "secret", "password"].contains(where: name.contains)
            || name.hasSuffix("-key")
    }
}

extension ByteBuffer {
    mutating func appendRaw(_ bytes: some Collection<UInt8>) {
        bytes.withContiguousStorageIfAvailable { bytes in
            guard let start = bytes.baseAddress else { return }
            // SOUND: the bytes live until the closure returns, and are copied.
            unsafe append(BorrowedText(start: start, count: bytes.count))
        }
    }
}
