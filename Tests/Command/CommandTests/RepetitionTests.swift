import Foundation
import TestSupport
import Testing

/// The same input gives the same bytes in workloads, reports and stores.
struct RepetitionTests {
    private static let clock = "--clock 2026-11-03T20:00:00Z"

    @Test func `two runs with a fixed clock give the same report and the same export`() throws {
        let folder = try Folder()
        #expect(try folder.shell("pushpipe generate --count 2000 --malformed-rate 0.02 > in").status == 0)
        for name in ["one", "two"] {
            let run =
                "pushpipe run -q \(Self.clock) --replace-by custom-payload-id --store \(name).db in > \(name).report"
            #expect(try folder.shell(run).status == 0)
            for command in ["export", "events", "list"] {
                #expect(try folder.shell("pushpipe store \(command) \(name).db > \(name).\(command)").status == 0)
            }
        }
        for part in ["report", "export", "events", "list"] {
            let first = try folder.read("one.\(part)")
            #expect(first.utf8.count > 1000)
            #expect(try folder.read("two.\(part)") == first, "\(part)")
        }
    }

    @Test func `a store in memory and one in a file give the same report`() throws {
        let folder = try Folder()
        #expect(try folder.shell("pushpipe generate --count 2000 --malformed-rate 0.02 > in").status == 0)
        let memory = try folder.shell("pushpipe run -q \(Self.clock) --replace-by custom-payload-id in")
        let file = try folder.shell("pushpipe run -q \(Self.clock) --replace-by custom-payload-id --store s.db in")
        #expect(memory.lines.count >= 2000)
        #expect(file.stdout == memory.stdout)
    }

    @Test(arguments: ["2026-11-03T20:00:00Z", "1793736000", "2026-11-03T20:00:00.000Z", "2026-11-03T21:00:00+01:00"])
    func `a time can be written in several forms`(time: String) throws {
        let folder = try Folder()
        #expect(
            try folder.pushpipe("run", "-q", "--store", "s.db", "--clock", time, stdin: apns("a") + apns("b")).status
                == 0)
        let output = try folder.pushpipe("store", "show", "s.db")
        #expect(
            try output.values("delivered_at") == [
                .string("2026-11-03T20:00:00.001Z"), .string("2026-11-03T20:00:00.000Z"),
            ])
    }

    @Test func `the same arguments generate the same bytes, and another seed different ones`() throws {
        let folder = try Folder()
        let first = try folder.pushpipe("generate", "--count", "300", "--seed", "7")
        #expect(first.status == 0)
        #expect(first.stderr.isEmpty)
        #expect(first.stdout.count { $0 == UInt8(ascii: "\n") } == 300)
        #expect(first.stdout.last == UInt8(ascii: "\n"))
        #expect(try folder.pushpipe("generate", "--count", "300", "--seed", "7").stdout == first.stdout)
        #expect(try folder.pushpipe("generate", "--count", "300", "--seed", "8").stdout != first.stdout)
        let longer = try folder.pushpipe("generate", "--count", "5000", "--seed", "7")
        #expect(longer.stdout.starts(with: first.stdout))
        #expect(longer.stdout.count { $0 == UInt8(ascii: "\n") } == 5000)
        #expect(try folder.pushpipe("generate", "--count", "0").stdout.isEmpty)
    }

    @Test func `generated records are valid unless a broken share is requested`() throws {
        let folder = try Folder()
        let good = try folder.shell(
            "pushpipe generate --count 3000 | pushpipe run -q --fail-on malformed; echo ${PIPESTATUS[@]}")
        #expect(good.lines.count >= 3001)
        #expect(good.lines.last == "0 0")
        let broken = try folder.shell(
            "pushpipe generate --count 3000 --malformed-rate 0.1 | pushpipe run -q --format none --fail-on malformed")
        #expect(broken.status == 1)
        let mixed = try folder.shell("pushpipe generate --count 200 --mix gcm=1 | pushpipe run -q")
        #expect(try mixed.json().allSatisfy { $0["provider"] == .string("gcm") })
    }

    @Test(arguments: [
        ["--count", "-1"], ["--count", "many"], ["--device-count", "0"], ["--device-count", "-3"], ["--seed", "-1"],
        ["--seed", "x"],
        ["--mix", "apns"], ["--mix", "wns=1"], ["--mix", "apns=0"], ["--mix", "apns=1,apns=2"], ["--mix", ""],
        ["--replace-rate", "1.5"], ["--replace-rate", "x"], ["--malformed-rate", "2"], ["--malformed-rate=-0.1"],
        ["--malformed-rate", ""], ["--count", "99999999999999999999"],
    ])
    func `an impossible workload is refused`(arguments: [String]) throws {
        let output = try Folder().pushpipe(arguments: ["generate"] + arguments)
        #expect(output.status == 2)
        #expect(output.stdout.isEmpty)
        #expect(!output.stderr.isEmpty)
        // A negative number is a value.
        #expect(!output.stderr.contains("Missing value"))
    }
}
