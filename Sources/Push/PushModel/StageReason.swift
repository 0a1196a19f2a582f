package import PayloadJSON
import Synchronization

/// The names that stages give to their reasons. They stay in memory, so that a message that has one is a plain value.
package enum StageReason {
    /// The most names. A reason is a word for many messages, not a text about one.
    package static let maximumCount = 4096
    private static let names = Mutex<[String: Name]>([:])

    /// An address of memory that is never freed.
    private struct Name: @unchecked Sendable {  // SOUND: its bytes never change.
        let text: BorrowedText
    }

    /// The text of a name, valid for good. After too many names it is `other`.
    package static func text(_ name: String) -> BorrowedText {
        names.withLock { names in
            if let known = names[name] { return known }
            guard names.count < maximumCount else { return Name(text: BorrowedText("other")) }
            let bytes = Array(name.utf8)
            // SOUND: the memory is never freed, and all of it is initialized.
            let memory = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: max(bytes.count, 1))
            _ = unsafe memory.initialize(from: bytes)
            let made = unsafe Name(text: BorrowedText(start: memory.baseAddress!, count: bytes.count))
            names[name] = made
            return made
        }.text
    }
}
