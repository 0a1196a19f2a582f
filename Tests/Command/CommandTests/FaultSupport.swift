import Foundation
import TestSupport
import Testing

extension Folder {
    /// After every fault, SQLite's integrity check passes and the store's journal has the reported notifications.
    func expectConsistent(
        _ store: String, reported: Output? = nil, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let check = try shell("sqlite3 \(store) 'PRAGMA integrity_check'")
        #expect(check.text == "ok\n", "\(check.stderr)", sourceLocation: sourceLocation)
        guard let reported else { return }
        let kept = try shell("sqlite3 \(store) 'SELECT seq, identifier FROM events ORDER BY seq, identifier'").lines
        #expect(kept == (try reported.deliveries()), sourceLocation: sourceLocation)
    }

    /// All contents of a store as text.
    func contents(of store: String) throws -> String {
        try shell("sqlite3 \(store) 'SELECT * FROM on_screen; SELECT * FROM events; SELECT * FROM badges'").text
    }

    /// Visible records, a few per device, none of which replaces another.
    @discardableResult
    func writeRecords(_ count: Int, bytes: Int = 600, to name: String) throws -> String {
        let filler = String(repeating: "x", count: bytes)
        return try write((1...count).map { apns("\($0) \(filler)", device: "ab\(10 + $0 % 50)") }.joined(), to: name)
    }
}

extension Output {
    /// `seq|identifier` of what was reported as shown, whole lines only.
    func deliveries() throws -> [String] {
        let whole = stdout.lastIndex(of: UInt8(ascii: "\n")).map { stdout[...$0] } ?? Data()
        return try Output(stdout: whole, stderr: "", status: 0).json().compactMap { line in
            guard case .number(let seq) = line["seq"], let identifier = line["identifier"]?.string else { return nil }
            return "\(Int(seq))|\(identifier)"
        }
    }

    /// An error is one line that names the place, the reason, and what to do.
    func expectTrouble(_ parts: String..., status: Int32 = 2, sourceLocation: SourceLocation = #_sourceLocation) {
        #expect(self.status == status, "\(stderr)", sourceLocation: sourceLocation)
        #expect(stderr.hasPrefix("pushpipe: "), "\(stderr)", sourceLocation: sourceLocation)
        #expect(stderr.split(separator: "\n").count == 1, "\(stderr)", sourceLocation: sourceLocation)
        for part in parts { #expect(stderr.contains(part), "\(stderr)", sourceLocation: sourceLocation) }
    }
}

/// What the machine that runs the tests permits.
enum Machine {
    /// Whether the command is built with a sanitizer, which Scripts/sanitize.sh sets options for.
    static let isSanitized = ["ASAN_OPTIONS", "TSAN_OPTIONS"].contains {
        ProcessInfo.processInfo.environment[$0] != nil
    }

    /// Words before a command that drop the superuser's right to bypass permissions; nil when that is not possible.
    static let heedingPermissions: String? = {
        guard getuid() == 0 else { return "" }
        let words = "setpriv --bounding-set=-dac_override,-dac_read_search"
        guard let folder = try? Folder(), (try? folder.shell("\(words) true"))?.status == 0 else { return nil }
        return words
    }()

    /// Whether a file system of its own can be mounted, which only the superuser of a whole machine may.
    static let canMount: Bool = {
        guard getuid() == 0, let folder = try? Folder() else { return false }
        return (try? folder.shell("mkdir m && unshare --mount sh -c 'mount -t tmpfs none m'"))?.status == 0
    }()

    /// Whether there is a device that has no room.
    static let hasFullDevice = FileManager.default.fileExists(atPath: "/dev/full")

    /// Whether the system describes processes in `/proc`.
    static let hasProc = FileManager.default.fileExists(atPath: "/proc/self/status")

    /// Shell that waits, given the id of a process, until the process is idle: all its threads sleep, and none of
    /// them has run between two looks. Needs `/proc`.
    static let untilAsleep = """
        threads() { grep -hE '^(State|voluntary_ctxt|nonvoluntary_ctxt)' /proc/$1/task/*/status; }
        until_asleep() {
            local before= now=
            while now=$(threads $1); do
                case $now in *"State:"*[RD]" ("*) ;; "$before") return ;; esac
                before=$now
            done
        }
        until_asleep
        """
}
