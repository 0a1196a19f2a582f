import Foundation
import Testing

@testable import PushpipeTesting

/// Who gets which message, without a server.
struct InboxTests {
    private func message(_ id: UInt64) -> PushpipeServer.Message { .init(id: id) }

    private func next(
        of inbox: Inbox, within limit: Duration = .seconds(300),
        where isWanted: @escaping @Sendable (PushpipeServer.Message) throws -> Bool = { _ in true }
    ) async throws -> UInt64 {
        try await inbox.next(where: isWanted, within: limit).id
    }

    @Test func `a message that arrives while a predicate runs is neither lost nor returned twice`() async throws {
        let inbox = Inbox()
        inbox.add(message(1))
        let second = try await next(of: inbox) { known in
            // As from another thread: the predicate holds no lock.
            if known.id == 1 { inbox.add(PushpipeServer.Message(id: 2)) }
            return known.id == 2 && inbox.messages.count == 2
        }
        #expect(second == 2)
        #expect(try await next(of: inbox, within: .zero) == 1)
        await #expect(throws: PushpipeServer.Failure.self) { try await next(of: inbox, within: .zero) }
    }

    @Test func `a predicate is asked once about each message`() async throws {
        let inbox = Inbox()
        for id in 1...3 { inbox.add(message(UInt64(id))) }
        let (asked, note) = AsyncStream.makeStream(of: UInt64.self)
        #expect(
            try await next(of: inbox) { known in
                note.yield(known.id)
                return known.id == 3
            } == 3)
        #expect(
            try await next(of: inbox) { known in
                note.yield(known.id)
                return known.id == 2
            } == 2)
        note.finish()
        #expect(await asked.reduce(into: []) { $0.append($1) } == [1, 2, 3, 1, 2])
    }

    @Test func `the caller that has waited longest goes first`() async throws {
        let inbox = Inbox()
        inbox.add(message(0))
        let (asked, note) = AsyncStream.makeStream(of: Void.self)
        var questions = asked.makeAsyncIterator()
        var waits: [Task<UInt64, any Error>] = []
        for _ in 0..<40 {
            waits.append(
                Task {
                    try await next(of: inbox) { known in
                        if known.id == 0 { note.yield() }
                        return known.id > 0
                    }
                })
            // It waits before the next one begins.
            await questions.next()
        }
        for id in 1...40 { inbox.add(message(UInt64(id))) }
        for (index, wait) in waits.enumerated() { #expect(try await wait.value == UInt64(index) + 1) }
    }

    @Test(arguments: 0..<10)
    func `many waiters and many messages at a time find each other`(_ round: Int) async throws {
        let inbox = Inbox()
        let count = 100
        let ids = try await withThrowingTaskGroup(of: UInt64?.self) { group in
            for number in 1...count {
                group.addTask { try await next(of: inbox) { $0.id > 0 && inbox.messages.count > 0 } }
                group.addTask {
                    inbox.add(PushpipeServer.Message(id: UInt64(number)))
                    return nil
                }
            }
            var ids: [UInt64] = []
            for try await id in group { ids += [id].compactMap(\.self) }
            return ids
        }
        #expect(ids.sorted() == (1...UInt64(count)).map(\.self))
    }

    @Test func `a wait whose time is over still gets a message that has arrived`() async throws {
        let inbox = Inbox()
        inbox.add(message(1))
        let (asked, note) = AsyncStream.makeStream(of: Void.self)
        var questions = asked.makeAsyncIterator()
        let gate = DispatchSemaphore(value: 0)
        let slow = Task {
            try await next(of: inbox) { known in
                note.yield()
                if known.id == 2 { gate.wait() }
                return false
            }
        }
        await questions.next()
        // Whoever adds a message calls the predicates.
        Thread.detachNewThread { inbox.add(PushpipeServer.Message(id: 2)) }
        await questions.next()
        async let quick = next(of: inbox, within: .zero) { $0.id == 2 }
        gate.signal()
        #expect(try await quick == 2)
        slow.cancel()
        await #expect(throws: CancellationError.self) { try await slow.value }
    }

    @Test func `an error of a predicate ends its wait alone`() async throws {
        struct Mistake: Error {}
        let inbox = Inbox()
        inbox.add(message(1))
        await #expect(throws: Mistake.self) { try await next(of: inbox) { _ in throw Mistake() } }
        #expect(try await next(of: inbox) == 1)
    }

    @Test func `a message that is removed while a predicate looks at it is not returned`() async throws {
        let inbox = Inbox()
        inbox.add(message(1))
        let id = try await next(of: inbox) { known in
            if known.id == 1 {
                inbox.removeAll()
                inbox.add(PushpipeServer.Message(id: 2))
            }
            return true
        }
        #expect(id == 2)
        #expect(inbox.messages.map(\.id) == [2])
    }

    @Test func `the newest ten thousand messages are kept`() async throws {
        let inbox = Inbox()
        for id in 1...25_000 { inbox.add(message(UInt64(id))) }
        #expect(inbox.messages.count == 10_000)
        #expect(inbox.messages.first?.id == 15_001)
        #expect(try await next(of: inbox) == 15_001)
        #expect(try await next(of: inbox) == 15_002)
    }

    @Test func `after the end, what has arrived is returned, and the rest is an error`() async throws {
        struct Broken: Error, CustomStringConvertible { let description = "the network is down" }
        let inbox = Inbox()
        inbox.add(message(1))
        inbox.finish(Broken())
        await inbox.waitForEnd()
        #expect(try await next(of: inbox) == 1)
        let failure = await failure { try await next(of: inbox) }
        #expect(failure?.code == .stopped)
        #expect(failure?.description.contains("before the server failed (the network is down)") == true)
    }
}
