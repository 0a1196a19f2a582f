import Foundation
import TestSupport
import Testing

/// `--device` wherever something is shown: the name of one device, or the beginning of it.
struct DeviceFilterTests {
    private let folder: Folder

    init() throws {
        folder = try Folder()
        try folder.write(apns("for Anna", device: "ab54") + apns("for Ben", device: "cd76"), to: "in.ndjson")
    }

    @Test(arguments: ["ab54", "AB54", "ab"])
    func `a run shows the screen of that device alone`(device: String) throws {
        let run = try folder.pushpipe(
            "run", "-q", "--format", "none", "--screen", "--set", "report.screen-file=s.svg", "--device", device,
            "in.ndjson")
        #expect(run.status == 0)
        #expect(run.text.contains("for Anna") && !run.text.contains("for Ben"), "\(run)")
        #expect(try folder.read("s.svg").contains("for Anna"))
        #expect(try !folder.read("s.svg").contains("for Ben"))
    }

    @Test func `all devices get their pushes, and the report has them`() throws {
        let run = try folder.pushpipe("run", "-q", "--device", "ab54", "--store", "s.db", "in.ndjson")
        #expect(try run.outcomes() == ["delivered", "delivered"])
        let other = try folder.pushpipe("run", "-q", "--format", "none", "--screen", "--device", "zz", "in.ndjson")
        #expect(other.text == "nothing on screen\n", "\(other)")
    }

    @Test func `a payload that names no device is for that device, and shown`() throws {
        let run = try folder.pushpipe(
            "run", "-q", "--format", "none", "--screen", "--device", "anna", stdin: #"{"aps":{"alert":"Hi"}}"#)
        #expect(run.text.contains("anna") && run.text.contains("Hi"), "\(run)")
    }

    @Test func `a trace has that device's messages, and says if there are none`() throws {
        let trace = try folder.pushpipe("trace", "--device", "cd", "in.ndjson")
        #expect(trace.text.contains("for Ben") && !trace.text.contains("for Anna"), "\(trace)")
        #expect(trace.text.contains("record 2") && trace.stderr.isEmpty)
        let none = try folder.pushpipe("trace", "--device", "zz", "in.ndjson")
        #expect(none.stdout.isEmpty)
        #expect(none.stderr == "pushpipe: no record is for device zz, or one whose name begins with it\n")
        let line = try folder.pushpipe("trace", "--device", "cd", "in.ndjson:1")
        #expect(line.stderr == "pushpipe: no record for device cd at line 1 of in.ndjson\n")
    }

    @Test func `a trace of a stored record looks at that device`() throws {
        #expect(try folder.pushpipe("run", "-q", "--store", "s.db", "in.ndjson").status == 0)
        let trace = try folder.pushpipe("trace", "--store", "s.db", "--seq", "1", "--device", "ab")
        #expect(trace.text.contains("for Anna"), "\(trace)")
        try folder.pushpipe("trace", "--store", "s.db", "--seq", "1", "--device", "cd")
            .expectTrouble("has nothing about record 1 on cd76")
    }

    @Test func `a snapshot has that device's messages and screens`() throws {
        #expect(try folder.pushpipe("snapshot", "-q", "--update", "--device", "ab54", "in.ndjson").status == 0)
        let text = try folder.read("in.ndjson.phone")
        #expect(text.contains("for Anna") && !text.contains("for Ben"), "\(text)")
    }

    @Test func `an export of a device makes a store of that device`() throws {
        #expect(try folder.pushpipe("run", "-q", "--clock", "0", "--store", "s.db", "in.ndjson").status == 0)
        let export = try folder.pushpipe("store", "export", "--events", "--device", "cd", "s.db")
        #expect(export.text.contains("for Ben") && !export.text.contains("ab54"), "\(export)")
        try folder.write(export.stdout, to: "e.ndjson")
        #expect(try folder.pushpipe("store", "import", "-q", "new.db", "e.ndjson").status == 0)
        for list in [["show"], ["events"]] {
            let whole = try folder.pushpipe(arguments: ["store"] + list + ["--device", "cd", "s.db"])
            #expect(try folder.pushpipe(arguments: ["store"] + list + ["new.db"]).text == whole.text)
        }
        #expect(try folder.pushpipe("store", "export", "--device", "zz", "s.db").status == 1)
        let csv = try folder.pushpipe("store", "export", "--format", "csv", "--device", "ab", "s.db")
        #expect(csv.text.contains("for Anna") && !csv.text.contains("for Ben"), "\(csv)")
    }
}
