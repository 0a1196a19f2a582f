/// The messages as they come, as server-sent events.
///
/// Nothing of it is kept: what a slow client has not taken is in the log, and what the log has lost is said to be lost. Source: WHATWG,
/// HTML, "Server-sent events".
final class EventStream: PendingAnswer {
    private let traffic: GatewayTraffic
    private let filter: MessageFilter
    /// The place of the journal's last line; nil to say nothing of changes.
    private let places: (() -> UInt64)?
    /// The changes that were reported, and when the next ones may be.
    private var changes: UInt64 = 0
    private var nextChange = 0.0
    /// When messages may be sent again to a client that has all the earlier ones.
    private var nextEvents = 0.0
    /// Called once, when the stream has ended.
    private let whenOver: () -> Void
    /// The newest message that was sent or passed over.
    private var sent: UInt64
    private var hasBegun = false
    private var deadlineForComment = 0.0
    private var deadlineForClient = 0.0
    private var lastUnread = 0
    /// True if nothing can be sent before something is taken.
    private var isBlocked = false

    /// So that proxies and clients notice that the connection is alive, and the gateway that it is not.
    static let secondsBetweenComments = 15.0
    /// A client that takes nothing for so long is cut off.
    static let secondsToTake = 60.0
    /// Between two events about changes: a page then reads again what it shows.
    static let secondsBetweenChanges = 0.1
    /// Between messages, for each stream that there is, 0.25 ms: a write takes a tenth of that. With 256 streams each is written to 15 times a
    /// second at most.
    static let secondsBetweenEvents = 0.000_25
    /// 256 KiB: what is on the way to a client at most, apart from the last event.
    static let window = 256 << 10

    /// - Parameter id: the id of the last message that the client has; nil to begin with the next one.
    init(
        _ traffic: GatewayTraffic, _ filter: MessageFilter, after id: UInt64?, places: (() -> UInt64)? = nil,
        whenOver: @escaping () -> Void
    ) {
        self.traffic = traffic
        self.filter = filter
        self.places = places
        self.whenOver = whenOver
        sent = id ?? traffic.log.nextID - 1
        changes = traffic.changes
    }

    var deadline: Double? {
        guard !isBlocked else { return deadlineForComment }
        let due = min(hasChanges ? nextChange : .infinity, sent &+ 1 == traffic.log.nextID ? .infinity : nextEvents)
        return min(due, deadlineForComment)
    }

    private var hasChanges: Bool { places != nil && changes != traffic.changes }

    func next(now: Double, unread: Int, hasRoom: Bool, isStopping: Bool) -> AnswerPart? {
        if isStopping {
            guard hasBegun else { return .whole(Self.head("")) }
            // Messages that wait for their time.
            guard unread < Self.window, hasRoom, let events = events(.infinity) else { return .end }
            return .more(events)
        }
        if !hasBegun {
            hasBegun = true
            noteTaken(now, unread)
            return .begin(Self.head("retry: 1000\n\n"))
        }
        if unread < lastUnread || unread == 0 { noteTaken(now, unread) }
        lastUnread = unread
        if now >= deadlineForClient { return .cut }
        isBlocked = unread >= Self.window || !hasRoom
        if !isBlocked, let events = events(now) ?? change(now) {
            deadlineForComment = now + Self.secondsBetweenComments
            return .more(events)
        }
        guard now >= deadlineForComment else { return nil }
        deadlineForComment = now + Self.secondsBetweenComments
        return unread == 0 ? .more(Array(": \n\n".utf8)) : nil
    }

    private func noteTaken(_ now: Double, _ unread: Int) {
        deadlineForClient = now + Self.secondsToTake
        if deadlineForComment == 0 { deadlineForComment = now + Self.secondsBetweenComments }
    }

    /// An event that something has changed on screens; nil if nothing has, or it is too early.
    private func change(_ now: Double) -> [UInt8]? {
        guard let places, hasChanges, now >= nextChange else { return nil }
        changes = traffic.changes
        nextChange = now + Self.secondsBetweenChanges
        return Array("event: change\ndata: {\"journal\":\(places())}\n\n".utf8)
    }

    /// The next events; nil if there are none, or it is too early.
    private func events(_ now: Double) -> [UInt8]? {
        guard now >= nextEvents else { return nil }
        var out: [UInt8] = []
        let log = traffic.log
        // Another gateway, or this one before it was started again, has given a later id.
        if sent >= log.nextID { appendLost(from: 1, until: log.firstID, to: &out) }
        if sent + 1 < log.firstID { appendLost(from: sent + 1, until: log.firstID, to: &out) }
        for message in log.messages(after: sent) {
            guard out.count < Self.window / 4 else { break }
            sent = message.id
            guard filter.matches(message) else { continue }
            out += traffic.event(about: message)
        }
        guard !out.isEmpty else { return nil }
        if sent + 1 == log.nextID { nextEvents = now + Double(traffic.streams) * Self.secondsBetweenEvents }
        return out
    }

    /// Appends that messages are gone, or that ids begin anew.
    private func appendLost(from first: UInt64, until next: UInt64, to out: inout [UInt8]) {
        sent = next - 1
        out += "id: \(sent)\nevent: lost\ndata: {\"first\":\(first),\"last\":\(sent)}\n\n".utf8
    }

    static func head(_ text: String) -> GatewayAnswer {
        .api(Array(text.utf8), type: "text/event-stream")
    }

    func didEnd() { whenOver() }
}

/// A list of messages that is given when enough of them match, or at the end of the wait.
final class MessageWait: PendingAnswer {
    private let query: APIQuery
    private let traffic: GatewayTraffic
    private let compose: (_ isComplete: Bool) -> GatewayAnswer
    /// Called once, when the answer was given or the client is gone.
    private let whenOver: () -> Void
    /// The end of the wait, in seconds of `SystemClock.monotonicSeconds`.
    private let end: Double
    /// The newest message that was looked at.
    private var seen: UInt64 = 0

    var deadline: Double? { end }

    init(
        _ query: APIQuery, _ traffic: GatewayTraffic, until end: Double,
        compose: @escaping (_ isComplete: Bool) -> GatewayAnswer, whenOver: @escaping () -> Void
    ) {
        self.query = query
        self.traffic = traffic
        self.end = end
        self.compose = compose
        self.whenOver = whenOver
    }

    func next(now: Double, unread: Int, hasRoom: Bool, isStopping: Bool) -> AnswerPart? {
        let isOver = now >= end || isStopping
        guard hasRoom else { return isOver ? .whole(APIError.tooMuchUnread.answer) : nil }
        guard isOver || traffic.log.messages(after: seen).contains(where: query.filter.matches) else {
            seen = traffic.log.nextID - 1
            return nil
        }
        seen = traffic.log.nextID - 1
        let isComplete = query.page(of: traffic.log).messages.count >= query.count
        return isComplete || isOver ? .whole(compose(isComplete)) : nil
    }

    func didEnd() { whenOver() }
}
