import PushFraming
import PushSystem
import TestSupport
import Testing

/// Apple (archived), "Binary Provider API" and "Legacy Notification Format".
struct BinaryFrameReaderTests {
    private static let token = (0..<32).map { UInt8($0) }
    private static let payload = Array(#"{"aps":{"alert":"Hi"}}"#.utf8)

    private static func number(_ value: Int, bytes: Int) -> [UInt8] {
        (0..<bytes).map { UInt8(truncatingIfNeeded: value >> (8 * (bytes - 1 - $0))) }
    }

    private static func lengthAndBytes(_ bytes: [UInt8]) -> [UInt8] { number(bytes.count, bytes: 2) + bytes }

    private static func simple(_ token: [UInt8] = token, _ payload: [UInt8] = payload) -> [UInt8] {
        [0] + lengthAndBytes(token) + lengthAndBytes(payload)
    }

    private static func enhanced(_ identifier: Int, expiry: Int = 0, _ token: [UInt8] = token) -> [UInt8] {
        [1] + number(identifier, bytes: 4) + number(expiry, bytes: 4) + lengthAndBytes(token) + lengthAndBytes(payload)
    }

    private static func items(_ items: [(UInt8, [UInt8])]) -> [UInt8] {
        let bytes = items.flatMap { [$0] + lengthAndBytes($1) }
        return [2] + number(bytes.count, bytes: 4) + bytes
    }

    private static let all: [(UInt8, [UInt8])] = [
        (1, token), (2, payload), (3, [0, 0, 1, 2]), (4, [0x5F, 0, 0, 0]), (5, [10]),
    ]

    /// What a reader finds in bytes that come in pieces of a length.
    private static func events(_ bytes: [UInt8], piece: Int = .max) -> [BinaryFrameReader.Event] {
        var reader = BinaryFrameReader()
        var rest = bytes[...]
        var events: [BinaryFrameReader.Event] = []
        while !rest.isEmpty {
            events += reader.read(rest.prefix(piece))
            rest = rest.dropFirst(piece)
        }
        return events
    }

    private static func notification(_ bytes: [UInt8]) throws -> BinaryNotification {
        guard case .notification(let found)? = events(bytes).first else {
            throw Missing()
        }
        return found
    }

    private struct Missing: Error {}

    @Test func `a frame of command 0 has a token and a payload`() throws {
        let found = try Self.notification(Self.simple())
        #expect(found.command == .simple)
        #expect(found.token == Self.token)
        #expect(found.payload == Self.payload)
        #expect(found.identifier == 0)
        #expect(found.expiry == nil)
        #expect(found.problem == nil)
    }

    @Test func `a frame of command 1 has an identifier and an expiry, too`() throws {
        let found = try Self.notification(Self.enhanced(0x0102_0304, expiry: 0x5F5E_1000))
        #expect(found.command == .enhanced)
        #expect(found.identifier == 0x0102_0304)
        #expect(found.expiry == 0x5F5E_1000)
        #expect(found.token == Self.token)
        #expect(found.payload == Self.payload)
    }

    @Test(arguments: [false, true]) func `a frame of command 2 has items in any order`(isReversed: Bool) throws {
        let found = try Self.notification(Self.items(isReversed ? Self.all.reversed() : Self.all))
        #expect(found.command == .items)
        #expect(found.token == Self.token)
        #expect(found.payload == Self.payload)
        #expect(found.identifier == 0x0102)
        #expect(found.expiry == 0x5F00_0000)
        #expect(found.priority == 10)
        #expect(found.problem == nil)
    }

    @Test(arguments: [1, 2, 3, 7, 40, 200]) func `frames are the same however their bytes are cut`(piece: Int) {
        let bytes = Self.simple() + Self.enhanced(7) + Self.items(Self.all) + Self.enhanced(8)
        let whole = Self.events(bytes)
        #expect(whole.count == 4)
        #expect(Self.events(bytes, piece: piece) == whole)
    }

    @Test func `changed bytes give the same in pieces, and nothing follows an error`() {
        var random = SplitMix64(seed: 7)
        let good = Self.simple() + Self.enhanced(7) + Self.items(Self.all) + Self.items(Self.all)
        var errors = 0
        for _ in 0..<2000 {
            var bytes = good
            for _ in 0..<3 {
                let place = Int(random.next() % UInt64(bytes.count))
                bytes[place] = UInt8(truncatingIfNeeded: random.next())
            }
            let whole = Self.events(bytes)
            #expect(Self.events(bytes, piece: 1 + Int(random.next() % 60)) == whole)
            let wrong = whole.indices.filter { index in
                if case .notification(let found) = whole[index] { found.problem != nil } else { true }
            }
            #expect(wrong.isEmpty || wrong == [whole.count - 1])
            errors += wrong.count
        }
        // Most changes hit a token or a payload.
        #expect((50..<1900).contains(errors))
    }

    @Test func `half a frame is kept, and no more`() {
        var reader = BinaryFrameReader()
        let bytes = Self.enhanced(1)
        #expect(reader.read(bytes + bytes.prefix(20)).count == 1)
        #expect(reader.bufferedBytes == 20)
        #expect(reader.read(bytes.dropFirst(20)).count == 1)
        #expect(reader.bufferedBytes == 0)
    }

    @Test(arguments: [
        (Self.simple([]), BinaryNotification.Problem.missingToken),
        (Self.simple(Array(Self.token.dropLast())), .invalidTokenSize),
        (Self.simple(Self.token + [0]), .invalidTokenSize),
        (Self.simple(Self.token, []), .missingPayload),
        (Self.items([(2, Self.payload)]), .missingToken),
        (Self.items([(1, []), (2, Self.payload)]), .missingToken),
        (Self.items([(1, [UInt8](repeating: 0, count: 300)), (2, Self.payload)]), .invalidTokenSize),
        (Self.items([(1, Self.token)]), .missingPayload),
        (Self.items([]), .missingToken),
        (Self.items([(1, Self.token), (2, Self.payload), (5, [7])]), .invalidPriority),
    ])
    func `what is wrong with a notification`(bytes: [UInt8], problem: BinaryNotification.Problem) throws {
        #expect(try Self.notification(bytes).problem == problem)
    }

    @Test func `a token that is too long is refused before its rest has come`() {
        let bytes: [UInt8] = [1] + Self.number(5, bytes: 4) + Self.number(0, bytes: 4) + Self.number(257, bytes: 2)
        guard case .notification(let found)? = Self.events(bytes).first else {
            Issue.record("no notification")
            return
        }
        #expect(found.problem == .invalidTokenSize)
        #expect(found.identifier == 5)
    }

    @Test(
        arguments: [
            ([3], 0), (Array("GET / HTTP/1.1".utf8), 0),
            // An item that is unknown, one that comes twice, one that ends after its frame, and lengths that are not those of Apple's table.
            (items([(3, [0, 0, 0, 9]), (6, [])]), 9), (items([(1, token), (1, token)]), 0),
            ([2, 0, 0, 0, 4, 1, 0, 32, 0], 0), (items([(3, [1, 2, 3])]), 0), (items([(4, [0])]), 0),
            (items([(5, [])]), 0), (items([(5, [0, 10])]), 0),
        ] as [([UInt8], UInt32)])
    func `an invalid frame`(bytes: [UInt8], identifier: UInt32) {
        #expect(Self.events(bytes) == [.unreadable(identifier: identifier)])
    }

    @Test func `a list of items is read up to the limit`() {
        let bytes = Self.items(Self.all)
        for (limit, isRead) in [(bytes.count - 5, true), (bytes.count - 6, false)] {
            var reader = BinaryFrameReader(maximumItemBytes: limit)
            let events = reader.read(bytes)
            #expect(events.count == 1)
            #expect((events == [.unreadable(identifier: 0)]) == !isRead)
        }
    }

    @Test func `nothing is read after an error`() {
        let good = Self.enhanced(1)
        #expect(Self.events(good + Self.simple([]) + good).count == 2)
        #expect(Self.events(good + [9] + good).count == 2)
        var reader = BinaryFrameReader()
        _ = reader.read([9])
        #expect(reader.isFinished)
        #expect(reader.read(good).isEmpty)
        #expect(reader.bufferedBytes == 0)
    }
}
