import Foundation
import TestSupport
import Testing

/// Generated pushes and device events, and results that must not depend on how they are processed.
private struct MixedStream {
    private static let policies =
        "--set limits.pushes-per-minute=20 --set limits.app-pushes-per-minute=2000 --set limits.background-pushes-per-hour=3 --set limits.collapsible-bursts --config gateway.yml --set devices.unknown=reject"

    private func folder(_ count: Int) throws -> Folder {
        let folder = try Folder()
        try folder.write("airnotifier: {token-life-cycle: true}", to: "gateway.yml")
        let generate = "pushpipe generate --count \(count) --device-count 8000 --event-rate 0.3 --malformed-rate 0.01"
        #expect(
            try folder.shell("\(generate) > in && pushpipe generate --register --device-count 6000 > devices").status
                == 0)
        return folder
    }

    private func run(_ name: String, _ arguments: String, _ folder: Folder) throws {
        let run = "pushpipe run -q --clock 2026-11-03T20:00:00Z --devices devices \(Self.policies) \(arguments)"
        let output = try folder.shell("\(run) > \(name)")
        #expect(output.status == 0, "\(output.stderr)")
    }

    /// A digest of a file, because comparing a million lines as text is too slow.
    private func digest(_ name: String, _ folder: Folder) throws -> String {
        try folder.shell("sha256sum < \(name)").text
    }

    /// The report does not depend on the number of jobs, on a store, or on how the input is divided into pieces.
    func expectSameReports(_ count: Int) throws {
        let folder = try folder(count)
        try run("one", "--jobs 1 in", folder)
        let outcomes = try folder.shell(#"LC_ALL=C grep -o '"outcome":"[a-z]*"' one | sort -u | wc -l"#).text
        #expect((Int(outcomes.trimmingCharacters(in: .whitespacesAndNewlines)) ?? 0) >= 10, "\(outcomes)")
        let expected = try digest("one", folder)
        try run("two", "--jobs 2 in", folder)
        try run("four", "--jobs 4 in", folder)
        // Pieces of a pipe that end anywhere.
        try run("pieces", #"--jobs 3 < <(dd if=in bs=37777 status=none) | sed 's/"file":"-"/"file":"in"/'"#, folder)
        try run("stored", "--jobs 2 --store jobs.db in", folder)
        for name in ["two", "four", "pieces", "stored"] { #expect(try digest(name, folder) == expected, "\(name)") }
    }

    /// The contents of a store do not depend on the number of jobs.
    func expectSameStores(_ count: Int) throws {
        let folder = try folder(count)
        for jobs in [1, 3] {
            try run("report.\(jobs)", "--jobs \(jobs) --store \(jobs).db in", folder)
            let exports =
                "(pushpipe store export --complete \(jobs).db; pushpipe store events \(jobs).db; pushpipe store devices \(jobs).db; "
                + "pushpipe store held \(jobs).db; pushpipe store feedback \(jobs).db) > \(jobs).out"
            let output = try folder.shell(exports)
            #expect(output.status == 0, "\(output.stderr)")
        }
        #expect(try digest("1.out", folder) == digest("3.out", folder))
        for command in ["devices", "held", "feedback"] {
            #expect(try !folder.pushpipe("store", command, "1.db").stdout.isEmpty, "\(command)")
        }
    }
}

/// Pushes and device events in one stream give the same results, however they are processed.
struct MixedStreamTests {
    @Test func `generated events can be read and have no finding`() throws {
        let output = try Folder().shell("pushpipe generate --count 5000 --event-rate 1 | pushpipe run -q --clock 0")
        #expect(output.lines.count >= 5000)
        #expect(!output.text.contains("malformed") && !output.text.contains("findings"))
    }

    @Test func `jobs, a store and the input's pieces do not change the report`() throws {
        try MixedStream().expectSameReports(3000)
    }

    @Test func `jobs do not change the contents of a store`() throws {
        try MixedStream().expectSameStores(1500)
    }
}

/// The same for many more records. `PUSHPIPE_MIXED_RECORDS=1000000` is what Documentation/explanation/devices.md describes.
struct MixedStreamSlowTests {
    private static let count =
        ProcessInfo.processInfo.environment["PUSHPIPE_MIXED_RECORDS"].flatMap { Int($0) } ?? 12_000

    @Test func `jobs, a store and the input's pieces do not change the report`() throws {
        try MixedStream().expectSameReports(Self.count)
    }

    @Test func `jobs do not change the contents of a store`() throws {
        try MixedStream().expectSameStores(Self.count)
    }
}
