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
        /// The options of the runs that it was divided for; nil if it does not say.
        var limits: String?

        init(part: PartMark, reportsSources: Bool, limits: String? = nil) {
            self.part = part
            self.reportsSources = reportsSources
            self.limits = limits
        }

        /// Nil unless the bytes begin with the first line of a part.
        ///
        /// - Parameter expectsPlaces: true if that may be a record with a place, as engines write it.
        init?(beginning bytes: UnsafeRawBufferPointer, expectsPlaces: Bool) {
            // SOUND: the line is a part of the bytes, which live during the call.
            guard let end = unsafe bytes.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
            var reader = PlacedRecordReader()
            var scratch = ScratchArena()
            let line = unsafe UnsafeRawBufferPointer(rebasing: bytes[..<end])
            guard unsafe PartHeader.begins(line) || expectsPlaces && reader.isPlaced(line),
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
        /// For which subscriber to a topic the record's message is, and the index of that subscriber.
        var recipient: (device: String, app: String, target: Int)?
        /// Number of subscribers to the topic.
        var recipients: Int?
        /// The device whose Live Activity the record's message is for, if another record's start names it.
        var owner: String?
        /// True if the record belongs to another part.
        var isCopy = false
        /// The input of the part function for a broadcast's own device: its name before anything is redacted. Nil for other records.
        var deviceHash: UInt64?
        /// True if this is the first or the last line of a part, or cannot be read: not a record.
        var isRecord = true
        var isEnd = false
        /// Set in the first line of a part.
        var header: Header?
        var offset: StreamOffset?
        /// True if the store has the record already.
        var isSkipped = false
        /// The problem with the place.
        var failure: DecodeFailure?
        /// Index of the target, and whether the record is counted: that of several targets or subscribers is counted once.
        var target: Int?
        var isCounted: Bool { isRecord && !isCopy && !isSkipped && recipient == nil && target ?? 0 == 0 }
    }

    /// By record of the chunk.
    var places: [Place] = []
    /// Number of each record in the store, and its position in the run; set when the chunk is delivered.
    var sequences: [UInt64] = []
    var positions: [UInt64] = []
    /// Indices of messages whose lines are not reported.
    var hidden: Set<Int> = []
    /// Indices of messages whose lines are reported by another part as well, and counted there.
    var uncounted: Set<Int> = []
    /// True if every line has its source.
    var reportsSources = false

    /// Records of this part, and those that the store had already.
    var recordCount: Int { places.count { $0.isCounted } }
    var skippedCount: Int { places.count { $0.isSkipped } }
}
