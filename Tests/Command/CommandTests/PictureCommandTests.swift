import Foundation
import TestSupport
import Testing

/// Pictures from the command line. What is in them is tested in PushPicturesTests.
struct PictureCommandTests {
    private static let clock = ["--clock", "2026-11-03T20:00:00Z"]

    private func filled(devices: Int = 1) throws -> Folder {
        let folder = try Folder()
        let records = (1...devices).map { #"{"device":"ab0\#($0)","payload":{"aps":{"alert":"Hello"}}}"# + "\n" }
        try folder.write(records.joined(), to: "in.ndjson")
        let output = try folder.pushpipe(
            arguments: ["run", "-q", "--format", "none", "--store", "phone.db"] + Self.clock + ["in.ndjson"])
        #expect(output.status == 0)
        return folder
    }

    @Test(arguments: ["show", "events"])
    func `A store is drawn to standard output, the same each time`(view: String) throws {
        let folder = try filled()
        let first = try folder.pushpipe("store", view, "--format", "svg", "phone.db")
        #expect(first.status == 0 && first.stderr.isEmpty)
        #expect(first.text.hasPrefix("<svg xmlns=\"http://www.w3.org/2000/svg\"") && first.text.hasSuffix("</svg>\n"))
        #expect(try folder.pushpipe("store", view, "--format", "svg", "phone.db").stdout == first.stdout)
        let page = try folder.pushpipe("store", view, "--format", "html", "phone.db")
        #expect(page.text.hasPrefix("<!DOCTYPE html>") && page.text.contains(first.text))
    }

    @Test func `Devices that are not drawn are counted on standard error`() throws {
        let folder = try filled(devices: 6)
        let all = try folder.pushpipe("store", "show", "--format", "svg", "phone.db")
        #expect(all.stderr == "pushpipe: 2 more devices are not drawn; --device chooses one\n")
        let one = try folder.pushpipe("store", "show", "--format", "svg", "--device", "ab06", "phone.db")
        #expect(one.stderr.isEmpty && one.text.contains("ab06"))
    }

    @Test func `A list has no picture`() throws {
        let output = try filled().pushpipe("store", "list", "--format", "svg", "phone.db")
        #expect(output.status == 2 && output.text.isEmpty)
        #expect(output.stderr.contains("store show draws the screens"))
    }

    @Test(arguments: [("phone.svg", "<svg "), ("phone.html", "<!DOCTYPE html>")])
    func `A run draws into a file, as its ending says`(name: String, beginning: String) throws {
        let folder = try filled()
        try folder.write("old", to: name)
        let output = try folder.pushpipe(
            arguments: ["run", "-q", "--format", "none", "--set", "report.screen-file=\(name)"] + Self.clock + [
                "in.ndjson"
            ])
        #expect(output.status == 0 && output.text.isEmpty)
        #expect(try folder.read(name).hasPrefix(beginning))
    }

    @Test func `A folder or a pipe is not drawn into`() throws {
        let folder = try filled()
        try FileManager.default.createDirectory(atPath: folder.path("folder.svg"), withIntermediateDirectories: false)
        #expect(mkfifo(folder.path("pipe.svg"), 0o600) == 0)
        for (path, reason) in [
            ("folder.svg", "is a directory; name a file in it"), ("pipe.svg", "is not a file that can be replaced"),
        ] {
            let output = try folder.pushpipe("run", "--set", "report.screen-file=\(path)", "in.ndjson")
            #expect(output.status == 2 && output.text.isEmpty)
            #expect(output.stderr.contains("report.screen-file \(path): \(reason)"), "\(output.stderr)")
        }
    }

    @Test(arguments: ["missing/phone.svg", "in.ndjson/phone.svg"])
    func `A file that cannot be written is noticed before the run`(path: String) throws {
        let folder = try filled()
        let output = try folder.pushpipe("run", "--set", "report.screen-file=\(path)", "in.ndjson")
        #expect(output.status == 2 && output.text.isEmpty)
        #expect(output.stderr.contains("report.screen-file \(path)"))
    }

    @Test func `A run draws what its store holds`() throws {
        let folder = try filled()
        let run = ["run", "-q", "--format", "none", "--store", "phone.db", "--set", "report.screen-file=phone.svg"]
        #expect(try folder.pushpipe(arguments: run + Self.clock + ["in.ndjson"]).status == 0)
        #expect(try folder.read("phone.svg").contains(">2 notifications<"))
        #expect(try folder.bytes("phone.svg") == folder.pushpipe("store", "show", "--format", "svg", "phone.db").stdout)
    }

    @Test(arguments: [
        ["run", "--set", "report.screen-file=phone.txt", "in.ndjson"],
        ["run", "--set", "report.screen-file=", "in.ndjson"],
        ["lint", "--format", "svg", "in.ndjson"], ["lint", "--format", "nonsense", "in.ndjson"],
        ["store", "show", "--format", "gif", "phone.db"],
    ])
    func `What cannot be drawn is a usage error`(arguments: [String]) throws {
        let output = try filled().pushpipe(arguments: arguments)
        #expect(output.status == 2 && output.text.isEmpty)
    }

    @Test func `Budgets are drawn, and a message over its limit fails as before`() throws {
        let folder = try filled()
        try folder.write(#"{"aps":{"alert":""# + String(repeating: "x", count: 5000) + #""}}"#, to: "long.json")
        let long = try folder.pushpipe("lint", "-q", "--show", "budgets", "--format", "svg", "long.json")
        #expect(long.status == 1 && long.text.hasPrefix("<svg "))
        #expect(long.text.contains("too many"))
        #expect(try folder.pushpipe("lint", "-q", "--show", "budgets", "--format", "svg", "in.ndjson").status == 0)
    }

    @Test func `Without its program a PNG says how to get it`() throws {
        let output = try filled().pushpipe(
            arguments: ["store", "show", "--format", "png", "phone.db"], environment: ["PATH": "/nowhere"])
        #expect(output.status == 2 && output.text.isEmpty)
        #expect(output.stderr.contains("librsvg2-bin"))
    }

    private static let hasRenderer = ["/usr/bin", "/usr/local/bin", "/opt/homebrew/bin"]
        .contains { FileManager.default.isExecutableFile(atPath: "\($0)/rsvg-convert") }

    @Test(.enabled(if: hasRenderer))
    func `A PNG has two pixels a point`() throws {
        let folder = try filled()
        let svg = try folder.pushpipe("store", "show", "--format", "svg", "phone.db").text
        let png = try folder.pushpipe("store", "show", "--format", "png", "phone.db")
        #expect(png.status == 0)
        // The signature, and the width in the first chunk.
        #expect(png.stdout.prefix(8) == Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]))
        let width = png.stdout.dropFirst(16).prefix(4).reduce(0) { $0 << 8 | Int($1) }
        #expect(svg.contains("width=\"\(width / 2)\""))
    }
}
