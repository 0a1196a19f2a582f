/// A request as the gateway received it, what it answered, and what the report says of it.
package struct LoggedMessage: Sendable {
    /// Grows by 1 with each message, from 1.
    package var id: UInt64
    /// When it was answered, in milliseconds since the epoch, by the machine's clock.
    package var at: Int64
    /// The name of the service that answered; `none` if the path was nobody's.
    package var service: String
    package var request: GatewayRequest
    /// The length of the request's body in bytes, also if the body is not kept.
    package var requestBytes: Int
    package var answer: GatewayAnswer
    /// The records that the request became, one per line; empty if it became none.
    package var records: [UInt8]
    /// The lines of the report in NDJSON, with those about consequences.
    package var report: [UInt8]
    /// True if there were more lines than are kept.
    package var isReportCut: Bool
    /// True if a client of the API has deleted it. Its place stays, so that ids have no gaps.
    package var isRemoved = false

    /// Its size in memory, in bytes.
    var memory: Int {
        512 + Self.memory(request.headers) + Self.memory(answer.headers) + request.path.utf8.count
            + request.body.count + answer.body.count + records.count + report.count
    }

    private static func memory(_ headers: [HeaderField]) -> Int {
        headers.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count + 64 }
    }
}

/// The newest messages, bounded in number and in bytes.
struct MessageLog {
    /// How many there are at most, at least 1.
    let maximumCount: Int
    /// How much they take at most, in bytes. The newest one is kept in any case.
    let maximumBytes: Int
    /// Those before `start` are gone.
    private var messages: [LoggedMessage] = []
    private var start = 0
    private var bytes = 0
    private(set) var nextID: UInt64 = 1
    /// How many there are, without those that were removed.
    private(set) var count = 0

    init(maximumCount: Int = 10_000, maximumBytes: Int = 64 << 20) {
        self.maximumCount = max(maximumCount, 1)
        self.maximumBytes = maximumBytes
    }

    /// All that are kept, and those that were removed, oldest first. Their ids have no gaps.
    var all: ArraySlice<LoggedMessage> { messages[start...] }

    /// The id of the oldest one; that of the next one if there is none.
    var firstID: UInt64 { nextID - UInt64(messages.count - start) }

    /// Adds a message, and gives it its id.
    mutating func append(_ message: consuming LoggedMessage) {
        message.id = nextID
        nextID += 1
        bytes += message.memory
        count += 1
        messages.append(message)
        while messages.count - start > maximumCount || (bytes > maximumBytes && messages.count - start > 1) {
            bytes -= messages[start].memory
            if !messages[start].isRemoved { count -= 1 }
            // Frees its memory before the array does.
            messages[start].forget()
            start += 1
        }
        if start > 1024, start > messages.count / 2 {
            messages.removeFirst(start)
            start = 0
        }
    }

    /// Those with an id greater than one.
    func messages(after id: UInt64) -> ArraySlice<LoggedMessage> {
        guard id >= firstID else { return all }
        guard id < nextID else { return [] }
        return messages[(start + Int(id - firstID) + 1)...]
    }

    /// Those with an id less than one.
    func messages(before id: UInt64) -> ArraySlice<LoggedMessage> {
        guard id < nextID else { return all }
        guard id > firstID else { return [] }
        return messages[start..<(start + Int(id - firstID))]
    }

    /// Nil if it is gone, or not there yet.
    subscript(_ id: UInt64) -> LoggedMessage? {
        guard id >= firstID, id < nextID else { return nil }
        let message = messages[start + Int(id - firstID)]
        return message.isRemoved ? nil : message
    }

    /// Forgets some of them. Returns how many.
    mutating func remove(where isUnwanted: (LoggedMessage) -> Bool) -> Int {
        let before = count
        for index in messages[start...].indices where !messages[index].isRemoved && isUnwanted(messages[index]) {
            bytes -= messages[index].memory
            messages[index].forget()
            messages[index].isRemoved = true
            bytes += messages[index].memory
            count -= 1
        }
        return before - count
    }

    /// Forgets all of them. Ids go on.
    mutating func removeAll() {
        messages = []
        start = 0
        bytes = 0
        count = 0
    }
}

extension LoggedMessage {
    fileprivate mutating func forget() {
        request = GatewayRequest(method: "", path: "")
        answer = GatewayAnswer(status: 0)
        records = []
        report = []
    }
}
