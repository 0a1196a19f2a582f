import Foundation
import TestSupport
import Testing

/// Runs that are killed anywhere and resumed with `--resume`.
struct DurabilitySlowTests {
    private let folder: Folder

    init() throws {
        folder = try Folder()
        // A little more than three transactions of the largest size.
        let generated = try folder.pushpipe(
            "generate", "--count", "3400", "--record-bytes", "3900", "--seed", "5", "--device-count", "200")
        try folder.write(generated.stdout, to: "in.ndjson")
    }

    /// Starts a run that appends to `report`, and whose messages go to the file `said`.
    private func start(_ arguments: [String], report: String) throws -> Process {
        let process = try folder.process(Place.executable().path, ["run", "--clock", "0", "--quiet"] + arguments)
        if !FileManager.default.fileExists(atPath: folder.path(report)) { try folder.write("", to: report) }
        let output = try FileHandle(forUpdating: folder.url.appendingPathComponent(report))
        try output.seekToEnd()
        process.standardOutput = output
        try folder.write("", to: "said")
        process.standardError = try FileHandle(forWritingTo: folder.url.appendingPathComponent("said"))
        try process.run()
        return process
    }

    /// Progress of a run: bytes read from the input, bytes of its store's log, bytes of its report.
    private enum Progress: CaseIterable {
        case input, log, report
    }

    /// A run's progress of one kind; nil when it cannot be determined, or no longer.
    private func position(_ progress: Progress, of process: Process, store: String, report: String) -> Int? {
        switch progress {
        case .input:
            let descriptors = "/proc/\(process.processIdentifier)/fd"
            let names = (try? FileManager.default.contentsOfDirectory(atPath: descriptors)) ?? []
            for name in names
            where (try? FileManager.default.destinationOfSymbolicLink(atPath: "\(descriptors)/\(name)"))
                == folder.url.resolvingSymlinksInPath().appendingPathComponent("in.ndjson").path
            {
                let lines = (try? String(contentsOfFile: "\(descriptors)info/\(name)", encoding: .utf8)) ?? ""
                return lines.split(separator: "\n").first.flatMap { Int($0.drop { !$0.isNumber }) }
            }
            return nil
        case .log: return size(of: "\(store)-wal")
        case .report: return size(of: report)
        }
    }

    private func size(of name: String) -> Int? {
        var status = stat()
        return stat(folder.path(name), &status) == 0 ? Int(status.st_size) : nil
    }

    /// Kills a run as soon as it reaches `target`, and returns when it has ended, killed or by itself.
    private func kill(
        _ process: Process, at target: Int, of progress: Progress, store: String, report: String
    ) {
        while process.isRunning, position(progress, of: process, store: store, report: report) ?? 0 < target {
            sched_yield()
        }
        Foundation.kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    private func contents(of store: String) throws -> Data {
        let sql = """
            SELECT * FROM on_screen; SELECT * FROM events; SELECT * FROM badges; SELECT * FROM progress; PRAGMA integrity_check
            """
        return try folder.shell("sqlite3 \(store) '\(sql)'").stdout
    }

    @Test func `200 kills do not change what is committed and reported`() throws {
        let reference = try folder.pushpipe("run", "--clock", "0", "--store", "whole.db", "in.ndjson")
        let expected = try contents(of: "whole.db")
        // A run is killed anywhere between its start and shortly before its end.
        let ends: [Progress: Int] = [
            .input: try #require(size(of: "in.ndjson")), .report: reference.stdout.count,
            .log: try #require(size(of: "whole.db")),
        ]
        let kinds = Progress.allCases.filter { $0 != .input || Machine.hasProc }

        var random = SeededGenerator(seed: 11)
        var kills = 0
        var cycle = 0
        while kills < 200 {
            cycle += 1
            let (store, report) = ("\(cycle).db", "\(cycle).ndjson")
            var attempts = 0
            while true {
                let jobs = ["--jobs", "\(Int.random(in: 1...3, using: &random))"]
                // The first run may have --resume or not; there is nothing to resume.
                let resumes = attempts > 0 || Bool.random(using: &random) ? ["--resume"] : []
                let process = try self.start(
                    ["--store", store] + jobs + resumes + ["in.ndjson"], report: report)
                if attempts < 6 {
                    let kind = random.pick(kinds)
                    let target = Int.random(in: 0..<(ends[kind] ?? 1), using: &random)
                    kill(process, at: target, of: kind, store: store, report: report)
                }
                process.waitUntilExit()
                attempts += 1
                if process.terminationReason == .exit {
                    let said = try folder.read("said")
                    #expect(process.terminationStatus == 0, "\(said)")
                    break
                }
                kills += 1
            }
            // Each line once and whole, although the report was cut anywhere.
            #expect(try folder.read(report) == reference.text, "cycle \(cycle)")
            #expect(try contents(of: store) == expected, "cycle \(cycle)")
            for name in try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
            where name.hasPrefix("\(cycle).") { try FileManager.default.removeItem(atPath: folder.path(name)) }
        }
    }
}
