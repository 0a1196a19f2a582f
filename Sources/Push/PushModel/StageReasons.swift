package import PayloadJSON
import Synchronization

/// Names of reasons that stages give, each in memory that is never freed, so that a message that has one is a plain value.
package final class StageReasons: Sendable {
    /// The names that this process has seen.
    package static let shared = StageReasons()

    private let limit: Int
    private let names = Mutex<[String: Name]>([:])

    /// An address of memory that is never freed.
    private struct Name: @unchecked Sendable {  // SOUND: its bytes never change.
        let text: BorrowedText
    }

    /// - Parameter limit: the most names. A reason is a word for many messages, not a text about one.
    package init(limit: Int = 4096) { self.limit = limit }

    /// The text of a name, valid for good. After too many names it is `other`.
    package func text(_ name: String) -> BorrowedText {
        names.withLock { names in
            if let known = names[name] { return known }
            guard names.count < limit else { return Name(text: BorrowedText("other")) }
            // SOUND: the memory is never freed, and all of it is initialized.
            let bytes = Array(name.utf8)
            let memory = UnsafeMutablePointer<UInt8>.allocate(capacity: bytes.count)
            unsafe memory.initialize(from: bytes, count: bytes.count)
            let made = unsafe Name(text: BorrowedText(start: memory, count: bytes.count))
            names[name] = made
            return made
        }.text
    }
}
