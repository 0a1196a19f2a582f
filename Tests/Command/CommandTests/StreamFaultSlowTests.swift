import Foundation
import TestSupport
import Testing

/// A report that nobody reads for a while.
struct StreamFaultSlowTests {
    private let folder: Folder

    init() throws { folder = try Folder() }

    /// Largest resident memory and what has been read of the input, while nobody reads the report and once all of it is read.
    ///
    /// A second input, a FIFO that nobody opens yet, keeps the run from ending before it is measured.
    @Test(
        .enabled(if: Machine.hasProc, "needs /proc"),
        .enabled(if: !Machine.isSanitized, "a sanitizer takes memory of its own"),
        arguments: Effort.some([("2", ""), ("1", ""), ("1", "--store s.db"), ("2", "--store s.db")], fast: 2))
    func `memory stays bounded while standard output is blocked`(jobs: String, store: String) throws {
        // 64 MB, of which nothing is shown, so that it is not the screens that take memory.
        let record =
            Array(#"{"aps":{"content-available":1},"x":"\#(String(repeating: "x", count: 560))"}"#.utf8) + [0x0A]
        let count = 107_000
        try folder.write(Array(repeatElement(record, count: count).joined()), to: "large.ndjson")
        let output = try folder.shell(
            """
            mkfifo last report
            pushpipe run -q --jobs \(jobs) \(store) large.ndjson last > report & run=$!
            exec 3< report
            \(Machine.untilAsleep) $run
            grep VmHWM /proc/$run/status | tr -dc 0-9; echo
            for file in /proc/$run/fd/*; do
                if [ "$(readlink $file)" = "$PWD/large.ndjson" ]; then grep pos: ${file/fd/fdinfo} | tr -dc 0-9; echo; fi
            done
            head -n \(count) <&3 | tail -n 1
            grep VmHWM /proc/$run/status | tr -dc 0-9; echo
            : > last
            wait $run; echo $?
            """)
        try #require(output.lines.count == 5, "\(output.text)\(output.stderr)")
        let peaks = [output.lines[0], output.lines[3]].compactMap { Int($0) }  // KiB
        try #require(peaks.count == 2)
        // 64 KiB of a pipe, and the chunks in flight: 256 KiB each, 4 MiB with a store.
        let position = try #require(Int(output.lines[1]))
        #expect(position < 32 << 20)
        #expect(output.lines[2].hasPrefix("{\"seq\":\(count),"))
        #expect(output.lines[4] == "0")
        // Measured: 21 to 29 MiB, with a store 43 to 74. The whole input would add 61 to what the run takes otherwise.
        let bound = (store.isEmpty ? 48 : 96) << 10
        #expect(peaks.allSatisfy { $0 < bound }, "\(peaks), \(position)")
        if !store.isEmpty { try folder.expectConsistent("s.db") }
    }
}
