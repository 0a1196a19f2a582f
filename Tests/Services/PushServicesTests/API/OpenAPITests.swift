import Foundation
import PushJSON
import PushModel
import ServiceTestSupport
import Testing

@testable import PushServices

struct OpenAPITests {
    private func paths() throws -> [String: [String: Any]] {
        let document = try SessionTrial.withAPI().get("/api/v1/openapi.json").parsed()
        #expect(document["openapi"] as? String == "3.1.0")
        return try #require(document["paths"] as? [String: [String: Any]])
    }

    @Test func `the document has every route with its method, and no others`() throws {
        let described = try paths().flatMap { path, methods in methods.keys.map { "\($0.uppercased()) \(path)" } }
        #expect(described.sorted() == APIRoute.all.map { "\($0.method) \($0.path)" }.sorted())
    }

    @Test func `every route is answered as the document says`() throws {
        let trial = SessionTrial.withAPI()
        _ = try trial.answer(push())
        for (path, methods) in try paths() {
            for (method, operation) in methods {
                let target = path.replacing("{id}", with: "1").replacing("{device}", with: "ab12")
                    .replacing("{rule}", with: "aps.misspelled-key")
                let takesRecords = path.hasSuffix("records") || path.hasSuffix("lint")
                let record = #"{"device":"ab12","event":"device","online":true}"#
                let body = takesRecords ? record : path.hasSuffix("faults") ? "[]" : ""
                // Last, because it would forget the message.
                if path.hasSuffix("reset") || method == "delete" && path.contains("/messages") { continue }
                let answer = try trial.send(body, target, method: method.uppercased())
                let responses = (operation as? [String: Any])?["responses"] as? [String: [String: Any]]
                let content = responses?["\(answer.status)"]?["content"] as? [String: Any]
                let type = answer.header("content-type")?.split(separator: ";").first.map(String.init)
                #expect(content?.keys.first == type, "\(method) \(path): \(answer.status)")
            }
        }
        #expect(try trial.send("", "/api/v1/messages/1", method: "DELETE").status == 200)
        #expect(try trial.send("", "/api/v1/messages", method: "DELETE").status == 200)
        #expect(try trial.send("", "/api/v1/reset").status == 200)
    }

    @Test func `the document has the parameters and outcomes that there are`() throws {
        let document = try SessionTrial.withAPI().get("/api/v1/openapi.json").parsed()
        let components = try #require(document["components"] as? [String: Any])
        let shared = try #require(components["parameters"] as? [String: [String: Any]])
        let operation = try #require(paths()["/api/v1/messages"]?["get"] as? [String: Any])
        let names = (operation["parameters"] as? [[String: Any]] ?? []).map { parameter in
            let reference = (parameter["$ref"] as? String)?.split(separator: "/").last.map(String.init)
            return (reference.flatMap { shared[$0] } ?? parameter)["name"] as? String
        }
        #expect(names == APIQuery.ofMessages)
        let schema = shared["outcome"]?["schema"] as? [String: Any]
        #expect(schema?["enum"] as? [String] == MessageFilter.outcomes)
    }
}

struct MetricsTests {
    /// Names, labels and values of samples, if the text is in Prometheus' format: HELP and TYPE before the samples of a metric.
    private func samples(_ text: String) throws -> [String: Double] {
        var samples: [String: Double] = [:]
        var types: [String: String] = [:]
        for line in text.split(separator: "\n") {
            if let head = line.wholeMatch(of: /# TYPE ([a-z_]+) (counter|gauge|histogram)/) {
                #expect(types.updateValue(String(head.2), forKey: String(head.1)) == nil, "\(line)")
            } else if !line.hasPrefix("# HELP ") {
                let form = /([a-z_]+)(\{[a-z]+="[^"\\]*"(?:,[a-z]+="[^"\\]*")*\})? ([0-9.e+-]+)/
                let sample = try #require(line.wholeMatch(of: form), "\(line)")
                let family = String(sample.1).replacing(/_(bucket|sum|count)$/, with: "")
                #expect(types[family] != nil || types[String(sample.1)] != nil, "\(line)")
                samples[String(sample.1) + String(sample.2 ?? "")] = Double(sample.3)
            }
        }
        return samples
    }

    @Test func `counts are those of what was answered`() throws {
        let trial = SessionTrial.withAPI()
        _ = try trial.session.answers(to: [push(), push(), push(to: "no-token")])
        _ = try trial.get("/api/v1/nothing")
        _ = try trial.get("/nothing")
        let answer = try trial.get("/metrics")
        #expect(answer.header("content-type") == "text/plain; version=0.0.4; charset=utf-8")
        let samples = try samples(answer.text)
        #expect(samples[#"pushpipe_requests_total{service="apns",status="200"}"#] == 2)
        #expect(samples[#"pushpipe_requests_total{service="apns",status="400"}"#] == 1)
        #expect(samples[#"pushpipe_requests_total{service="api",status="404"}"#] == 1)
        #expect(samples[#"pushpipe_requests_total{service="none",status="404"}"#] == 1)
        #expect(samples[#"pushpipe_outcomes_total{outcome="delivered"}"#] == 2)
        #expect(samples[#"pushpipe_rejections_total{provider="apns",reason="BadDeviceToken"}"#] == 1)
        #expect(samples["pushpipe_messages_kept"] == 4)
        #expect(samples["process_cpu_seconds_total"] ?? 0 > 0)
    }

    @Test func `durations are counted in each bucket that has room for them`() throws {
        let trial = SessionTrial.withAPI()
        for nanoseconds: Int64 in [50_000, 2_000_000, 7_000_000_000, 60_000_000_000] {
            trial.session.traffic.metrics.observe(nanoseconds: nanoseconds)
        }
        let samples = try samples(trial.get("/metrics").text)
        #expect(samples[#"pushpipe_request_duration_seconds_bucket{le="0.0001"}"#] == 1)
        #expect(samples[#"pushpipe_request_duration_seconds_bucket{le="0.001"}"#] == 1)
        #expect(samples[#"pushpipe_request_duration_seconds_bucket{le="0.0025"}"#] == 2)
        #expect(samples[#"pushpipe_request_duration_seconds_bucket{le="5"}"#] == 2)
        #expect(samples[#"pushpipe_request_duration_seconds_bucket{le="10"}"#] == 3)
        #expect(samples["pushpipe_request_duration_seconds_count"] == 4)
    }
}
