package import PushDecoding
import PushDevices
import PushFraming
package import PushJSON
import PushModel
import PushSystem

/// A part of an input: complete records, and the results of decoding and the record-local stages. Valid for the duration of the call that
/// provides it.
package struct RecordChunk: ~Copyable {
    /// The position of a record in `input`.
    enum Frame {
        case record(Range<Int>)
        /// A record whose text is not in `input` as it is, and where it begins there.
        case copied(BorrowedText, start: Int)
        /// A line without a record (`RecordLocation`), and where it begins.
        case nothing(start: Int)
        /// A record over the limit, of which only the limit and the position where it was exceeded are known.
        case tooLong(start: Int, offset: Int, position: TextPosition)
    }

    /// The contents of a record's line, where records are located.
    enum Location {
        case record
        /// Something else than the record, which is reported.
        case other
        case nothing
    }

    var input = InputBuffer()
    var frames: [Frame] = []
    /// The contents of each line, where records are located. Lines from a division on are not counted.
    var locations: [Location] = []
    /// Lines without a record, and those with one, where records are located.
    package var emptyLines: Int { locations.prefix(frames.count).count { $0 == .nothing } }
    package var locatedRecords: Int { locations.prefix(frames.count).count { $0 == .record } }
    /// The time that each line says, in milliseconds since the epoch, if they are read; `Int64.min` for a line without one.
    var recordTimes: [Int64] = []
    /// Lines with something whose time is unknown. Lines from a division on are not counted.
    var untimedRecords: Int {
        zip(frames, recordTimes).count { if case .nothing = $0 { false } else { $1 == .min } }
    }
    /// Borrows from `input`.
    package var batch = MessageBatch()
    /// The error of a record stage, which ends the run when it is the chunk's turn.
    var stageFailure: StageFailure?
    let lines = ReportLines()
    /// The report, if it is composed before the chunk is taken, and its counts.
    var report = ByteBuffer()
    var summary = RunSummary()
    /// The place where the input continues after this chunk; nil unless checkpoints are kept.
    var end: InputProgress?
    /// How its records were found, if they may have to be found again, and the lines in which records were located.
    var beginning: Beginning?
    var lineFrames: [Frame] = []
    /// The records that another transaction delivers; nil unless the chunk was divided.
    var rest: Rest?
    /// The input, if places in it are reported, and where the chunk begins there.
    var source: InputSource?
    var start = InputPlace()
    /// The number of its first record in the report.
    package var firstSequence: UInt64 { lines.firstSequence }
    /// The number of its first record in the input, from 1 on.
    package var firstNumber: Int { Int(truncatingIfNeeded: start.records) &+ 1 }
    /// How its records are told apart.
    var framing = Framing.auto
    /// Where its records are in their lines; nil if these are the records.
    var location: RecordLocation?
    /// True if the texts of records are needed after the record stages.
    var keepsRecords = false
    /// The texts of records without what is hidden, if there is a `RedactionStage` and they are needed. Empty for a record whose contents
    /// are unknown.
    var redactedRecords: [Int: BorrowedText] = [:]
    /// True if the input is a part of a divided one, and what the places of the records say.
    var isPlaced = false
    var places: ChunkPlaces?
    /// Filled only when messages are traced.
    var traces = ChunkTraces()
    /// The data that a `ChunkComposer` keeps for the chunk. It stays when the chunk is emptied, so that its memory is used again.
    package var attachment: AnyObject?

    /// Number of records, including malformed ones and events.
    package var recordCount: Int { frames.count }

    /// The position of its last record in the run.
    ///
    /// - Parameter before: the number of records before it, unless they have places.
    func lastPosition(after before: UInt64) -> UInt64 {
        places?.positions.last ?? before &+ UInt64(frames.count)
    }

    /// The input bytes of a record; nil for one over the limit. Valid for the duration of the stage's call.
    package func text(ofRecord record: Int) -> BorrowedText? {
        // SOUND: a frame's range is within the input, which the chunk owns.
        if case .copied(let text, _) = frames[record] { return text }
        guard let bytes = unsafe bytes(ofRecord: record), let base = bytes.baseAddress else { return nil }
        return unsafe BorrowedText(start: base.assumingMemoryBound(to: UInt8.self), count: bytes.count)
    }

    /// The input bytes of a record as untyped bytes; nil for one over the limit.
    package func bytes(ofRecord record: Int) -> UnsafeRawBufferPointer? {
        // SOUND: a frame's range is within the input, which the chunk owns.
        switch frames[record] {
        case .record(let range): return unsafe UnsafeRawBufferPointer(rebasing: input.bytes[range])
        case .copied(let text, _): return unsafe text.bytes
        case .nothing, .tooLong: return nil
        }
    }

    /// The place where a record over the limit exceeded it: in bytes from its first byte, and as a line and a column. Nil for any other record.
    package func excess(ofRecord record: Int) -> (offset: Int, position: TextPosition)? {
        guard case .tooLong(_, let offset, let position) = frames[record] else { return nil }
        return (offset, position)
    }

    /// The composed report. Valid until the next chunk is composed.
    var reportText: BorrowedText? {
        // SOUND: the bytes stay as they are until then.
        let bytes = unsafe report.bytes
        return unsafe bytes.baseAddress.map {
            unsafe BorrowedText(start: $0.assumingMemoryBound(to: UInt8.self), count: bytes.count)
        }
    }

    /// Removes the records. Their results stay until `removeResults`.
    mutating func removeRecords() {
        frames.removeAll(keepingCapacity: true)
        input.removeAll()
        beginning = nil
        end = nil
        rest = nil
        if isPlaced { (isPlaced, places, lineFrames) = (false, nil, []) }
    }

    mutating func removeResults() {
        batch.removeAll()
        stageFailure = nil
        lines.removeAll()
        if !locations.isEmpty { (locations, lineFrames) = ([], []) }
        if !recordTimes.isEmpty { recordTimes.removeAll(keepingCapacity: true) }
        if !redactedRecords.isEmpty { redactedRecords.removeAll(keepingCapacity: true) }
        if !traces.decoded.isEmpty { traces = ChunkTraces() }
    }
}

/// A chunk that takes more than one transaction, because its records have too many consequences. A few thousand messages to a topic may have a
/// million subscribers.
extension RecordChunk {
    /// How the records of a chunk were found.
    struct Beginning {
        /// The framer before the first of them.
        var framer: Framer
        /// The place of the first of them in the input; nil unless checkpoints are kept.
        var progress: InputProgress?
    }

    /// The records of a divided chunk that are delivered next.
    struct Rest {
        /// The records as they were cut, within the bytes of the whole chunk.
        var frames: [Frame]
        /// Number of bytes before them.
        var start: Int
        var framer: Framer
        var end: InputProgress?
    }

    /// Leaves the records from that of a message on to another transaction: the chunk ends before them, as if it had been cut there.
    /// O(bytes).
    ///
    /// - Parameter index: that of the message.
    /// - Returns: true if it was possible. It is not for a part of a divided input, whose records have numbers of their own.
    mutating func divide(beforeMessage index: Int) -> Bool {
        // SOUND: the index is that of a message, and the framer is given the bytes that it was given before.
        let record = unsafe batch.messages[index].record
        guard !isPlaced, let beginning, record > 0, record < frames.count else { return false }
        var framer = beginning.framer
        var found = 0
        var length = 0
        while found < record {
            let bytes = unsafe UnsafeRawBufferPointer(rebasing: input.bytes[length...])
            switch unsafe framer.next(in: bytes, isEnd: false) {
            case .record(_, let consumed), .tooLong(_, let consumed):
                found += 1
                length += consumed
            case .skip(let consumed): length += consumed
            case .needsMore, .end: return false
            }
        }
        rest = Rest(
            frames: Array((lineFrames.isEmpty ? frames : lineFrames)[record...]), start: length, framer: framer,
            end: end)
        frames.removeLast(frames.count - record)
        batch.removeMessages(from: index)
        lines.keepFirst(index)
        guard var progress = beginning.progress else { return true }
        unsafe progress.advance(
            over: UnsafeRawBufferPointer(rebasing: input.bytes[..<length]), records: record, framer.standing)
        end = progress
        return true
    }

    /// Turns to the records that were left to another transaction. They must be decoded again.
    mutating func continueWithRest() {
        // SOUND: the rest begins within the input.
        guard let rest else { return }
        start.records &+= UInt64(frames.count)
        if source != nil { unsafe start.advance(by: rest.start, in: input.bytes) }
        beginning = Beginning(framer: rest.framer, progress: end)
        end = rest.end
        removeResults()
        input.drop(rest.start)
        frames = rest.frames.map { $0.moved(by: -rest.start) }
        self.rest = nil
    }
}

extension RecordChunk.Frame {
    /// The frame of the record in an input with more or fewer bytes before it.
    func moved(by distance: Int) -> RecordChunk.Frame {
        switch self {
        case .record(let range): .record(range.lowerBound + distance..<range.upperBound + distance)
        case .copied(let text, let start): .copied(text, start: start + distance)
        case .nothing(let start): .nothing(start: start + distance)
        case .tooLong(let start, let offset, let position):
            .tooLong(start: start + distance, offset: offset, position: position)
        }
    }
}

/// Cuts an input into chunks: collects bytes, and finds the whole records in them.
struct ChunkCutter: ~Copyable {
    private let configuration: PipelineConfiguration
    private var framer: Framer
    /// Bytes read and not yet cut off.
    var input = InputBuffer()
    var recordLimit = Int.max
    /// Number of elements of arrays after which a chunk ends, with the record that they are in. Each may be a target, which has a message and a
    /// report line of its own: hundreds of bytes in memory, however short it is.
    var elementLimit = Int.max
    /// Number of records after which a chunk ends: short ones take much more memory than their bytes.
    var mostRecords = Int.max
    /// True if the last chunk ended for one of these reasons, so that there may be more records.
    private(set) var isCutShort = false
    /// Number of bytes of the input that have been cut off.
    private(set) var length: UInt64 = 0
    /// How much of the input has been cut off; nil unless progress is tracked.
    private(set) var progress: InputProgress?
    /// The input, if places in it are reported, and how much of it has been cut off.
    private(set) var source: InputSource?
    private var place = InputPlace()
    /// True if the input is a part of a divided one; nil before its first record is known.
    private var isPlaced: Bool?
    private var location: RecordLocation?
    /// True until the beginning of the input has shown where its records are.
    private var isUnrecognized: Bool
    /// True if the input has no more bytes for now.
    var isPaused = false
    /// Called with the place of records in an input that is recognized as a log.
    var didRecognize: ((RecordLocation) -> Void)?

    init(_ configuration: PipelineConfiguration) {
        self.configuration = configuration
        framer = Self.framer(configuration)
        location = configuration.decoding.location
        isUnrecognized = configuration.recognizesLogs
    }

    private static func framer(_ configuration: PipelineConfiguration, isPlaced: Bool = false) -> Framer {
        var limit = min(max(configuration.maximumRecordBytes, 1), PipelineConfiguration.largestMaximumRecordBytes)
        // A record within the limit may be in Base64, and its place has the name of a file.
        if isPlaced { limit = 2 * limit + (64 << 10) }
        return Framer(
            configuration.framing, maximumRecordBytes: limit,
            acceptsRelaxedJSON: configuration.decoding.acceptsRelaxedJSON)
    }

    /// Prepares for another input with its own framing.
    mutating func beginInput() {
        framer = Self.framer(configuration)
        isPlaced = nil
        location = configuration.decoding.location
        isUnrecognized = configuration.recognizesLogs
        length = 0
        progress = nil
        source = nil
        place = InputPlace()
    }

    /// Forgets the bytes that were not cut off. What comes next begins with a record.
    mutating func dropInput() {
        input.removeAll()
        framer = Self.framer(configuration)
    }

    mutating func name(_ source: InputSource?) {
        self.source = source
        place = source?.start ?? InputPlace()
    }

    /// Prepares for an input whose progress is tracked, starting where it was left. No bytes of another input may be pending.
    mutating func beginInput(at progress: InputProgress) {
        beginInput()
        self.progress = progress
        guard progress.offset > 0 else { return }
        if let framing = Framing(rawValue: progress.framing) {
            framer.resume(
                FramerStanding(framing: framing, isDropping: progress.isDropping, isInArray: progress.isInArray))
        }
        guard isUnrecognized else { return }
        // What was found in the beginning holds for the rest, also if that is longer now.
        isUnrecognized = false
        location = progress.location
        location?.isAssumed = configuration.decoding.format == nil
        if let location { didRecognize?(location) }
    }

    /// Continues inside a value that is too long, if the input was left there: how deep that is follows only from what was read before, which
    /// is framed again.
    ///
    /// - Parameter descriptor: the input. Its position is not changed.
    /// - Throws: `PlainError`, `SystemError`.
    mutating func continueInsideValue(of descriptor: FileDescriptor) throws {
        guard let progress, progress.isDropping,
            [Framing.json.rawValue, Framing.array.rawValue].contains(progress.framing)
        else { return }
        // SOUND: each piece is copied, and the framer counts only bytes that it was given.
        var again = Self.framer(configuration)
        var before = InputBuffer()
        var offset: UInt64 = 0
        while offset < progress.offset {
            var piece = [UInt8](repeating: 0, count: Int(min(progress.offset - offset, 1 << 20)))
            let count = try descriptor.read(into: &piece, at: Int64(clamping: offset))
            if count == 0 { break }
            unsafe piece[..<count].withUnsafeBytes { unsafe before.append($0) }
            offset += UInt64(count)
            framing: while true {
                switch unsafe again.next(in: before.bytes, isEnd: false) {
                case .record(_, let consumed), .tooLong(_, let consumed), .skip(let consumed): before.drop(consumed)
                case .needsMore, .end: break framing
                }
            }
        }
        guard again.standing == framer.standing, before.count == 0 else {
            throw PlainError.unfit(
                progress.path,
                "cannot be resumed: the earlier run stopped inside a record that was too long for its limit; "
                    + "resume with the same one")
        }
        framer = again
    }

    /// How most inputs begin, and no log does.
    private static let firstNames = ["aps", "headers"].map { name in
        Array("{\"\(name)\"".utf8)
    }

    /// Looks for the place of the records in the beginning of an input. False if more of it is needed.
    private mutating func recognize(_ beginning: UnsafeRawBufferPointer, isEnd: Bool) -> Bool {
        // SOUND: the bytes are looked at during the call.
        if Self.firstNames.contains(where: { unsafe beginning.starts(with: $0) }) {
            isUnrecognized = false
            return true
        }
        switch unsafe LogRecognition(beginning: beginning, isEnd: isEnd, configuration.decoding) {
        case .undecided: return false
        case .records, .text: break
        case .log(let found):
            location = found
            if found.skipsPrefix {
                framer.resume(FramerStanding(framing: .ndjson, isDropping: framer.standing.isDropping))
            }
            didRecognize?(found)
        }
        isUnrecognized = false
        return true
    }

    /// Drops bytes that no record needs, or that the chunk takes over.
    private mutating func count(_ length: Int, records: Int, lineFeeds: Int?) {
        // SOUND: the framer counts only bytes that it was given, so `length` is within the input.
        self.length &+= UInt64(length)
        place.records &+= UInt64(records)
        if source != nil { unsafe place.advance(by: length, in: input.bytes, lineFeeds: lineFeeds) }
        guard var progress else { return }
        unsafe progress.advance(
            over: UnsafeRawBufferPointer(rebasing: input.bytes[..<length]), records: records, framer.standing)
        progress.location = location
        // As a whole: Swift 6.3 keeps the old place if it is replaced within the optional property.
        self.progress = progress
    }

    /// Moves all complete records into an empty chunk. Returns false if there is none.
    ///
    /// Swaps buffers with the chunk instead of copying; only the start of the next, incomplete record is copied back.
    mutating func cut(into chunk: inout RecordChunk, isEnd: Bool) -> Bool {
        // SOUND: the framer counts only bytes that it was given, so `length` and `start` are within the input, which
        // does not change before the buffers are swapped.
        var length = 0
        var incomplete = 0
        var elements = 0
        if isPlaced == nil { recognizeParts() }
        // While no more comes, what has come is told; later lines may still be those of a log.
        if isUnrecognized, isPlaced != true, unsafe !recognize(input.bytes, isEnd: isEnd), !isPaused { return false }
        chunk.beginning = RecordChunk.Beginning(framer: framer, progress: progress)
        // Once per chunk: this loop runs once per record.
        let endsPart = isEnd && isPlaced ?? false
        let bytes = unsafe input.bytes
        var bracket = -1
        var areLines = true
        let most = min(recordLimit, mostRecords)
        framing: while chunk.frames.count < most, elements < elementLimit {
            if framer.isAmongLines, !endsPart {
                let start = length
                unsafe cutLines(bytes, at: &length, into: &chunk.frames, upTo: most, &elements, &bracket)
                if length > start { continue }
            }
            let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[length...])
            switch unsafe framer.next(in: rest, isEnd: isEnd) {
            case .record(let range, let consumed):
                if endsPart, unsafe isCutOff(rest, range, consumed) {
                    incomplete = consumed
                    break framing
                }
                let record = range.lowerBound + length..<range.upperBound + length
                chunk.frames.append(.record(record))
                length += consumed
                if elementLimit < .max { elements += unsafe Self.mostElements(of: record, in: bytes, &bracket) }
            case .tooLong(let start, let consumed):
                let record = unsafe UnsafeRawBufferPointer(rebasing: rest[start...])
                let offset = min(configuration.maximumRecordBytes, record.count)
                let position = unsafe TextPosition(of: offset, in: record)
                chunk.frames.append(.tooLong(start: length + start, offset: offset, position: position))
                length += consumed
                areLines = false
            case .skip(let consumed):
                length += consumed
                areLines = false
            case .needsMore, .end:
                break framing
            }
        }
        isCutShort = elements >= elementLimit || chunk.frames.count >= mostRecords
        chunk.source = source
        chunk.start = place
        chunk.framing = framer.standing.framing
        chunk.location = location
        if isPlaced == nil { isPlaced = recognizesPart(chunk) }
        chunk.isPlaced = isPlaced ?? false
        // A line has one line feed, except for the last one of an input.
        areLines = unsafe areLines && chunk.framing == .ndjson && length > 0 && bytes[length - 1] == UInt8(ascii: "\n")
        count(length, records: chunk.frames.count, lineFeeds: areLines ? chunk.frames.count : nil)
        guard !chunk.frames.isEmpty else {
            input.drop(length + incomplete)
            return false
        }
        chunk.end = progress
        swap(&input, &chunk.input)
        unsafe input.append(UnsafeRawBufferPointer(rebasing: chunk.input.bytes[(length + incomplete)...]))
        return true
    }

    /// Adds the whole lines from an offset on, which moves past them, up to the first that only the framer can judge: nearly all records of
    /// most streams.
    private func cutLines(
        _ bytes: UnsafeRawBufferPointer, at length: inout Int, into frames: inout [RecordChunk.Frame], upTo most: Int,
        _ elements: inout Int, _ bracket: inout Int
    ) {
        // SOUND: what is left begins within the bytes, or at their end, and so does each line.
        guard let base = bytes.baseAddress else { return }
        while frames.count < most, elements < elementLimit,
            let line = unsafe framer.wholeLine(
                in: UnsafeRawBufferPointer(start: base + length, count: bytes.count &- length))
        {
            let record = unsafe Range(uncheckedBounds: (length, length &+ line.end))
            frames.append(.record(record))
            length &+= line.consumed
            if elementLimit < .max { unsafe elements &+= Self.mostElements(of: record, in: bytes, &bracket) }
        }
    }

    /// How many elements the arrays of a record have at most, besides the first one of each. O(bytes) for a record with an array.
    ///
    /// - Parameter bracket: the first opening bracket from here on; moves on when the record is after it.
    @inline(__always)
    private static func mostElements(
        of record: Range<Int>, in bytes: UnsafeRawBufferPointer, _ bracket: inout Int
    ) -> Int {
        // SOUND: the record is within the bytes.
        guard let base = bytes.baseAddress else { return 0 }
        if bracket < record.lowerBound {
            let rest = bytes.count - record.lowerBound
            let next = unsafe Memory.firstOffset(of: UInt8(ascii: "["), in: base + record.lowerBound, count: rest)
            bracket = next.map { record.lowerBound + $0 } ?? .max
        }
        guard bracket < record.upperBound else { return 0 }
        return unsafe mostElements(of: UnsafeRawBufferPointer(rebasing: bytes[bracket..<record.upperBound]))
    }

    /// How many elements follow an opening bracket in a record at most.
    @inline(never)
    private static func mostElements(of rest: UnsafeRawBufferPointer) -> Int {
        // SOUND: the search stays within the bytes.
        guard let base = rest.baseAddress else { return 0 }
        var end = 0
        while let bracket = unsafe Memory.firstOffset(of: UInt8(ascii: "]"), in: base + end, count: rest.count - end) {
            end += bracket + 1
        }
        var commas = 0
        for index in 0..<end { unsafe commas &+= rest[index] == UInt8(ascii: ",") ? 1 : 0 }
        return commas
    }

    /// True if the last line of a part was cut off: who wrote it was killed. It is no record, and comes again when the part is resumed.
    private func isCutOff(_ rest: UnsafeRawBufferPointer, _ range: Range<Int>, _ consumed: Int) -> Bool {
        // SOUND: both ranges are within the bytes that the framer was given.
        guard consumed == rest.count, range.upperBound == consumed else { return false }
        var scanner = JSONScanner()
        var tape = JSONTape()
        return unsafe scanner.scan(UnsafeRawBufferPointer(rebasing: rest[range]), into: &tape) != nil
    }

    /// Continues a part whose first line has been read. What comes next may be the rest of a line that was not complete then.
    mutating func continuePart() {
        let standing = framer.standing
        framer = Self.framer(configuration, isPlaced: true)
        framer.resume(standing)
        isPlaced = true
    }

    /// Recognizes a part by its first bytes, as they usually are: its lines may be longer than records.
    private mutating func recognizeParts() {
        // SOUND: the bytes are looked at during the call.
        guard [.auto, .ndjson].contains(configuration.framing), readsPlaces else { return }
        let isStream =
            isResumedStream && Self.beginningsInStreams.contains { unsafe input.bytes.starts(with: $0) }
        guard unsafe configuration.expectsPlaces || isStream || PartHeader.begins(input.bytes) else { return }
        let standing = framer.standing
        framer = Self.framer(configuration, isPlaced: true)
        framer.resume(FramerStanding(framing: .ndjson, isDropping: standing.isDropping))
        isPlaced = true
    }

    private var readsPlaces: Bool { configuration.readsPlaces && !configuration.decoding.readsDevices }

    /// True for an engine's stream that is resumed: whoever resumes one says that its records have places.
    private var isResumedStream: Bool { configuration.resumes && progress == nil }

    private static let beginningsInStreams = [
        Array("{\"place\":{\"seq\":".utf8), Array("{\"place\":{\"stream\":".utf8),
    ]

    /// True if the first record is the first line of a part, or has a place in a stream that is resumed; nil if there is none yet.
    private func recognizesPart(_ chunk: borrowing RecordChunk) -> Bool? {
        // SOUND: a frame's range is within the input.
        guard let first = chunk.frames.first else { return nil }
        guard readsPlaces, case .record(let range) = first else { return false }
        let line = unsafe UnsafeRawBufferPointer(rebasing: input.bytes[range])
        if unsafe configuration.expectsPlaces || PartHeader.begins(line) { return true }
        guard isResumedStream else { return false }
        var reader = PlacedRecordReader()
        return unsafe reader.isPlaced(line)
    }
}

extension InputProgress {
    /// Moves on over bytes with a number of whole records. O(count).
    mutating func advance(over bytes: UnsafeRawBufferPointer, records: Int, _ standing: FramerStanding) {
        // SOUND: the bytes are looked at during the call.
        unsafe digest.update(bytes)
        offset += UInt64(bytes.count)
        fileRecords &+= UInt64(records)
        framing = standing.framing.rawValue
        isDropping = standing.isDropping
        isInArray = standing.isInArray
    }
}
