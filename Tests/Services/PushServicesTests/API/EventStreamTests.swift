import ServiceTestSupport
import Testing

@testable import PushServices

struct EventStreamTests {
    @Test(arguments: ["x", "-1", "99999999999999999999"])
    func `an id that is no number is refused`(id: String) throws {
        let answer = try SessionTrial.withAPI().get("/api/v1/events", [("last-event-id", id)])
        #expect(answer.status == 400)
    }

    @Test func `a client that reads nothing costs no more than its window, and is cut off in the end`() {
        let traffic = GatewayTraffic()
        let request = push(to: String(repeating: "x", count: 4000))
        var isOver = false
        let stream = EventStream(traffic, MessageFilter(), after: 0) { isOver = true }
        for _ in 0..<1000 {
            traffic.add(
                request, GatewayAnswer(status: 200), service: "apns", isLogged: true, records: [],
                reported: GatewayTraffic.Reported())
        }
        var unread = 0
        while let part = stream.next(now: 100, unread: unread, isStopping: false) {
            unread += part.count
            #expect(unread < 2 * EventStream.window)
        }
        #expect(stream.next(now: 100 + EventStream.secondsToTake - 1, unread: unread, isStopping: false) == nil)
        #expect(stream.next(now: 100 + EventStream.secondsToTake, unread: unread, isStopping: false) == .cut)
        stream.didEnd()
        #expect(isOver)
    }

    @Test func `without room for all clients a stream sends no events, and is not cut off for it`() {
        let traffic = GatewayTraffic()
        let stream = EventStream(traffic, MessageFilter(), after: 0, places: { 1 }, whenOver: {})
        traffic.add(
            push(), GatewayAnswer(status: 200), service: "apns", isLogged: true, records: [],
            reported: GatewayTraffic.Reported())
        func next(_ now: Double, hasRoom: Bool) -> AnswerPart? {
            stream.next(now: now, unread: 0, hasRoom: hasRoom, isStopping: false)
        }
        _ = next(100, hasRoom: false)
        traffic.noteChange()
        #expect(next(100, hasRoom: false) == nil)
        // Nothing is due that cannot be sent.
        #expect(stream.deadline == 100 + EventStream.secondsBetweenComments)
        #expect(next(100 + 2 * EventStream.secondsToTake, hasRoom: false) != .cut)
        guard case .more(let events)? = next(300, hasRoom: true) else {
            Issue.record("no events")
            return
        }
        #expect(String(decoding: events, as: UTF8.self).hasPrefix("id: 1\nevent: message\n"))
    }

    @Test func `many streams send together what comes within a time that grows with their number`() {
        let traffic = GatewayTraffic()
        traffic.streams = 256
        let stream = EventStream(traffic, MessageFilter(), after: 0) {}
        _ = stream.next(now: 100, unread: 0, isStopping: false)
        func receive() {
            traffic.add(
                push(), GatewayAnswer(status: 200), service: "apns", isLogged: true, records: [],
                reported: GatewayTraffic.Reported())
        }
        func ids(at now: Double, isStopping: Bool = false) -> [Substring] {
            guard case .more(let bytes)? = stream.next(now: now, unread: 0, isStopping: isStopping) else { return [] }
            return String(decoding: bytes, as: UTF8.self).split(separator: "\n").filter { $0.hasPrefix("id:") }
        }
        receive()
        #expect(ids(at: 100) == ["id: 1"])
        receive()
        receive()
        #expect(ids(at: 100.06) == [])
        #expect(stream.deadline == 100 + 256 * EventStream.secondsBetweenEvents)
        #expect(ids(at: 100.07) == ["id: 2", "id: 3"])
        #expect(stream.deadline == 100.07 + EventStream.secondsBetweenComments)
        receive()
        #expect(ids(at: 100.08, isStopping: true) == ["id: 4"])
        #expect(stream.next(now: 100.08, unread: 0, isStopping: true) == .end)
    }

    @Test func `a quiet stream has comments`() {
        let stream = EventStream(GatewayTraffic(), MessageFilter(), after: nil) {}
        _ = stream.next(now: 100, unread: 0, isStopping: false)
        #expect(stream.next(now: 100, unread: 0, isStopping: false) == nil)
        #expect(stream.deadline == 100 + EventStream.secondsBetweenComments)
        let now = 100 + EventStream.secondsBetweenComments
        #expect(stream.next(now: now, unread: 0, isStopping: false) == .more(Array(": \n\n".utf8)))
        #expect(stream.next(now: now, unread: 4, isStopping: false) == nil)
    }
}
