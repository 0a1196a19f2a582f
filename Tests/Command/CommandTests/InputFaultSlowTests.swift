import Foundation
import TestSupport
import Testing

/// Large input that changes while it is read.
struct InputFaultSlowTests {
    private let folder: Folder

    init() throws { folder = try Folder() }

    @Test(arguments: ["--store s.db", ""], ["second.ndjson", "- < second.ndjson"])
    func `an input that is truncated during the run is reported`(store: String, input: String) throws {
        // 36 MB, of which a run whose report is not read takes 16 MiB at most. After its first line it has taken more than 1000 bytes.
        try folder.writeRecords(60_000, to: "second.ndjson")
        let output = try folder.shell(
            """
            mkfifo report; pushpipe run -q --jobs 1 \(store) \(input) > report & run=$!
            exec 3< report; read -r line <&3; echo "$line"
            dd if=/dev/null of=second.ndjson bs=1000 seek=1 2> said; cat <&3; wait $run
            """)
        output.expectTrouble(
            "truncated while it was read, to 1000 bytes; it had ", "run again when the file is complete")
        // What was processed is no longer there, so nothing can resume after it.
        #expect(!output.stderr.contains("--resume"))
        #expect(output.lines.count < 60_000)
        if !store.isEmpty { try folder.expectConsistent("s.db", reported: output) }
    }
}
