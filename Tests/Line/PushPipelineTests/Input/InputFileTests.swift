import Foundation
import PushDevices
import PushFraming
import PushModel
import PushPipeline
import PushSQLite
import PushSystem
import Testing

struct InputFileTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "pushpipe-input-\(UUID().uuidString)")

    init() throws { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }

    private func write(_ text: String, to name: String = "in") throws -> String {
        let url = folder.appending(path: name)
        try Data(text.utf8).write(to: url)
        return url.path
    }

    @Test func `a missing file and a directory cannot be read`() throws {
        let missing = #expect(throws: PlainError.self) { try InputFile.checkReadable("/nowhere/in") }
        #expect(missing?.description == "/nowhere/in: No such file or directory")
        let directory = #expect(throws: PlainError.self) { try InputFile.checkReadable(folder.path) }
        let advice = "is a directory; name its files, for example \(folder.path)/*.json"
        #expect(directory?.description.hasSuffix(advice) == true)
        _ = try write("{}", to: "pushes.ndjson")
        let slashed = #expect(throws: PlainError.self) { try InputFile.checkReadable(folder.path + "//") }
        #expect(slashed?.description.hasSuffix(" for example \(folder.path)/*.ndjson") == true)
        try InputFile.checkReadable(try write("{}"))
        #expect(throws: PlainError.self) { try InputFile("/nowhere/in") }
        try FileManager.default.removeItem(at: folder)
    }

    @Test func `without a store a file has no checkpoint and cannot be resumed`() throws {
        let path = try write("{}")
        #expect(try InputFile(path).progress == nil)
        let error = #expect(throws: PlainError.self) { try InputFile(path, resumes: true) }
        #expect(error?.message.contains("cannot be resumed without a store") == true)
        try FileManager.default.removeItem(at: folder)
    }

    @Test func `a file resumes only if the processed part has not changed`() throws {
        let path = try write(apns("a") + "\n" + apns("b") + "\n")
        let store = try SQLiteStore(path: folder.appending(path: "s.db").path)
        func run(resumes: Bool) throws -> UInt64 {
            let input = try InputFile(path, store: store, resumes: resumes)
            let pipeline = Pipeline(configuration(), store: store)
            try pipeline.process(
                fileDescriptor: input.descriptor.rawValue, progress: input.progress, isStopped: { false },
                text: { _ in })
            return pipeline.summary.records
        }
        #expect(try run(resumes: false) == 2)
        #expect(try run(resumes: true) == 0)
        _ = try write(apns("a") + "\n" + apns("b") + "\n" + apns("c") + "\n")
        #expect(try run(resumes: true) == 1)
        _ = try write(apns("x") + "\n" + apns("b") + "\n" + apns("c") + "\n")
        let error = #expect(throws: PlainError.self) { try run(resumes: true) }
        #expect(error?.description.contains("changed since the earlier run") == true)
        try FileManager.default.removeItem(at: folder)
    }

    /// The lines of a transaction are composed while its rows are written, by another thread if there is one.
    @Test func `the stored report is what was written last, with any number of threads`() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let records = (0..<6000).map { index in
            switch index % 5 {
            case 0: away("dd\(10 + index / 5 % 70)")
            case 1: back("dd\(10 + index / 5 % 30)")
            default: push("\(index)", to: "dd\(10 + index % 70)")
            }
        }
        let path = try write(records.joined(separator: "\n") + "\n")
        var found: [String] = []
        var sizes = StoreSizes.smallest(maximumLoaded: 50)
        sizes.transactionBytes = 64 << 10
        for jobs in [1, 2, 4] {
            let store = try SQLiteStore(
                path: folder.appending(path: "\(jobs).db").path, access: .readWrite, sizes: sizes)
            var configuration = configuration()
            configuration.jobs = jobs
            let input = try InputFile(path, store: store)
            var parts: [String] = []
            try Pipeline(configuration, store: store).process(
                fileDescriptor: input.descriptor.rawValue, progress: input.progress, isStopped: { false },
                text: { if !$0.isEmpty { parts.append(String(decoding: $0, as: UTF8.self)) } })
            let stored = try store.lastReport()
            #expect(parts.count > 5 && String(decoding: stored, as: UTF8.self) == parts.last)
            found.append(parts.joined())
        }
        #expect(found[0].contains("\"outcome\":\"held\"") && found[0].split(separator: "\n").count > records.count)
        #expect(found[1] == found[0] && found[2] == found[0])
    }

    @Test func `a file resumes inside a value that is too long`() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        // More than is read at a time. The braces in it could begin records, if nothing were known of the brackets around them.
        let long = #"{"a":["# + String(repeating: "{\"x\":\"}]\"},\n", count: 900_000) + "1]}"
        let path = try write([apns("a"), long, apns("b")].joined(separator: "\n"))
        let store = try SQLiteStore(path: folder.appending(path: "s.db").path)
        var configuration = configuration()
        (configuration.framing, configuration.maximumRecordBytes) = (.json, 5000)
        func run(resumes: Bool, reads: Int) throws -> [String] {
            let input = try InputFile(path, store: store, resumes: resumes)
            let pipeline = Pipeline(configuration, store: store)
            var (reads, lines) = (reads, "")
            try pipeline.process(
                fileDescriptor: input.descriptor.rawValue, progress: input.progress,
                isStopped: {
                    reads -= 1
                    return reads < 0
                },
                text: { lines += String(decoding: $0, as: UTF8.self) })
            return lines.split(separator: "\n").map { String($0.prefix { $0 != "," }) }
        }
        #expect(try run(resumes: false, reads: 2) == ["{\"seq\":1", "{\"seq\":2"])
        let progress = try store.progress(of: URL(filePath: path).resolvingSymlinksInPath().path)
        #expect(progress?.isDropping == true)
        configuration.maximumRecordBytes = 100 << 20
        #expect(throws: PlainError.self) { try run(resumes: true, reads: .max) }
        configuration.maximumRecordBytes = 5000
        #expect(try run(resumes: true, reads: .max) == ["{\"seq\":3"])
        #expect(try store.notifications().count == 2)
    }

    @Test func `a compressed file is one malformed record, also where a run resumes in it`() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let url = folder.appending(path: "in.gz")
        // More than is read at a time.
        try (Data([0x1F, 0x8B, 0x08]) + Data(String(repeating: "{}\n", count: 4_000_000).utf8)).write(to: url)
        let store = try SQLiteStore(path: folder.appending(path: "s.db").path)
        var configuration = configuration()
        for framing in [Framing.auto, .ndjson, .json] {
            configuration.framing = framing
            func run(resumes: Bool, reads: Int) throws -> UInt64 {
                let input = try InputFile(url.path, store: store, resumes: resumes)
                let pipeline = Pipeline(configuration, store: store)
                var reads = reads
                try pipeline.process(
                    fileDescriptor: input.descriptor.rawValue, progress: input.progress,
                    isStopped: {
                        reads -= 1
                        return reads < 0
                    }, text: { _ in })
                #expect(pipeline.summary.count(.malformed) == pipeline.summary.records)
                return pipeline.summary.records
            }
            #expect(try run(resumes: false, reads: 2) == 1)
            #expect(try run(resumes: true, reads: .max) == 0)
        }
    }

    @Test func `a transaction ends before its report is large, and a run resumes there`() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let targets = (0..<100).map { "\"t\($0)\"" }.joined(separator: ",")
        let record = #"{"notification":{"title":"x"},"registration_ids":[\#(targets)]}"#
        let path = try write(String(repeating: record + "\n", count: 40))
        var sizes = StoreSizes.smallest(maximumLoaded: 1000)
        // More than the whole file.
        sizes.transactionBytes = 64 << 10
        let store = try SQLiteStore(path: folder.appending(path: "s.db").path, access: .readWrite, sizes: sizes)
        struct Stop: Error {}
        var reports: [[Substring]] = []
        func run(resumes: Bool, transactions: Int) throws {
            let input = try InputFile(path, store: store, resumes: resumes)
            let pipeline = Pipeline(configuration(), store: store)
            var left = transactions
            try pipeline.process(
                fileDescriptor: input.descriptor.rawValue, progress: input.progress, isStopped: { false },
                text: {
                    let lines = String(decoding: $0, as: UTF8.self).split(separator: "\n")
                    if !lines.isEmpty { reports.append(lines) }
                    left -= 1
                    if left == 0 { throw Stop() }
                })
        }
        #expect(throws: Stop.self) { try run(resumes: false, transactions: 1) }
        #expect(try store.lastReport().split(separator: UInt8(ascii: "\n")).count == reports.first?.count)
        try run(resumes: true, transactions: .max)
        // One element in 32 bytes, and each record has 99 besides its first.
        #expect(reports.map(\.count) == [2100, 1900])
        let numbers = reports.joined().map { $0.prefix { $0 != "," } }
        #expect(numbers == (1...40).flatMap { number in (0..<100).map { _ in "{\"seq\":\(number)" } })
    }

    @Test(arguments: [
        ("", "one\ntwo\n"), ("other\n", "one\ntwo\n"), ("other\none\n", "two\n"), ("one\ntwo\n", ""),
        ("one\ntw", "o\n"),
        ("other\none\ntwo\n", ""), ("two\n", "one\ntwo\n"),
    ])
    func `the missing part of the last report is what follows the output's end`(output: String, missing: String) throws
    {
        let path = try write(output)
        let store = try SQLiteStore(path: folder.appending(path: "s.db").path)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = try FileDescriptor.open(path, .writeOnly)
        defer { file.close() }
        let report = LastReport(lines: Array("one\ntwo\n".utf8))
        #expect(String(decoding: report.missing(in: file), as: UTF8.self) == missing)
        #expect(try LastReport(of: store).missing(in: file).isEmpty)
    }

    @Test func `a truncated file is reported at its end`() throws {
        let path = try write(apns("a"))
        let input = try InputFile(path)
        let length = InputLength(of: input.descriptor)
        try length.check(path)
        _ = try input.descriptor.readToEnd()
        try length.check(path)
        try FileHandle(forWritingTo: URL(filePath: path)).truncate(atOffset: 3)
        let error = #expect(throws: PlainError.self) { try length.check(path) }
        #expect(error?.description.contains("truncated while it was read, to 3 bytes") == true)
        try FileManager.default.removeItem(at: folder)
    }
}
