import PushDecoding
package import PushJSON
package import PushModel
import PushSystem

/// The place of a record of a part in the original input, which `pushpipe partition` divided into parts.
///
/// In a part each record is on a line of its own, with its place:
///
///     "pushpipe-part 1 3 of 64 5422ca25c9bc84e2"                            the first line, a `PartHeader`
///     {"place":{"seq":7,"source":{"file":"a.ndjson",…}},"record":{…}}       the record's own bytes
///     {"place":{"seq":8},"base64":"eyJhIjoK…"}                              bytes that are not JSON on one line
///     {"place":{"seq":9,"end":true}}                                        the last line
///
/// Its texts are borrowed: a place that was read is valid as long as the line and the scratch memory.
package struct RecordPlace {
    /// The `source` of a report line.
    package struct Source {
        package var file: BorrowedText
        package var record: UInt64
        package var position: TextPosition
        package var offset: UInt64

        package init(file: BorrowedText, record: UInt64, position: TextPosition, offset: UInt64) {
            self.file = file
            self.record = record
            self.position = position
            self.offset = offset
        }
    }

    /// The record's place in an engine: a partition of Kafka or a stream of Redis, and the place in it.
    package struct StreamOffset {
        /// Such as `pushes/3`.
        package var stream: BorrowedText
        /// A decimal number, or Redis' `1526919030474-55`.
        package var offset: BorrowedText

        package init(stream: BorrowedText, offset: BorrowedText) {
            self.stream = stream
            self.offset = offset
        }
    }

    package struct Part: Sendable, Equatable {
        /// The number of the part, from 0.
        package var part: Int
        package var parts: Int

        package init(_ part: Int, of parts: Int) {
            self.part = part
            self.parts = parts
        }

        var isValid: Bool { parts >= 1 && parts <= RecordPlace.maximumParts && part >= 0 && part < parts }
    }

    /// The place where a record exceeded the size limit. Its bytes are not kept.
    package struct Excess {
        /// The offset in bytes from the record's first byte.
        package var offset: Int
        package var position: TextPosition

        package init(offset: Int, position: TextPosition) {
            self.offset = offset
            self.position = position
        }
    }

    /// The most parts that an input can be divided into.
    package static let maximumParts = 1 << 16
    /// The largest number of a record: the ids of rows in the store of a part have 34 bits for it.
    package static let greatestSequence: UInt64 = 1 << 34 - 1

    /// The number of the record in the original input, from 1. Nil only with a `streamOffset`. 0 in the first line of a part; the
    /// number of all records in the last one.
    package var seq: UInt64?
    package var source: Source?
    package var streamOffset: StreamOffset?
    /// Set in the first line of a part.
    package var part: Part?
    /// In the first line of a part: true if every report line has a source, because the original input consists of several files.
    package var reportsSources = false
    /// True if this is the last line of a part.
    package var isEnd = false
    /// Set instead of a record over the size limit.
    package var excess: Excess?

    package init(seq: UInt64?) { self.seq = seq }

    /// True if it comes without a record.
    package var hasNoRecord: Bool { part != nil || isEnd || excess != nil }

    /// The part that a device is in: FNV-1a with 64 bits of its name, modulo the number of parts. The case of a hexadecimal token means
    /// nothing, whatever its provider: an event in capitals may be about it. Never changes: other programs divide streams by it. O(bytes).
    ///
    /// - Parameter parts: at least 1.
    package static func part(of device: BorrowedText, among parts: Int) -> Int {
        Int(hash(of: device) % UInt64(max(parts, 1)))
    }

    private static func hash(of device: BorrowedText) -> UInt64 {
        guard DeviceToken.isFolded(device) else { return plainHash(of: device) }
        return BorrowedText.with(DeviceToken.canonical(device.string), plainHash)
    }

    /// The hashes that decide the parts of a record's messages: each is for the part of its device. One that is malformed goes with the first
    /// that is not, and so do all of a request that is refused for each of its targets, because it concerns none of them.
    ///
    /// - Parameter messages: as they were decoded, with the names that the record has.
    /// - Returns: a hash for each message; none if all are malformed, and the record is for the part of its number.
    package static func hashes(of messages: UnsafeMutableBufferPointer<DecodedMessage>) -> [UInt64] {
        // SOUND: the messages are looked at during the call.
        var hashes: [UInt64?] = []
        var isAccepted = false
        for index in messages.indices {
            switch unsafe messages[index].verdict {
            case .malformed:
                hashes.append(nil)
                continue
            case .accepted: isAccepted = true
            default: break
            }
            unsafe hashes.append(hash(of: messages[index].device))
        }
        guard let first = hashes.lazy.compactMap(\.self).first else { return [] }
        return hashes.map { isAccepted ? $0 ?? first : first }
    }

    private static func plainHash(of text: BorrowedText) -> UInt64 {
        // SOUND: the bytes are read during the call.
        var hash = FNV1a()
        unsafe hash.add(text.buffer)
        return hash.value
    }
}

/// A record of a part.
package struct PlacedRecord {
    package var place: RecordPlace
    /// The record's bytes. Valid as long as the line and the scratch memory; nil for a line without a record.
    package var record: BorrowedText?
}
