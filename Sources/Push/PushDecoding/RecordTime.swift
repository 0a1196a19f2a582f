package import PushJSON
import PushSystem

/// The place of a record's time in its line.
package struct RecordTimePlace: Sendable, Equatable {
    /// The member that has it; nil for the text before the object.
    let member: RecordLocation?

    /// A description for messages: `time at /log/time`.
    package var name: String { member?.pointer.map { "time at \($0)" } ?? "time before the object" }

    /// - Parameter text: `line`, or a JSON Pointer to a member; nil is returned for another text.
    package init?(_ text: String) {
        member = text == "line" ? nil : RecordLocation(pointer: text, skipsPrefix: true)
        if text.isEmpty || member == nil && text != "line" { return nil }
    }
}

/// Reads the times of records from their lines.
package struct RecordTimeReader: ~Copyable {
    /// Nil for the beginnings of lines.
    private var locator: RecordLocator?
    private let now: Int64

    /// - Parameter now: milliseconds since the epoch, by which the year of a time without one is known.
    package init(_ place: RecordTimePlace, now: Int64) {
        locator = place.member.map { RecordLocator($0, trimsStrings: false) }
        self.now = now
    }

    /// The time in milliseconds since the epoch; nil if the line has none.
    package mutating func time(of line: UnsafeRawBufferPointer, _ scratch: inout ScratchArena) -> Int64? {
        // SOUND: the slice is copied.
        guard locator != nil else {
            let beginning = unsafe line.prefix(LogTime.examinedBytes).prefix { $0 != UInt8(ascii: "{") }
            return LogTime.first(in: unsafe String(decoding: beginning, as: UTF8.self), now: now)
        }
        guard case .found(let member)? = unsafe locator?.locate(in: line, &scratch), member.isFound else { return nil }
        return LogTime.first(in: member.text.string, now: now)
    }
}
