import Foundation
import PushJSON
import PushModel
import PushPipeline
import TestSupport
import Testing

/// Report lines as values to keep.
struct PushReportTests {
    @Test(arguments: ["-1", "1.5", "\"1\"", "1e300"]) func `a seq that is not a whole number from 0 makes no report`(
        seq: String
    ) {
        #expect(PushReport(json: "{\"seq\":1,\"outcome\":\"delivered\"}")?.seq == 1)
        #expect(PushReport(json: "{\"seq\":\(seq),\"outcome\":\"delivered\"}") == nil)
    }

    @Test(arguments: ["evening", "every-bad-record", "gcm-score-updates", "night-flight", "sns-mobile-push"])
    func `an owned line has the values of the report`(sample: String) throws {
        let file = packageFolder.appendingPathComponent("Samples/\(sample).ndjson")
        var count = 0
        try Pipeline(configuration()).process(try Data(contentsOf: file)) { report in
            count += 1
            let line = PushReport(report)
            #expect(line.seq == report.seq)
            #expect(line.outcome == report.outcome)
            #expect(line.status == report.status)
            #expect(line.reason == report.reason.map { "\($0)" })
            #expect(line.identifier == report.identifier)
            #expect(line.replaces == report.replaces)
            #expect(line.event == report.note?.event)
            #expect(line.original == report.note?.original)
            #expect(line.steps == report.note?.steps ?? [])
            #expect(line.quiet == report.quiet)
            #expect(line.findings == Array(report.findings))
            #expect(line.decodeFailure?.message == report.decodeFailure?.message)
            #expect("\(line)".hasPrefix("\(report.outcome.name)"))
            var text = ByteBuffer()
            NDJSONReport().append(report, to: &text)
            #expect("\(line.json)\n" == String(decoding: text.bytes, as: UTF8.self))
        }
        #expect(count > 0)
    }
}
