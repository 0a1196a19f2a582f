import Foundation
import TestSupport
import Testing

/// Options that mean the same in all commands: colors, widths and the pager.
struct AppearanceTests {
    private static let long =
        #"{"aps":{"alert":"Your parcel has left the warehouse in Hamburg and arrives on Tuesday at noon"}}"#

    @Test func `--color wins against the environment`() throws {
        let folder = try Folder()
        let run = ["run", "-q", "--format", "text"]
        for (options, environment, hasColors) in [
            ([], [:], false), (["--color", "always"], ["NO_COLOR": "1"], true),
            (["--color=never"], ["FORCE_COLOR": "1"], false), (["--color", "auto"], ["FORCE_COLOR": "1"], true),
        ] as [([String], [String: String], Bool)] {
            let output = try folder.pushpipe(
                arguments: run + options, stdin: Array(Self.long.utf8), environment: environment)
            #expect(output.text.contains("\u{1B}[") == hasColors, "\(options)")
        }
        for command in [["explain", "--rules"], ["explain", "aps.misspelled-key"], ["test", "--list-steps"]] {
            #expect(try folder.pushpipe(arguments: command + ["--color", "always"]).text.contains("\u{1B}["))
        }
        let wrong = try folder.pushpipe("run", "--color", "sometimes")
        #expect(wrong.status == 2)
        #expect(wrong.stderr.contains("auto"))
    }

    @Test func `sizes have units`() throws {
        let folder = try Folder()
        let bytes = Self.long.utf8.count
        for (option, value, outcome) in [
            ("--budget", "\(bytes)", "delivered"), ("--budget", "1K", "delivered"),
            ("--budget", "\(bytes - 1)B", "rejected"),
            ("--set", "input.max-record=1KiB", "delivered"), ("--set", "input.max-record=\(bytes - 1)", "malformed"),
        ] {
            let output = try folder.pushpipe("run", "-q", option, value, stdin: Self.long)
            #expect(try output.values("outcome") == [.string(outcome)], "\(option) \(value)")
        }
    }

    @Test func `--device narrows every list of a store`() throws {
        let folder = try Folder()
        let events = ["ab54", "cd76"].map {
            #"{"event":"device","device":"\#($0)","app":"org.example.app","platform":"ios"}"#
        }
        let pushes = ["ab54", "cd76"].map {
            #"{"device":"\#($0)","headers":{"apns-topic":"org.example.app"},"payload":{"aps":{"alert":"Hi"}}}"#
        }
        let records = (events + pushes).joined(separator: "\n")
        #expect(try folder.pushpipe("run", "-q", "--store", "s.db", stdin: records).status == 0)
        for command in [["store", "list"], ["store", "show"], ["store", "events"], ["store", "devices"]] {
            let output = try folder.pushpipe(arguments: command + ["s.db", "--device", "ab"])
            let devices = try output.values("device")
            #expect(!devices.isEmpty && devices.allSatisfy { $0 == .string("ab54") }, "\(command)")
            #expect(try folder.pushpipe(arguments: command + ["s.db", "--device", "no"]).status == 1)
        }
        #expect(try folder.pushpipe("store", "show", "s.db", "ab", "--device", "ab").status == 2)
        #expect(try folder.pushpipe("store", "show", "s.db", "--device", "").status == 2)
        let noApp = try folder.pushpipe("store", "show", "s.db", "--app", "org.example.nosuch")
        #expect(noApp.status == 1 && noApp.stdout.isEmpty)
        #expect(noApp.stderr == "pushpipe: no app is named org.example.nosuch (pushpipe store list)\n")
        #expect(try folder.pushpipe("generate", "--count", "1", "--record-bytes", "1KiB").text.utf8.count == 1025)
    }

    #if os(Linux)
        @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/script"), "needs script"))
        func `no line is wider than the terminal, unless report.wide asks for it`() throws {
            let folder = try Folder()
            try folder.write(Self.long + "\n", to: "in")
            for (options, widest) in [("", 0...60), ("--set report.wide", 100...400)] {
                let output = try folder.shell(
                    "script -qec 'stty cols 60; pushpipe run -q --color never --screen \(options) in' /dev/null")
                let lines = output.text.split(whereSeparator: \.isNewline)
                #expect(widest.contains(lines.map(\.count).max() ?? 0), "\(output.text)")
                #expect(output.text.contains("╰"))
            }
        }

        @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/script"), "needs script"))
        func `report.pager passes the output through PAGER on a terminal`() throws {
            let folder = try Folder()
            let paged = try folder.shell(
                "PAGER='sed s/^/PAGED:/' script -qec 'pushpipe explain --rules --set report.pager' /dev/null")
            let lines = paged.text.split(whereSeparator: \.isNewline)
            #expect(lines.count > 100)
            #expect(lines.allSatisfy { $0.hasPrefix("PAGED:") })
            #expect(paged.text.contains("\u{1B}["), "as on a terminal, with colors")
            // A reader that leaves ends the output, and that is no error.
            let left = try folder.shell(
                "PAGER='head -1' script -qec 'pushpipe explain --rules --set report.pager' /dev/null")
            #expect(left.status == 0)
            #expect(left.text.split(whereSeparator: \.isNewline).count == 1)
            // Without a program of that name, the terminal shows everything.
            let missing = try folder.shell(
                "PAGER=no-such-pager script -qec 'pushpipe explain --rules --set report.pager' /dev/null")
            #expect(missing.text.split(whereSeparator: \.isNewline).count > 100)
            // In a pipe there is no pager.
            let pipe = try folder.shell("PAGER='sed s/^/PAGED:/' pushpipe explain --rules --set report.pager | cat")
            #expect(!pipe.text.contains("PAGED:"))
        }
    #endif
}
