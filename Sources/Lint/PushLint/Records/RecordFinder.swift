import PayloadJSON
import PushDecoding

/// Finds the records in lines, as `DecodingOptions.location` says.
struct RecordFinder: ~Copyable {
    /// Nil if lines are records.
    private var locator: RecordLocator?
    /// The contents of strings in a line.
    private var scratch = ScratchArena()

    init(_ location: RecordLocation?) { locator = location.map { RecordLocator($0) } }

    /// Passes the record in a line to `body`, and where it is unless the line is the record.
    ///
    /// - Returns: nil if there is none.
    mutating func withRecord<Result>(
        in line: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer, LocatedRecord?) -> Result
    ) -> Result? {
        // SOUND: the caller vouches for the line; the scratch memory does not change until `body` has returned.
        guard locator != nil else { return unsafe body(line, nil) }
        scratch.reset()
        switch unsafe locator?.locate(in: line, &scratch) {
        case .nothing: return nil
        case .found(let record): return unsafe body(record.text.bytes, record)
        case .whole, nil: return unsafe body(line, nil)
        }
    }
}
