import NIOCore
import NIOEmbedded
import Testing

@testable import PushGateway
@testable import PushServices

/// Answers that come bit by bit, to clients that take nothing.
struct PendingRepliesTests {
    /// Sends a part each time that there is room for one.
    private final class Parts: PendingAnswer {
        private let bytes: Int
        private(set) var sent = 0
        private(set) var asked = 0
        private var isTurn = true

        init(bytes: Int) { self.bytes = bytes }

        let deadline: Double? = nil

        func next(now: Double, unread: Int, hasRoom: Bool, isStopping: Bool) -> AnswerPart? {
            asked += 1
            if isStopping { return .end }
            defer { isTurn.toggle() }
            guard isTurn, hasRoom else { return nil }
            sent += 1
            return .more(Array(repeating: 0, count: bytes))
        }

        func didEnd() {}
    }

    private final class Handler: AnswerHandler {
        let connection: GatewayConnection

        init(_ connection: GatewayConnection) { self.connection = connection }

        func send(_ part: AnswerPart) {}
        func watch(_ watch: ReplyWatch) {}
    }

    private func withReplies(
        _ unread: UnreadBytes, _ answers: [Parts], _ body: (inout PendingReplies) throws -> Void
    ) throws {
        let queue = try GatewayQueue(maximumBytes: 1000)
        let channel = EmbeddedChannel()
        // An embedded channel has to be closed.
        defer { _ = try? channel.finish(acceptAlreadyClosed: true) }
        let connection = GatewayConnection(ConnectionRegistry(queue, GatewayLimits(), nil), channel, number: 1)
        var replies = PendingReplies(unread)
        for answer in answers { replies.add(answer, Reply(Handler(connection), on: channel.eventLoop)) {} }
        try body(&replies)
    }

    @Test func `no more is composed at a time than others can wait for, and each has its turn`() throws {
        let answers = (0..<3).map { _ in Parts(bytes: PendingReplies.turnBytes) }
        try withReplies(UnreadBytes(), answers) { replies in
            for turn in 1...3 {
                replies.advance(isStopping: false)
                #expect(answers.map(\.sent).reduce(0, +) == turn)
                #expect(replies.hasMore)
            }
            #expect(answers.map(\.sent) == [1, 1, 1])
        }
    }

    @Test func `a part that is one byte short of a turn leaves room for another`() throws {
        let answers = [Parts(bytes: PendingReplies.turnBytes - 1), Parts(bytes: 1), Parts(bytes: 1)]
        try withReplies(UnreadBytes(), answers) { replies in
            replies.advance(isStopping: false)
            #expect(answers.map(\.sent) == [1, 1, 0])
        }
    }

    @Test(arguments: [0, 1])
    func `nothing is composed beyond the limit for all`(_ excess: Int) throws {
        let answers = [Parts(bytes: 1000), Parts(bytes: 1000)]
        try withReplies(UnreadBytes(limit: 1000 - excess), answers) { replies in
            replies.advance(isStopping: false)
            #expect(answers.map(\.sent) == [1, 1 - excess])
            #expect(answers.map(\.asked).allSatisfy { $0 > 0 })
        }
    }

    @Test func `the end asks all of them`() throws {
        let answers = (0..<3).map { _ in Parts(bytes: PendingReplies.turnBytes) }
        try withReplies(UnreadBytes(), answers) { replies in
            replies.advance(isStopping: true)
            #expect(answers.map(\.asked) == [1, 1, 1])
        }
    }
}
