import PayloadJSON
import PushModel
import PushStore
import RecordFraming

/// The places of a chunk's records, if its input is a part of a divided one.
struct ChunkPlaces {
    /// The first line of a part.
    struct Header: Equatable {
        var part: PartMark
        /// True if every line of the report has a source, because the original input consists of several files.
        var reportsSources: Bool

        init(part: PartMark, reportsSources: Bool) {
            self.part = part
            self.reportsSources = reportsSources
        }

        /// Nil unless the bytes begin with the first line of a part.
        init?(beginning bytes: UnsafeRawBufferPointer) {
            // SOUND: the line is a part of the bytes, which live during the call.
            guard let end = unsafe bytes.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
            var reader = PlacedRecordReader()
            var scratch = ScratchArena()
            let line = unsafe UnsafeRawBufferPointer(rebasing: bytes[..<end])
            guard unsafe PartHeader.begins(line),
                case .success(let read) = unsafe reader.read(line, &scratch),
                let part = read.place.part
            else { return nil }
            self.init(
                part: PartMark(part: part.part, of: part.parts), reportsSources: read.place.reportsSources)
        }
    }

    /// A record's place. Unlike a `RecordPlace` it owns its texts.
    struct Place {
        /// Number of the record in the original input; nil if only the engine's offset is known, or if the place cannot be read.
        var seq: UInt64?
        var source: RecordSource?
        /// True if this is the first or the last line of a part, or cannot be read: not a record.
        var isRecord = true
        var isEnd = false
        /// Set in the first line of a part.
        var header: Header?
        var offset: StreamOffset?
        /// The hash that decides the part of each message, of a record with several: before anything is redacted.
        var deviceHashes: [UInt64] = []
        /// True if the store has the record already.
        var isSkipped = false
        /// True if the first line about the record is in the report of another part.
        var isElsewhere = false
        /// The problem with the place.
        var failure: DecodeFailure?
        /// Of the parts that have a record, one counts it.
        var isCounted: Bool { isRecord && !isSkipped && !isElsewhere }
    }

    /// By record of the chunk.
    var places: [Place] = []
    /// Number of each record in the store, and its position in the run; set when the chunk is delivered.
    var sequences: [UInt64] = []
    var positions: [UInt64] = []
    /// Indices of messages whose lines are not reported.
    var hidden: Set<Int> = []
    /// True if every line has its source.
    var reportsSources = false

    /// Records of this part, and those that the store had already.
    var recordCount: Int { places.count { $0.isCounted } }
    var skippedCount: Int { places.count { $0.isSkipped } }
}
