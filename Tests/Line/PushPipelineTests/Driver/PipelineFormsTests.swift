import Foundation
import PushDevices
import PushModel
import PushPipeline
import TestSupport
import Testing

/// The forms in which Swift programs have bytes, and want reports.
struct PipelineFormsTests {
    private static let input = [apns("é"), "{", apns("b", device: "xyz"), #"{"event":"device","device":"ab"}"#]
        .joined(separator: "\n")

    /// By the form that takes text.
    private func expected() throws -> [PushReport] { try Pipeline(configuration()).process(Self.input) }

    @Test func `text, bytes, data, other collections and spans are the same input`() throws {
        let expected = try expected()
        #expect(expected.map(\.outcome) == [.delivered, .malformed, .rejected, .applied])
        let bytes = Array(Self.input.utf8)
        #expect(try Pipeline(configuration()).process(bytes) == expected)
        #expect(try Pipeline(configuration()).process(Data(bytes)) == expected)
        #expect(try Pipeline(configuration()).process(Self.input.utf8.lazy.map { $0 }) == expected)
        var reports: [PushReport] = []
        try bytes.withUnsafeBytes { raw in
            try Pipeline(configuration()).process(unsafe raw.bytes) { reports.append(PushReport($0)) }
        }
        #expect(reports == expected)
    }

    @Test func `an owned report has the values of the line`() throws {
        let reports = try expected()
        var lines: [String] = []
        try Pipeline(configuration()).process(Self.input) { line in
            let report = PushReport(line)
            #expect(report.outcome == line.outcome && report.reason == line.reason && report.status == line.status)
            #expect(report.seq == line.seq && report.identifier == line.identifier)
            #expect(report.findings == Array(line.findings) && report.event == line.event)
            #expect(report.decodeFailure == line.decodeFailure)
            lines.append(report.json)
        }
        #expect(lines == reports.map(\.json))
        for line in lines { #expect(try JSONSerialization.jsonObject(with: Data(line.utf8)) is [String: Any]) }
        #expect(
            reports.map(\.description) == [
                "delivered", "malformed (json.syntax: \(reports[1].decodeFailure?.message ?? ""))",
                "rejected (400 BadDeviceToken)", "applied (device)",
            ])
        #expect(reports[0].device == "ab54" && reports[0].app == "org.example.news" && reports[0].provider == .apns)
    }

    @Test(arguments: [1, 7, 1 << 20]) func `an asynchronous input gives the same report`(size: Int) async throws {
        let bytes = Array(Self.input.utf8)
        let pieces = AsyncStream<ArraySlice<UInt8>> { continuation in
            for start in stride(from: 0, to: bytes.count, by: size) {
                continuation.yield(bytes[start..<min(start + size, bytes.count)])
            }
            continuation.finish()
        }
        var reports: [PushReport] = []
        for try await report in Pipeline(configuration()).reports(of: pieces) { reports.append(report) }
        #expect(reports == (try expected()))
        let single = AsyncStream<UInt8> { continuation in
            for byte in bytes { continuation.yield(byte) }
            continuation.finish()
        }
        reports = []
        for try await report in Pipeline(configuration()).reports(of: single) { reports.append(report) }
        #expect(reports == (try expected()))
    }

    @Test func `whoever ends the loop stops the input`() async throws {
        let store = MemoryStore()
        let (pieces, continuation) = AsyncStream.makeStream(of: [UInt8].self)
        for number in 0..<3 { continuation.yield(Array((apns("\(number)") + "\n").utf8)) }
        // The stream has no end: a loop that went on would wait for good.
        for try await report in Pipeline(configuration(), store: store).reports(of: pieces) where report.seq == 2 {
            break
        }
        #expect(try store.notifications().map(\.content.body) == ["0", "1"])
    }

    @Test func `an error of the closure ends the report, and its chunk is stored all the same`() throws {
        struct Stop: Error {}
        let store = MemoryStore()
        var seen: [UInt64] = []
        #expect(throws: Stop.self) {
            try Pipeline(configuration(), store: store).process(apns("a") + "\n" + apns("b") + "\n" + apns("c") + "\n")
            {
                seen.append($0.seq)
                if $0.seq == 2 { throw Stop() }
            }
        }
        #expect(seen == [1, 2])
        #expect(try store.notifications().count == 3)
    }

    @Test func `an open file is read until somebody stops it`() throws {
        let folder = try TestFolder()
        let path = folder.path("in.ndjson")
        try Data(Self.input.utf8).write(to: URL(filePath: path))
        let file = try FileHandle(forReadingFrom: URL(filePath: path))
        var count = 0
        try Pipeline(configuration()).process(
            fileDescriptor: file.fileDescriptor, isStopped: { true }, report: { _ in count += 1 })
        #expect(count == 0)
        try Pipeline(configuration()).process(fileDescriptor: file.fileDescriptor) { _ in count += 1 }
        #expect(count == 4)
    }
}
