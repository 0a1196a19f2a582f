import PayloadJSON
import PushModel
import PushPipeline

/// The contents of recently shown notifications, also of those that are gone: a journal has only their names.
struct ContentHistory {
    struct Key: Hashable {
        /// Of the notification's record.
        var seq: UInt64
        var device: String
        var identifier: String

        /// Without the identifier, which hardly ever differs for a record on a device.
        func hash(into hasher: inout Hasher) {
            hasher.combine(seq)
            hasher.combine(device)
        }
    }

    /// How many there are at most.
    private let maximumCount: Int
    /// How much their texts take at most, in bytes.
    private let maximumBytes: Int
    private var contents: [Key: ShownContent] = [:]
    /// Oldest first; those before `start` are gone.
    private var keys: [Key] = []
    private var start = 0
    private var bytes = 0

    init(maximumCount: Int = 50_000, maximumBytes: Int = 32 << 20) {
        self.maximumCount = maximumCount
        self.maximumBytes = maximumBytes
    }

    /// Nil if it is not known, or no longer.
    subscript(_ key: Key) -> ShownContent? { contents[key] }

    /// Takes a report line; one about something that is not shown changes nothing.
    mutating func add(_ report: borrowing RecordReport) {
        switch report.outcome {
        case .delivered, .replaced, .reposted: break
        default: return
        }
        guard let identifier = report.identifier else { return }
        let key = Key(
            seq: report.note?.original ?? report.seq, device: report.message.device.string, identifier: identifier)
        let content = ShownContent(report.message.content)
        bytes += Self.memory(key, content)
        if let old = contents.updateValue(content, forKey: key) {
            bytes -= Self.memory(key, old)
        } else {
            keys.append(key)
        }
        while keys.count - start > maximumCount || (bytes > maximumBytes && keys.count - start > 1) { removeOldest() }
    }

    private mutating func removeOldest() {
        let key = keys[start]
        if let old = contents.removeValue(forKey: key) { bytes -= Self.memory(key, old) }
        start += 1
        if start > 1024, start > keys.count / 2 {
            keys.removeFirst(start)
            start = 0
        }
    }

    private static func memory(_ key: Key, _ content: ShownContent) -> Int {
        256 + key.device.utf8.count + key.identifier.utf8.count + count(content.title) + count(content.subtitle)
            + count(content.body) + count(content.thread)
    }

    private static func count(_ text: String?) -> Int { text?.utf8.count ?? 0 }
}
