package import PayloadJSON
package import PushModel

/// A demand of the user on payloads, such as a schema.
package protocol PayloadContract: Sendable {
    /// A reader that one linter uses.
    func makeReader() -> any PayloadReader
}

/// Reads the parts of payloads that are in a scope.
package protocol PayloadReader: AnyObject {
    var scope: SchemaScope { get }
    /// Reads a part, and returns what is not permitted about it.
    ///
    /// - Parameter part: nil for data that is not there, which is read as an empty object.
    func read(_ part: JSONView?) -> [ContractFailure]
}

/// A violation of a contract by a value. Valid as long as the value's text is.
package struct ContractFailure {
    let value: JSONView
    /// The name of the member with the value, if the failure is about that.
    let name: JSONString?
    /// True if the check was not completed.
    let isUnfinished: Bool
    let message: String

    package init(_ value: JSONView, name: JSONString?, isUnfinished: Bool, _ message: String) {
        self.value = value
        self.name = name
        self.isUnfinished = isUnfinished
        self.message = message
    }
}

/// Which pushes a schema is about, and which part of their payload.
package struct SchemaScope: Sendable {
    /// Topics, with `*` and `?`; nil for all pushes. Messages for Google's services have none.
    private let topic: TopicPattern?
    /// An `apns-push-type`; nil for all pushes.
    private let pushType: PushType?
    /// The reference tokens of a JSON Pointer (RFC 6901).
    let pointer: [String]

    package init(topic: String? = nil, pushType: PushType? = nil, pointer: [String] = []) {
        self.topic = topic.map { TopicPattern($0) }
        self.pushType = pushType
        self.pointer = pointer
    }

    /// True if it includes a push with these headers.
    func applies(topic name: () -> String?, pushType type: () -> PushType?) -> Bool {
        if let pushType, type() != pushType { return false }
        guard let topic else { return true }
        guard let name = name() else { return false }
        return topic.matches(Array(name.utf8))
    }
}

/// A pattern of topics: `*` stands for any text, `?` for one byte.
struct TopicPattern: Sendable {
    private let pattern: [UInt8]

    init(_ pattern: String) { self.pattern = Array(pattern.utf8) }

    /// O(text × pattern).
    func matches(_ text: [UInt8]) -> Bool {
        var position = 0
        var index = 0
        /// After the last star, and where in the text it ends as tried.
        var retry: (position: Int, index: Int)?
        while index < text.count {
            if position < pattern.count, pattern[position] == UInt8(ascii: "*") {
                position += 1
                retry = (position, index)
            } else if position < pattern.count,
                pattern[position] == UInt8(ascii: "?") || pattern[position] == text[index]
            {
                position += 1
                index += 1
            } else if let last = retry {
                retry = (last.position, last.index + 1)
                position = last.position
                index = last.index + 1
            } else {
                return false
            }
        }
        return pattern[position...].allSatisfy { $0 == UInt8(ascii: "*") }
    }
}

/// Hands the payloads of records to a reader.
package final class PayloadWalk {
    private let run: LintRun
    private let text = LintText()
    private let cutter: RecordCutter
    private var finder: RecordFinder
    /// Records that are not JSON, which are left out.
    package private(set) var malformed = 0

    /// - Parameter options: how records are read.
    package init(_ options: LintOptions, _ reader: any PayloadReader) {
        run = LintRun(options.decoding, [reader])
        finder = RecordFinder(options.decoding.location)
        cutter = RecordCutter(framing: options.framing, maximumRecordBytes: options.maximumRecordBytes)
    }

    /// Reads all records of a text.
    package func read(_ text: [UInt8]) {
        // SOUND: the pieces are ranges of these bytes, which live until the closure returns.
        unsafe text.withUnsafeBytes { bytes in
            for piece in unsafe cutter.pieces(of: bytes) {
                guard let range = piece.record else { continue }
                let line = unsafe UnsafeRawBufferPointer(rebasing: bytes[range])
                _ = unsafe finder.withRecord(in: line) { record, _ in
                    unsafe self.text.read(record)
                    guard let root = self.text.root else {
                        malformed += 1
                        return
                    }
                    run.restart()
                    run.checkRecord(root)
                }
            }
        }
    }
}
