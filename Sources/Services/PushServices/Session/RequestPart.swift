import PushPipeline

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
