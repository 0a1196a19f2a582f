import PayloadJSON
import PushDecoding
import PushDevices
import PushModel
package import PushPipeline
import PushSystem
import RecordFraming

/// Divides records by device: says for each which part it is for, and writes it there with its place in the input.
///
/// Pure, except for the machine's clock if the configuration has no other. Call `begin`, then let a `DecodedInput` do its work on any number of
/// inputs, and call `end`. What records need to know of those before them is kept here: subscriptions to topics, Live Activities, and which
/// devices can be reached.
///
/// `Documentation/reference/placed-records.md` has the rules.
package final class Partitioner: ChunkWork {
    package let composer: any ChunkComposer
    package private(set) var summary: PartitionSummary
    var devices: KnownDevices
    var owners: ActivityOwners
    /// Reads messages again as devices of other platforms get them; nil before there is one.
    var platforms: PlatformReader?
    let decoding: DecodingOptions
    private let policy: DevicePolicy
    var reader: LiveActivityReader? = LiveActivityReader()
    let function: PartFunction
    let clock: PipelineClock
    /// The device of records that name none.
    let defaultDevice: String
    /// Milliseconds by which events have advanced the clock.
    var clockOffset: Int64 = 0
    /// The number of the last record of the chunks that have begun.
    private var begun: UInt64
    /// The number of the record before the first one.
    private let before: UInt64
    private let writesSources: Bool
    private let output: any PartOutput
    private var line = ByteBuffer()
    /// Of the chunk that is finished, in order; nil before they are needed.
    private var messagesWithFindings: [Int]?
    private var scanner = JSONScanner()
    private var tape = JSONTape()

    /// - Parameters:
    ///   - configuration: how records are read, and the clock by which tokens die.
    ///   - firstSequence: the number of the first record, from 1; larger in a slice of a larger input.
    ///   - writesSources: true if places include the record's position in its input.
    package init(
        _ configuration: PipelineConfiguration, parts: Int, from firstSequence: UInt64 = 1, writesSources: Bool = true,
        to output: any PartOutput
    ) {
        function = PartFunction(parts: parts)
        before = max(firstSequence, 1) &- 1
        begun = before
        self.writesSources = writesSources
        composer = PartComposer(
            function: function, acceptsRelaxedJSON: configuration.decoding.acceptsRelaxedJSON,
            writesSources: writesSources)
        summary = PartitionSummary(parts: function.parts)
        clock = configuration.clock
        defaultDevice = configuration.decoding.device
        policy = configuration.devicePolicy
        devices = KnownDevices(policy)
        owners = ActivityOwners(configuration.decoding, prioritiesPerHour: policy.activityUpdatesPerHour)
        decoding = configuration.decoding
        self.output = output
    }

    /// Sets what is known before the first record.
    ///
    /// - Parameter clockOffset: milliseconds by which events have advanced the clock.
    package func begin(with devices: KnownDevices, clockOffset: Int64) {
        self.devices = devices
        self.devices.enforce(policy)
        self.clockOffset = clockOffset
    }

    // MARK: - First and last lines

    /// Writes the first line of each part.
    ///
    /// - Parameter reportsSources: true if every report line has its source, because there are several inputs.
    package func begin(reportsSources: Bool = false) throws {
        for part in 0..<function.parts {
            var place = RecordPlace(seq: 0)
            place.part = RecordPlace.Part(part, of: function.parts)
            place.reportsSources = reportsSources
            place.limits = policy.limits
            try append(place, part: part, position: 0, seq: 0)
        }
    }

    /// Writes the last line of each part.
    package func end() throws {
        for part in 0..<function.parts {
            var place = RecordPlace(seq: before &+ summary.records)
            place.isEnd = true
            try append(place, part: part, position: 0, seq: before &+ summary.records &+ 1)
        }
    }

    private func append(_ place: RecordPlace, part: Int, position: Int, seq: UInt64) throws {
        // SOUND: there is no record.
        line.removeAll()
        unsafe PlacedRecordWriter.append(place, record: nil, isJSON: true, to: &line)
        line.append(UInt8(ascii: "\n"))
        try line.withText { try output.append($0, part: part, seq: seq, position: position) }
    }

    // MARK: - Chunks

    package func begin(_ chunk: inout RecordChunk) {
        let placed = chunk.attachment as? PlacedChunk ?? PlacedChunk()
        placed.begin(at: begun &+ 1)
        begun &+= UInt64(chunk.recordCount)
        chunk.attachment = placed
    }

    package func flush() throws { try output.flush() }

    package func finish(_ chunk: inout RecordChunk) throws {
        // SOUND: each line is between the ends of two entries, and the buffer stays as it is.
        guard let placed = chunk.attachment as? PlacedChunk else { return }
        messagesWithFindings = nil
        var writer: RecordWriter?
        var events = chunk.batch.events[...]
        var start = 0
        for entry in placed.entries {
            let text = placed.lines.text(start..<entry.end)
            start = entry.end
            let seq = placed.firstSequence &+ UInt64(entry.record)
            do {
                try finish(entry, text, seq, &events, &writer, placed, chunk)
            } catch var error as UnknownOutcome {
                error.seq = seq
                throw error
            }
        }
        summary.records &+= UInt64(chunk.recordCount)
        summary.emptyRecords &+= UInt64(chunk.emptyLines)
        summary.locatedRecords &+= UInt64(chunk.locatedRecords)
        summary.placedBefore &+= placed.placedBefore
    }

    private func finish(
        _ entry: PlacedChunk.Entry, _ text: BorrowedText, _ seq: UInt64,
        _ events: inout ArraySlice<(message: Int, event: DeviceEvent)>, _ writer: inout RecordWriter?,
        _ placed: PlacedChunk, _ chunk: borrowing RecordChunk
    ) throws {
        switch entry.role {
        case .line:
            try write(text, part: entry.part, seq: seq)
            try observe(entry.messages, in: chunk, seq)
        case .event:
            let loser = try apply(&events, entry.messages.lowerBound, seq)
            try write(text, part: entry.part, seq: seq)
            if let loser, loser != entry.part { try copy(entry, chunk, seq, parts: [loser]) }
        case .everywhere:
            let time = time(of: seq)
            try write(text, part: 0, seq: seq)
            if function.parts > 1 { try copy(entry, chunk, seq, parts: 1..<function.parts) }
            advanceClock(&events, entry.messages.lowerBound, at: time)
        case .topic, .activity, .targets:
            var current = writer ?? RecordWriter(chunk, placed.firstSequence, writesSources: writesSources)
            writer = nil
            try finish(entry, text, seq, &current, chunk)
            writer = current
        }
    }

    private func finish(
        _ entry: PlacedChunk.Entry, _ text: BorrowedText, _ seq: UInt64, _ writer: inout RecordWriter,
        _ chunk: borrowing RecordChunk
    ) throws {
        let message = entry.messages.lowerBound
        switch entry.role {
        case .topic:
            guard let recipients = try recipients(of: message, in: chunk, seq) else {
                return try write(text, part: entry.part, seq: seq)
            }
            try fanOut(entry, nil, to: recipients, seq, &writer, chunk)
        case .activity:
            let (parts, owner) = try parts(of: message, in: chunk, seq, entry.part)
            guard let first = parts.first else { return }
            if let owner {
                line.removeAll()
                // SOUND: the record lives as long as the chunk.
                let isJSON = unsafe isJSON(chunk.bytes(ofRecord: entry.record))
                BorrowedText.with(owner) { owner in
                    writer.append(entry.record, of: chunk, isJSON: isJSON, to: &line) { $0.owner = owner }
                }
                return try writeLine(part: first, seq: seq, position: 0)
            }
            try write(text, part: first, seq: seq)
            try copy(entry, chunk, seq, parts: parts.dropFirst())
        default: try divide(entry, seq, &writer, chunk)
        }
    }

    private func write(_ text: BorrowedText, part: Int, seq: UInt64, position: Int = 0) throws {
        summary.lines &+= 1
        summary.linesOfPart[part] &+= 1
        try output.append(text, part: part, seq: seq, position: position)
    }

    private func writeLine(part: Int, seq: UInt64, position: Int) throws {
        try line.withText { try write($0, part: part, seq: seq, position: position) }
    }

    // MARK: - Records for several parts

    /// Writes copies of a record that have an effect and no line in the report.
    private func copy(
        _ entry: PlacedChunk.Entry, _ chunk: borrowing RecordChunk, _ seq: UInt64, parts: some Collection<Int>,
        target: Int? = nil
    ) throws {
        // SOUND: the record lives as long as the chunk.
        if parts.isEmpty { return }
        var place = RecordPlace(seq: seq)
        place.isCopy = true
        place.target = target
        line.removeAll()
        let record = unsafe chunk.bytes(ofRecord: entry.record)
        unsafe PlacedRecordWriter.append(place, record: record, isJSON: isJSON(record), to: &line)
        line.append(UInt8(ascii: "\n"))
        for part in parts {
            summary.copies &+= 1
            try writeLine(part: part, seq: seq, position: target ?? 0)
        }
    }

    private func isJSON(_ record: UnsafeRawBufferPointer?) -> Bool {
        // SOUND: the record lives during the call.
        guard let record = unsafe record else { return false }
        return unsafe scanner.scan(record, into: &tape) == nil
    }

    /// Writes a message to a topic to the part of the topic, and a copy to each subscriber's.
    private func fanOut(
        _ entry: PlacedChunk.Entry, _ target: Int?, to recipients: [DeviceRegistry.Recipient], _ seq: UInt64,
        _ writer: inout RecordWriter, _ chunk: borrowing RecordChunk
    ) throws {
        // SOUND: the messages stay where they are as long as the chunk.
        let isJSON = unsafe isJSON(chunk.bytes(ofRecord: entry.record))
        let index = entry.messages.lowerBound + (target ?? 0)
        line.removeAll()
        writer.append(entry.record, of: chunk, isJSON: isJSON, to: &line) {
            ($0.target, $0.recipients) = (target, recipients.count)
        }
        let part = unsafe function.part(of: chunk.batch.messages[index].device)
        try writeLine(part: part, seq: seq, position: target ?? 0)
        for (position, recipient) in recipients.enumerated() {
            try BorrowedText.with(recipient.device) { device in
                try BorrowedText.with(recipient.app) { app in
                    line.removeAll()
                    writer.append(entry.record, of: chunk, isJSON: isJSON, to: &line) {
                        $0.target = position
                        $0.recipient = RecordPlace.Recipient(device: device, app: app)
                    }
                    summary.recipients &+= 1
                    try writeLine(part: function.part(of: device), seq: seq, position: position &+ 1)
                }
            }
        }
    }

    /// Writes a request once for each of its targets.
    private func divide(
        _ entry: PlacedChunk.Entry, _ seq: UInt64, _ writer: inout RecordWriter, _ chunk: borrowing RecordChunk
    ) throws {
        // SOUND: the record and its messages stay where they are as long as the chunk, and the tape is of this record.
        guard let record = unsafe chunk.bytes(ofRecord: entry.record) else { return }
        let isJSON = unsafe isJSON(record)
        let first = unsafe chunk.batch.messages[entry.messages.lowerBound]
        let list = unsafe isJSON ? tape.root(of: record) : nil
        // A message for FCM has several targets as an Admin SDK's multicast message.
        let name: StaticString =
            first.gateway == .wikimedia ? "deviceTokens" : first.provider == .fcm ? "tokens" : "registration_ids"
        let targets = (first.gateway == .expo ? nil : list).flatMap { root in
            unsafe TargetList(in: record, root, place: first.place, name: name, count: entry.messages.count)
        }
        guard let targets else {
            for target in 0..<entry.messages.count {
                try write(target, record, isJSON: isJSON, entry, seq, &writer, chunk)
            }
            return
        }
        let found = targetsWithFindings(entry.messages, in: chunk)
        // Should the record be scanned again meanwhile, the tape is the same.
        let form = { Self.form(of: $0, found) }
        try targets.forEach(form) { target, text in
            try unsafe write(target, text, isJSON: true, entry, seq, &writer, chunk)
        }
    }

    /// The targets before which numbers may stand, so that a request does not become much larger than it is.
    private static let mostInPlace = 1000

    /// How the request is written for a target: what is reported about it must be what is reported in the whole. Findings about the record
    /// are reported with its first target, which a linter finds them with in the whole request only.
    private static func form(of target: Int, _ found: Set<Int>) -> TargetList.Form {
        if target == 0 { return .whole }
        if found.contains(target), target < mostInPlace { return .inPlace }
        return found.contains(0) ? .second : .alone
    }

    private func targetsWithFindings(_ messages: Range<Int>, in chunk: borrowing RecordChunk) -> Set<Int> {
        let all = messagesWithFindings ?? chunk.batch.findings.map(\.message)
        messagesWithFindings = all
        // In the order of messages. A search, because a chunk may have thousands of requests with findings.
        var low = 0
        var high = all.count
        while low < high {
            let middle = (low + high) / 2
            if all[middle] < messages.lowerBound { low = middle + 1 } else { high = middle }
        }
        return Set(all[low...].prefix { $0 < messages.upperBound }.map { $0 - messages.lowerBound })
    }

    private func write(
        _ target: Int, _ text: UnsafeRawBufferPointer, isJSON: Bool, _ entry: PlacedChunk.Entry, _ seq: UInt64,
        _ writer: inout RecordWriter, _ chunk: borrowing RecordChunk
    ) throws {
        // SOUND: the index is that of a message of the chunk; the text lives during the call.
        let index = entry.messages.lowerBound + target
        if unsafe chunk.batch.messages[index].isForTopic,
            let recipients = try recipients(of: index, in: chunk, seq)
        {
            return try fanOut(entry, target, to: recipients, seq, &writer, chunk)
        }
        let device = unsafe chunk.batch.messages[index].device
        let isMalformed = if case .malformed = unsafe chunk.batch.messages[index].verdict { true } else { false }
        let part = isMalformed ? function.part(ofRecord: seq) : function.part(of: device)
        let (parts, owner) = try parts(of: index, in: chunk, seq, part)
        line.removeAll()
        BorrowedText.with(owner ?? "") { name in
            unsafe writer.append(entry.record, of: chunk, text, isJSON: isJSON, to: &line) {
                $0.target = target
                if owner != nil { $0.owner = name }
            }
        }
        summary.targets &+= 1
        try writeLine(part: parts.first ?? part, seq: seq, position: target)
        try copy(entry, chunk, seq, parts: parts.dropFirst(), target: target)
    }
}
