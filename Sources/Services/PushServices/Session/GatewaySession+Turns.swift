import PushFaults
import PushPipeline
import PushSystem

/// Requests take turns: one with many consequences is run in pieces, and others are answered between them.
extension GatewaySession {
    /// Records of so many bytes are run before more requests are planned: one request can become many records. 16 MiB.
    private static let partBytes = 16 << 20
    /// Records that are looked at in the turn of a postponed connection: those that are not run are decoded again.
    private static let recordsOfTurn = 512

    /// The number of the next request that `advance` adds.
    package var nextTicket: Int { turns.nextTicket }

    /// True if `advance` has more to do.
    package var isBusy: Bool { !turns.isEmpty }

    /// Adds requests, and runs those whose turn it is.
    ///
    /// - Returns: answers to requests whose changes are committed and reported, with the numbers of the requests.
    /// - Throws: errors of the store and of `report`. Then some requests may have been delivered and reported.
    package func advance(adding requests: [GatewayRequest]) throws -> [(ticket: Int, answer: Answer)] {
        turns.add(faults.rules.isEmpty ? requests : disturbed(requests))
        let finished = turns.finished
        turns.finished = []
        return try finished + runNext()
    }

    private func runNext() throws -> [(ticket: Int, answer: Answer)] {
        if var part = turns.front {
            turns.front = nil
            return try resume(&part, of: nil)
        }
        if var postponed = turns.takePostponed() {
            if var part = postponed.part {
                postponed.part = nil
                return try resume(&part, of: postponed)
            }
            var rest = postponed.rest[...]
            var part = plan(&rest)
            postponed.rest = Array(rest)
            return try begin(&part, of: postponed)
        }
        guard !turns.incoming.isEmpty else { return [] }
        var part = plan(&turns.incoming)
        return try begin(&part, of: nil)
    }

    /// Plans as many requests as make a part, at least one, and takes them off.
    private func plan(_ rest: inout ArraySlice<RequestTurns.Ticketed>) -> RequestPart {
        composer.removeAll()
        var part = RequestPart()
        var waits = false
        while !waits, composer.lines.count < Self.partBytes, let (ticket, sent) = rest.popFirst() {
            let request = sent.path.hasPrefix("/--/") ? sent.uncompressed : sent
            let (start, records) = (composer.lines.count, composer.records)
            let (plan, service) = plan(request)
            let source: RequestPart.Source
            var draft: (any AnswerDraft)?
            switch plan {
            case .answer(let answer): source = .answer(unread.counted(answer))
            case .later(let answer): source = .later(answer)
            case .drop: source = .dropped
            case .report(let known, let isAwaited):
                source = .draft
                draft = known
                waits = isAwaited
            }
            part.entries.append(
                RequestPart.Entry(
                    ticket: ticket, request: request, service: service, source: source, draft: draft,
                    lines: start..<composer.lines.count, records: composer.records - records))
        }
        // A slice keeps what was taken off.
        if rest.isEmpty { rest = [] }
        return part
    }

    /// Runs a part that was just planned.
    private func begin(
        _ part: inout RequestPart, of postponed: RequestTurns.Postponed?
    ) throws -> [(ticket: Int, answer: Answer)] {
        // SOUND: the lines stay as they are until the next call, and the pipeline copies them.
        try unsafe run(&part, composer.lines.bytes, of: postponed, mostRecords: .max)
    }

    /// Goes on with a part that ended early.
    private func resume(
        _ part: inout RequestPart, of postponed: RequestTurns.Postponed?
    ) throws -> [(ticket: Int, answer: Answer)] {
        // SOUND: the text lives until the closure returns.
        let text = part.text
        return try unsafe text.withUnsafeBytes {
            try unsafe run(&part, $0, of: postponed, mostRecords: postponed == nil ? .max : Self.recordsOfTurn)
        }
    }

    /// Runs the records of a part, until it is the turn of others.
    ///
    /// - Parameters:
    ///   - text: that of the part.
    ///   - postponed: the connection that all its requests are of, if that was postponed.
    private func run(
        _ part: inout RequestPart, _ text: UnsafeRawBufferPointer, of postponed: RequestTurns.Postponed?,
        mostRecords: Int
    ) throws -> [(ticket: Int, answer: Answer)] {
        let first = part.first
        // The entry that each record belongs to, and its place among the records of the entry.
        var owners: [(entry: Int, record: Int)] = []
        var end = first
        while end < part.entries.count, owners.count < mostRecords {
            for record in part.entries[end].run..<part.entries[end].records { owners.append((end, record)) }
            end += 1
        }
        var processed = 0
        if !owners.isEmpty {
            // SOUND: the lines of an entry are within the text.
            let lines = part.entries[first].lines
            let start =
                unsafe lines.lowerBound
                + RequestPart.length(
                    of: part.entries[first].run, in: UnsafeRawBufferPointer(rebasing: text[lines]))
            let bytes = unsafe UnsafeRawBufferPointer(
                rebasing: text[start..<part.entries[end - 1].lines.upperBound])
            processed = try unsafe feed(bytes, &part, owners, end: end)
        }
        for owner in owners.prefix(processed) { part.entries[owner.entry].run += 1 }
        var answers: [(ticket: Int, answer: Answer)] = []
        var isBehind = false
        for index in first..<end where !part.entries[index].isAnswered {
            // Over the binary interface, an answer ends the connection, so those before it come first.
            guard part.entries[index].isRun, !isBehind || part.entries[index].request.binary == nil else {
                isBehind = true
                continue
            }
            part.entries[index].isAnswered = true
            // SOUND: as above.
            let records = unsafe UnsafeRawBufferPointer(rebasing: text[part.entries[index].lines])
            let answer = unsafe answer(&part.entries[index], records, draft: index - first)
            answers.append((part.entries[index].ticket, answer))
        }
        while part.first < end, part.entries[part.first].isAnswered { part.first += 1 }
        part.reported =
            part.first < end && part.entries[part.first].run > 0 ? traffic?.report(ofDraft: part.first - first) : nil
        unsafe putBack(part, text, of: postponed, last: processed > 0 ? owners[processed - 1].entry : nil)
        return answers
    }

    /// Feeds records to the pipeline.
    ///
    /// - Returns: how many of them were processed.
    private func feed(
        _ bytes: UnsafeRawBufferPointer, _ part: inout RequestPart, _ owners: [(entry: Int, record: Int)], end: Int
    ) throws -> Int {
        let first = part.first
        traffic?.begin(drafts: end - first, continuing: part.reported)
        let report = report
        let traffic = traffic
        nameInput()
        // SOUND: the pipeline copies the bytes.
        let processed = try unsafe pipeline.feedTurn(bytes) { line, record in
            try report(line)
            traffic?.history.add(line)
            // A record is a line that was composed here, and yet no line of another may end the server.
            guard owners.indices.contains(record) else { return }
            let owner = owners[record]
            guard part.entries[owner.entry].hasDraft else { return }
            traffic?.add(line, toDraft: owner.entry - first)
            if line.note?.isConsequence == true {
                part.entries[owner.entry].draft?.addConsequence(line)
            } else {
                part.entries[owner.entry].draft?.add(line, record: owner.record)
            }
        }
        // SOUND: as above.
        let length = processed.map { unsafe RequestPart.length(of: $0, in: bytes) } ?? bytes.count
        try unsafe recordFile?.append(UnsafeRawBufferPointer(rebasing: bytes[..<length]))
        traffic?.noteChange()
        return min(processed ?? .max, owners.count)
    }

    /// Puts back what is not run of a part.
    ///
    /// - Parameter last: the entry of the record that was run last; nil if there was none.
    private func putBack(
        _ part: RequestPart, _ text: UnsafeRawBufferPointer, of postponed: RequestTurns.Postponed?, last: Int?
    ) {
        let isLeft = part.first < part.entries.count
        if var postponed {
            if isLeft {
                // A part that was just planned has its text in the composer.
                postponed.part = part.text.isEmpty ? unsafe part.divided(by: postponed.connection, text).own : part
            }
            return turns.postpone(postponed)
        }
        guard isLeft else { return }
        // The order of notifications over the binary interface is part of their answers, so they go on at once.
        let request = last.map { part.entries[$0].request }
        let (own, others) = unsafe part.divided(
            by: request?.binary == nil ? request?.sender.connection : nil, text)
        if !others.entries.isEmpty { turns.front = others }
        if let request, !own.entries.isEmpty {
            turns.postpone(RequestTurns.Postponed(connection: request.sender.connection, part: own))
        }
    }

    /// The answer to a request whose records are run.
    ///
    /// - Parameters:
    ///   - entry: inout only because a copy of it costs more than its answer.
    ///   - records: its own, one per line.
    ///   - draft: its place among the report lines that were kept.
    private func answer(
        _ entry: inout RequestPart.Entry, _ records: UnsafeRawBufferPointer, draft: Int
    ) -> Answer {
        var answer: GatewayAnswer
        switch entry.source {
        case .later(let pending): return .later(pending)
        case .dropped:
            traffic?.metrics.dropped += 1
            return .now(GatewayAnswer(status: 0))
        case .answer(let known): answer = known
        case .draft: answer = unread.counted(entry.draft?.answer() ?? GatewayAnswer(status: 0))
        }
        if let fault = entry.request.fault {
            answer = fault.applied(
                to: answer, by: entry.service.flatMap { services[$0].speaker }, isAboutPush: entry.draft != nil)
        }
        if let traffic {
            let isLogged = entry.service.map { services[$0].isLogged } ?? true
            let isDraft = entry.draft != nil
            // SOUND: the bytes are copied.
            traffic.add(
                entry.request, answer, service: entry.service.map { names[$0] } ?? "none", isLogged: isLogged,
                records: isLogged && isDraft ? unsafe Array(records) : [],
                draft: isDraft && entry.records > 0 ? draft : nil)
        }
        return .now(answer)
    }
}

/// Requests that are planned, and whose records are run together.
struct RequestPart {
    struct Entry {
        /// The number of the request, among all.
        var ticket: Int
        var request: GatewayRequest
        /// Nil for a path that is nobody's.
        var service: Int?
        var source: Source
        /// Nil unless the answer depends on the records.
        var draft: (any AnswerDraft)?
        /// Where its records are in the text.
        var lines: Range<Int>
        var records: Int
        /// How many of them were run.
        var run = 0
        var isAnswered = false

        var isRun: Bool { run == records }

        /// True if the answer depends on the records.
        var hasDraft: Bool { if case .draft = source { true } else { false } }
    }

    /// The material for the answer to a request.
    enum Source {
        case answer(GatewayAnswer)
        case later(any PendingAnswer)
        case dropped
        case draft
    }

    var entries: [Entry] = []
    /// The first entry that is not answered.
    var first = 0
    /// All lines, once the part has ended early; before that the composer has them.
    var text: [UInt8] = []
    /// The report lines about the first entry, if some of its records were run.
    var reported: GatewayTraffic.Reported?

    /// The entries of one connection that are not answered, and those of others, as parts of their own.
    ///
    /// - Parameter text: that of this part.
    func divided(by connection: UInt64?, _ text: UnsafeRawBufferPointer) -> (own: RequestPart, others: RequestPart) {
        var own = RequestPart()
        var others = RequestPart()
        for entry in entries[first...] where !entry.isAnswered {
            if entry.request.sender.connection == connection {
                unsafe own.append(entry, text)
            } else {
                unsafe others.append(entry, text)
            }
        }
        // Only one entry is run in part, and it is the first one of its own part.
        if own.entries.first.map({ $0.run > 0 }) == true { own.reported = reported }
        if others.entries.first.map({ $0.run > 0 }) == true { others.reported = reported }
        return (own, others)
    }

    private mutating func append(_ entry: Entry, _ text: UnsafeRawBufferPointer) {
        // SOUND: the lines of an entry are within the text of its part.
        let start = self.text.count
        unsafe self.text.append(contentsOf: text[entry.lines])
        entries.append(entry)
        entries[entries.count - 1].lines = start..<self.text.count
    }

    /// The length of a number of lines.
    static func length(of count: Int, in text: UnsafeRawBufferPointer) -> Int {
        // SOUND: the offsets are of bytes in the text.
        var left = count
        var offset = 0
        while left > 0, offset < text.count {
            if unsafe text[offset] == UInt8(ascii: "\n") { left -= 1 }
            offset += 1
        }
        return offset
    }
}

/// The requests that wait for their turn.
///
/// A request may become records with any number of consequences, such as a message to a topic. Its connection waits then until others had their
/// turn, with all its requests, so that their order stays.
struct RequestTurns {
    typealias Ticketed = (ticket: Int, request: GatewayRequest)

    /// The requests of a connection that was so slow.
    struct Postponed {
        let connection: UInt64
        /// Nil if none is planned.
        var part: RequestPart?
        var rest: [Ticketed] = []
    }

    private(set) var nextTicket = 0
    /// Not planned yet.
    var incoming: ArraySlice<Ticketed> = []
    /// Planned together with those of a connection that was postponed.
    var front: RequestPart?
    /// In the order of their turns.
    private(set) var postponed: [Postponed] = []
    /// Answers that nobody has taken.
    var finished: [(ticket: Int, answer: GatewaySession.Answer)] = []
    /// Parts of others since the last turn of a postponed connection.
    private var passed = 0

    /// So many parts of others come first.
    private static let mostPassed = 4

    var isEmpty: Bool { incoming.isEmpty && front == nil && postponed.isEmpty && finished.isEmpty }

    mutating func add(_ requests: [GatewayRequest]) {
        for request in requests {
            let ticketed = (ticket: nextTicket, request: request)
            nextTicket += 1
            if !postponed.isEmpty, let index = index(of: request.sender.connection) {
                postponed[index].rest.append(ticketed)
            } else {
                incoming.append(ticketed)
            }
        }
    }

    private func index(of connection: UInt64) -> Int? { postponed.firstIndex { $0.connection == connection } }

    /// Has a connection wait for its next turn.
    mutating func postpone(_ postponed: Postponed) {
        var postponed = postponed
        guard postponed.part != nil || !postponed.rest.isEmpty else { return }
        let connection = postponed.connection
        let isOwn = { (ticketed: Ticketed) in ticketed.request.sender.connection == connection }
        if incoming.contains(where: isOwn) {
            postponed.rest += incoming.filter(isOwn)
            incoming.removeAll(where: isOwn)
        }
        self.postponed.append(postponed)
    }

    /// The postponed connection whose turn it is; nil while others come first.
    mutating func takePostponed() -> Postponed? {
        guard !postponed.isEmpty else { return nil }
        guard incoming.isEmpty || passed >= Self.mostPassed else {
            passed += 1
            return nil
        }
        passed = 0
        return postponed.removeFirst()
    }
}
