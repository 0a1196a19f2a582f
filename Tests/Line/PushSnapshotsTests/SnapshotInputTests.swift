import Foundation
import PushRuns
import TestSupport
import Testing

@testable import PushSnapshots

/// What is run, for whom, and by which rules.
struct SnapshotInputTests {
    private static let hello = #"{"aps":{"alert":"Hello"}}"# + "\n"
    private static let misspelled = #"{"aps":{"alert":"Hi","mutable_content":1}}"# + "\n"

    private func folder(_ files: [String: String]) throws -> InputFolder {
        let folder = try InputFolder()
        for (name, text) in files { try folder.write(text, to: name) }
        return folder
    }

    @Test func `each file has the rules of the configuration nearest to it`() throws {
        let folder = try folder([
            "a.json": Self.misspelled, "sub/b.json": Self.misspelled, "sub/.pushpipe.yml": "lint:\n  ignore: aps\n",
            "z.json": Self.misspelled,
        ])
        _ = try folder.snapshot(update: true, delivery: { $0.appliesRules = true })
        for (name, hasFinding) in [("a.json", true), ("sub/b.json", false), ("z.json", true)] {
            let text = try folder.read(name + ".phone")
            #expect(text.contains("finding: error aps.misspelled-key") == hasFinding, "\(name)")
        }
    }

    // Only tokens of APNs are the same in capitals.
    @Test func `devices whose names differ in case have a screen each`() throws {
        let token = String(repeating: "AB", count: 32)
        let records =
            ["Anna", "Phone", "phone"].map { #"{"to":"\#($0)","notification":{"title":"Hello"}}"# }
            + [token, token.lowercased()].map { #"{"device":"\#($0)","payload":{"aps":{"alert":"Hello","badge":1}}}"# }
        let folder = try folder(["a.ndjson": records.joined(separator: "\n")])
        _ = try folder.snapshot(update: true)
        let lines = try folder.read("a.ndjson.phone").split(separator: "\n").filter { $0.hasPrefix("screen of ") }
        #expect(lines.prefix(3) == ["screen of Anna", "screen of Phone", "screen of phone"])
        #expect(lines.count == 4)
    }

    @Test func `devices that look alike are numbered`() throws {
        let tokens = ["12345678", "87654321", "12345678"].map {
            String(repeating: "ab", count: 8) + $0 + String(repeating: "cd", count: 20)
        }
        let records = tokens.map { #"{"device":"\#($0)","payload":{"aps":{"alert":"Hello"}}}"# }
        let folder = try folder(["a.ndjson": records.joined(separator: "\n")])
        _ = try folder.snapshot(update: true)
        let lines = try folder.read("a.ndjson.phone").split(separator: "\n").map(String.init)
        #expect(
            lines.filter { $0.hasPrefix("  device: ") }
                == ["  device: abababab…cdcd", "  device: abababab…cdcd (2)", "  device: abababab…cdcd"])
        #expect(
            lines.filter { $0.hasPrefix("screen of ") } == ["screen of abababab…cdcd", "screen of abababab…cdcd (2)"])
    }

    @Test func `a link to another file is replaced, and not that file`() throws {
        let folder = try folder(["a.json": Self.hello, "precious.txt": "precious"])
        try FileManager.default.createSymbolicLink(
            atPath: folder.path("a.json.phone"), withDestinationPath: "precious.txt")
        _ = try folder.snapshot(update: true)
        #expect(try folder.read("precious.txt") == "precious")
        #expect(try folder.read("a.json.phone").hasPrefix("pushpipe snapshot"))
    }

    @Test func `somebody else's file makes no input of the file beside it`() throws {
        let foreign = "+49 30 1234\n"
        let folder = try folder([
            "contacts": "Anna", "contacts.phone": foreign, "Assets/a.txt": "", "Assets.phone": foreign,
            "package.json": #"{"name":"shop"}"#, "package.json.phone": foreign, "hello.json": Self.hello,
        ])
        let lines = try folder.snapshot(update: true).lines
        #expect(lines.filter { !$0.hasPrefix(" ") } == ["added      hello.json"])
        for name in ["contacts", "Assets", "package.json"] { #expect(try folder.read(name + ".phone") == foreign) }
        #expect(try folder.snapshot("contacts.phone").outcome == .init(isEmpty: true))
    }

    @Test func `a file that an option names is not an input because it was approved`() throws {
        let devices = #"{"event":"device","device":"a"}"# + "\n"
        let folder = try folder(["devices.ndjson": devices, "hello.json": Self.hello])
        _ = try folder.snapshot("devices.ndjson", update: true)
        let run = try folder.snapshot(delivery: { $0.devicesPath = folder.path("devices.ndjson") })
        #expect(run.notes.hasPrefix("1 new\n"))
    }

    @Test func `what fills more than an approved file may have is not collected`() throws {
        let record = #"{"aps":{"alert":"\#(String(repeating: "x", count: 4000))"}}"# + "\n"
        let folder = try folder(["a.ndjson": String(repeating: record, count: 4500)])
        let run = try folder.snapshot(update: true)
        #expect(run.outcome == .init(hasUnreadable: true))
        #expect(run.notes.hasPrefix("pushpipe: a.ndjson: its snapshot is larger than 16 MiB"))
        #expect(folder.names == ["a.ndjson"])
    }
}
