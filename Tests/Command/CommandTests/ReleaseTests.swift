import Foundation
import TestSupport
import Testing

/// What earlier releases wrote. `Scripts/release-fixtures.sh` keeps it for each of them, and no later version may need more than that, or say
/// less about it.
struct ReleaseTests {
    /// The folders of the releases.
    static let releases = Place.package.appendingPathComponent("Tests/Command/CommandTests/Releases")
    static let versions = ((try? FileManager.default.contentsOfDirectory(atPath: releases.path)) ?? [])
        .filter { $0.first?.isNumber == true }.sorted()

    /// The files of a release, in a folder where they may be changed.
    private static func folder(_ version: String) throws -> Folder {
        let folder = try Folder()
        let release = releases.appendingPathComponent(version)
        for name in try FileManager.default.contentsOfDirectory(atPath: release.path) {
            try folder.write(try Data(contentsOf: release.appendingPathComponent(name)), to: name)
        }
        return folder
    }

    /// Expects that each line has at least the members of the line that the release wrote, with the same values.
    private static func expect(_ output: Output, has name: String, in folder: Folder) throws {
        let earlier = try folder.read(name).split(separator: "\n").map {
            try JSONDecoder().decode(JSONValue.self, from: Data($0.utf8))
        }
        let now = try output.json()
        try #require(now.count == earlier.count && !now.isEmpty, "\(name): \(output)")
        for (now, earlier) in zip(now, earlier) {
            #expect(now.contains(earlier), "\(name): \(earlier) is now \(now)")
        }
    }

    @Test func `every release since 0.2.0 has its files`() { #expect(Self.versions.contains("0.2.0")) }

    @Test(arguments: versions) func `a store of the release is read and written`(version: String) throws {
        let folder = try Self.folder(version)
        let export = try folder.pushpipe("store", "export", "--complete", "--events", "store.db")
        try Self.expect(export, has: "export.ndjson", in: folder)
        let push = #"{"device":"ab12","topic":"org.example.news","payload":{"aps":{"alert":"A later version"}}}"#
        let run = try folder.pushpipe("run", "-q", "--store", "store.db", stdin: push)
        #expect(try run.outcomes() == ["delivered"], "\(run)")
        let show = try folder.pushpipe("store", "show", "--format", "text", "store.db", "ab12")
        #expect(show.text.contains("A later version"), "\(show)")
    }

    @Test(arguments: versions) func `the input of the release gives its report`(version: String) throws {
        let folder = try Self.folder(version)
        let run = try folder.pushpipe("run", "-q", "--clock", "2026-11-03T20:00:00Z", "input.ndjson")
        try Self.expect(run, has: "report.ndjson", in: folder)
    }

    @Test(arguments: versions) func `a configuration of the release is valid and has the same findings`(version: String)
        throws
    {
        let folder = try Self.folder(version)
        let lint = try folder.pushpipe("lint", "-q", "--format", "ndjson", "--config", "pushpipe.yml", "lint.ndjson")
        #expect(lint.status == 1 && lint.stderr.isEmpty, "\(lint)")
        try Self.expect(lint, has: "findings.ndjson", in: folder)
    }
}

extension JSONValue {
    /// Whether this value is the other one, and objects in it may have more members. Messages are for people, and may change.
    fileprivate func contains(_ other: JSONValue) -> Bool {
        switch (self, other) {
        case (.object(let members), .object(let others)):
            others.allSatisfy { name, value in
                name == "message" || members[name].map { $0.contains(value) } ?? false
            }
        case (.array(let values), .array(let others)):
            values.count == others.count && zip(values, others).allSatisfy { $0.contains($1) }
        default: self == other
        }
    }
}
