/// Hands the payloads of records to a reader.
package final class PayloadWalk {
    private let run: LintRun
    private let text = LintText()
    private let cutter: RecordCutter
    private var finder: RecordFinder
    /// Records that are not JSON, which are left out.
    package private(set) var malformed = 0

    /// - Parameter options: how records are read.
    package init(_ options: LintOptions, _ reader: any PayloadReader) {
        run = LintRun(options.decoding, [reader])
        finder = RecordFinder(options.decoding.location)
        cutter = RecordCutter(framing: options.framing, maximumRecordBytes: options.maximumRecordBytes)
    }

    /// Reads all records of a text.
    package func read(_ text: [UInt8]) {
        // SOUND: the pieces are ranges of these bytes, which live until the closure returns.
        unsafe text.withUnsafeBytes { bytes in
            for piece in unsafe cutter.pieces(of: bytes) {
                guard case .record(let range) = piece else { continue }
                let line = unsafe UnsafeRawBufferPointer(rebasing: bytes[range])
                _ = unsafe finder.withRecord(in: line) { record, _ in
                    unsafe self.text.read(record)
                    guard let root = self.text.root else {
                        malformed += 1
                        return
                    }
                    run.restart()
                    run.checkRecord(root)
                }
            }
        }
    }
}
