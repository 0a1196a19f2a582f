import Testing

@testable import PushGateway

struct StreamTurnsTests {
    @Test func `requests are passed on up to the limit and no byte beyond`() {
        var turns = StreamTurns<Int>(limit: 100)
        turns.didSend(100)
        #expect(turns.admits(1, isLong: false, isWritable: true) == true)
        turns.didSend(1)
        #expect(turns.admits(2, isLong: false, isWritable: true) == false)
        #expect(turns.admits(3, isLong: true, isWritable: true) == false)
        #expect(turns.next() == nil)
        turns.didTake(1)
        #expect(turns.next() == 2)
        #expect(turns.next() == 3)
        #expect(turns.next() == nil)
    }

    @Test func `long answers are composed one at a time, and others pass by`() {
        var turns = StreamTurns<Int>(limit: 100)
        #expect(turns.admits(1, isLong: true, isWritable: true) == true)
        #expect(turns.admits(2, isLong: true, isWritable: true) == false)
        #expect(turns.admits(3, isLong: true, isWritable: true) == false)
        #expect(turns.admits(4, isLong: false, isWritable: true) == true)
        #expect(turns.next() == nil)
        turns.didCompose()
        #expect(turns.next() == 2)
        #expect(turns.next() == nil)
        // Its stream is closed.
        turns.removeAll { $0 == 3 }
        turns.didCompose()
        #expect(turns.next() == nil)
        #expect(turns.isEmpty)
    }

    @Test func `nothing is passed on while the client does not read`() {
        var turns = StreamTurns<Int>(limit: 100)
        #expect(turns.admits(1, isLong: false, isWritable: false) == false)
        #expect(turns.next() == 1)
    }
}
