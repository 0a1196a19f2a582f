import PayloadJSON
import PushFiles
import PushModel
import PushPipeline
import PushSystem

/// Writes the metrics in Prometheus' text format.
///
/// Source: prometheus.io, "Exposition formats", text format 0.0.4.
struct MetricsText {
    let traffic: GatewayTraffic
    let summary: RunSummary
    let waiting: Int
    let streams: Int

    func append(to out: inout ByteBuffer) {
        let metrics = traffic.metrics
        head("pushpipe_requests_total", "counter", "Requests that were answered, by service and status.", &out)
        for (key, count) in metrics.requests.sorted(by: {
            ($0.key.service, $0.key.status) < ($1.key.service, $1.key.status)
        }) {
            line("pushpipe_requests_total", [("service", key.service), ("status", "\(key.status)")], "\(count)", &out)
        }
        head("pushpipe_outcomes_total", "counter", "Report lines by outcome.", &out)
        for outcome in Outcome.allCases {
            line("pushpipe_outcomes_total", [("outcome", "\(outcome.name)")], "\(summary.count(outcome))", &out)
        }
        head("pushpipe_rejections_total", "counter", "Rejected messages by the provider's reason.", &out)
        for rejection in Rejection.allCases where summary.count(rejection) > 0 {
            let row = rejection.row
            line(
                "pushpipe_rejections_total", [("provider", "\(row.speaker)"), ("reason", "\(row.reason)")],
                "\(summary.count(rejection))", &out)
        }
        head(
            "pushpipe_binary_dropped_total", "counter",
            "Notifications of the binary interface that were lost after a rejected one.", &out)
        line("pushpipe_binary_dropped_total", [], "\(metrics.dropped)", &out)
        appendDurations(metrics, to: &out)
        let load = traffic.load()
        gauge("pushpipe_queue_bytes", "Bytes of requests that wait for the pipeline.", load.waitingBytes, &out)
        gauge("pushpipe_connections", "Open connections.", load.connections, &out)
        gauge("pushpipe_api_waits", "Clients of the API that wait for messages.", waiting, &out)
        gauge("pushpipe_api_streams", "Open event streams of the API.", streams, &out)
        gauge("pushpipe_messages_kept", "Messages that the API can show.", traffic.log.count, &out)
        if let bytes = Self.residentMemoryBytes {
            gauge("process_resident_memory_bytes", "Resident memory in bytes.", bytes, &out)
        }
        head("process_cpu_seconds_total", "counter", "Processor time in seconds.", &out)
        line("process_cpu_seconds_total", [], "\(Double(SystemClock.processNanoseconds()) / 1e9)", &out)
    }

    /// Nil if the system does not say. Source: proc_pid_status(5).
    private static var residentMemoryBytes: Int? {
        guard let bytes = try? FileBytes.read("/proc/self/status", limit: 64 << 10) else { return nil }
        let line = bytes.split(separator: UInt8(ascii: "\n")).first { $0.starts(with: Array("VmRSS:".utf8)) }
        let number = line.map { String(decoding: $0, as: UTF8.self) }?.split(whereSeparator: { " \t".contains($0) })
            .dropFirst().first
        return number.flatMap { Int($0) }.map { $0 * 1024 }
    }

    private func appendDurations(_ metrics: GatewayMetrics, to out: inout ByteBuffer) {
        let name: StaticString = "pushpipe_request_duration_seconds"
        head(name, "histogram", "From the arrival of a complete request to its answer after the commit.", &out)
        var count: UInt64 = 0
        for (bound, bucket) in zip(GatewayMetrics.bounds, metrics.durations) {
            count += bucket
            line("pushpipe_request_duration_seconds_bucket", [("le", "\(bound.text)")], "\(count)", &out)
        }
        count += metrics.durations.last ?? 0
        line("pushpipe_request_duration_seconds_bucket", [("le", "+Inf")], "\(count)", &out)
        line("pushpipe_request_duration_seconds_sum", [], "\(metrics.totalSeconds)", &out)
        line("pushpipe_request_duration_seconds_count", [], "\(count)", &out)
    }

    private func gauge(_ name: StaticString, _ help: StaticString, _ value: Int, _ out: inout ByteBuffer) {
        head(name, "gauge", help, &out)
        line(name, [], "\(value)", &out)
    }

    private func head(_ name: StaticString, _ type: StaticString, _ help: StaticString, _ out: inout ByteBuffer) {
        out.append("# HELP ")
        out.append(name)
        out.append(" ")
        out.append(help)
        out.append("\n# TYPE ")
        out.append(name)
        out.append(" ")
        out.append(type)
        out.append("\n")
    }

    /// No label's value has anything to escape.
    private func line(
        _ name: StaticString, _ labels: [(StaticString, String)], _ value: String, _ out: inout ByteBuffer
    ) {
        out.append(name)
        for (index, (label, value)) in labels.enumerated() {
            if index == 0 { out.append("{") } else { out.append(",") }
            out.append(label)
            out.append("=\"")
            out.appendText(value)
            out.append("\"")
        }
        if !labels.isEmpty { out.append("}") }
        out.append(" ")
        out.appendText(value)
        out.append("\n")
    }
}
