import PayloadJSON
import PushModel

/// Receives the report of a device file: warns about doubtful records, and refuses a record that is not an event.
final class DeviceFileSink: ReportSink {
    let stage = StageTimes.Stage.report
    private let warn: (_ record: UInt64, _ line: Int, _ doubt: String) throws -> Void
    private var record: UInt64 = 0

    /// - Parameter warn: called with the number of a doubtful record, its line in the file, both from 1, and a description.
    init(_ warn: @escaping (_ record: UInt64, _ line: Int, _ doubt: String) throws -> Void) { self.warn = warn }

    func write(_ chunk: borrowing RecordChunk, _ forEachLine: LineSource, _ counter: SummaryCounter) throws {
        try forEachLine { line in
            // Lines about messages and tokens follow the line of an event and have no record of their own.
            if line.note?.isConsequence == true { return }
            record += 1
            for finding in line.findings {
                let member = finding.pointer.isEmpty ? "" : "\(finding.pointer): "
                try warn(record, line.source?.position.line ?? 1, member + finding.message)
            }
            guard let failure = line.decodeFailure else { return }
            let position = line.source?.position(of: failure.position) ?? failure.position
            throw DeviceFileError(record: record, at: position, message: failure.message)
        }
    }

    func flush() {}
}
