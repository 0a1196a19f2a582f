import PayloadJSON
import PushModel

/// The placed records of a chunk: lines that any thread composes, and what has to wait until the records before are finished.
final class PlacedChunk {
    enum Role {
        /// It goes to its part.
        case line
        /// The same, and it is about an event of a device.
        case event
        /// It goes to part 0, and a copy to each other part.
        case everywhere
        /// A message to a topic, which may have subscribers.
        case topic
        /// A push to a Live Activity, which may be a broadcast, or a message to a token of Expo's.
        case activity
        /// A request whose targets are in several parts. It has no line.
        case targets
    }

    /// A record, or rather its line.
    struct Entry {
        var role: Role
        var part: Int
        /// The position of the record in the chunk, and its messages.
        var record: Int
        var messages: Range<Int>
        /// The end of its line in `lines`, where the next one begins. Each ends with a line feed.
        var end = 0
    }

    /// The number of the chunk's first record.
    var firstSequence: UInt64 = 0
    var lines = ByteBuffer()
    var entries: [Entry] = []
    /// Malformed records that look as if they had been placed before.
    var placedBefore: UInt64 = 0
    var scanner = JSONScanner()
    var tape = JSONTape()

    func begin(at firstSequence: UInt64) {
        self.firstSequence = firstSequence
        placedBefore = 0
        lines.removeAll()
        entries.removeAll(keepingCapacity: true)
    }
}

extension ArraySlice<(message: Int, event: DeviceEvent)> {
    /// The event that a message stands for, of those that are left; nil if it stands for none.
    mutating func next(of message: Int) -> DeviceEvent? {
        while let first, first.message < message { removeFirst() }
        guard let first, first.message == message else { return nil }
        return first.event
    }
}

extension ByteBuffer {
    /// A part of the bytes. Valid until the buffer changes.
    func text(_ range: Range<Int>) -> BorrowedText {
        // SOUND: the range is within the bytes.
        let bytes = unsafe UnsafeRawBufferPointer(rebasing: bytes[range])
        return unsafe bytes.baseAddress.map {
            unsafe BorrowedText(start: $0.assumingMemoryBound(to: UInt8.self), count: bytes.count)
        } ?? .empty
    }
}
