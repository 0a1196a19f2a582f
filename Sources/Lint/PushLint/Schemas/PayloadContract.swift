import PushFiles
package import PushJSON
package import PushModel
import PushText
import Synchronization

/// A demand of the user on payloads, such as a schema.
package struct PayloadContract: Sendable {
    /// Where it stands.
    private let path: String
    private let scope: SchemaScope
    /// Makes a reader that one linter uses.
    let makeReader: @Sendable () -> PayloadReader

    package init(_ path: String, _ scope: SchemaScope, makeReader: @escaping @Sendable () -> PayloadReader) {
        self.path = path
        self.scope = scope
        self.makeReader = makeReader
    }

    /// Says that payloads in its scope were linted, and none had the part that it is about; nil if that is not so.
    package var complaint: String? {
        guard scope.use.isMissed, !scope.use.isFound else { return nil }
        let pointer = scope.pointer.map { "/" + JSONPointer.escape($0) }.joined()
        return TerminalText.clean("no payload has \(pointer), which \(path) describes")
    }
}

/// Reads the parts of payloads that are in a scope.
package struct PayloadReader {
    let scope: SchemaScope
    /// Reads a part, and returns what is not permitted about it. Nil is data that is not there, which is read as an empty object.
    let read: (JSONView?) -> [ContractFailure]

    package init(_ scope: SchemaScope, read: @escaping (JSONView?) -> [ContractFailure]) {
        self.scope = scope
        self.read = read
    }
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

/// The pushes that a schema is about, and the part of their payload.
package struct SchemaScope: Sendable {
    package enum Provider: String, Sendable {
        /// Objects with `aps`, in requests of all kinds.
        case apns
        /// The `data` of messages for FCM and GCM.
        case fcm
    }

    /// Nil for both.
    let provider: Provider?
    private let hasTopic: Bool
    /// The topics, if it is not for all pushes; nil for a pattern that matches none. Messages for Google's services have none.
    private let topics: GlobPattern?
    /// An `apns-push-type`; nil for all pushes.
    private let pushType: PushType?
    /// The reference tokens of a JSON Pointer (RFC 6901).
    let pointer: [String]
    /// Shared by all linters.
    let use = Use()

    /// Records whether payloads have something at the pointer.
    final class Use: Sendable {
        private let found = Atomic(false)
        private let missed = Atomic(false)

        var isFound: Bool { found.load(ordering: .relaxed) }
        var isMissed: Bool { missed.load(ordering: .relaxed) }

        func note(_ part: LintNode?) {
            if part == nil { missed.store(true, ordering: .relaxed) } else { found.store(true, ordering: .relaxed) }
        }
    }

    package init(
        _ provider: Provider? = nil, topic: String? = nil, pushType: PushType? = nil, pointer: [String] = []
    ) {
        self.provider = provider
        hasTopic = topic != nil
        topics = topic.flatMap { GlobPattern($0.utf8, .configuration) }
        self.pushType = pushType
        self.pointer = pointer
    }

    /// True if it includes the data of messages for Google's services.
    var appliesToData: Bool { provider != .apns && !hasTopic && pushType == nil }

    /// True if it includes a push to APNs with these headers.
    func applies(topic name: () -> String?, pushType type: () -> PushType?) -> Bool {
        if provider == .fcm { return false }
        if let pushType, type() != pushType { return false }
        return !hasTopic || name().map { topics?.matches(Array($0.utf8)[...]) == true } ?? false
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
    package init(_ options: LintOptions, _ reader: PayloadReader) {
        run = LintRun(options.decoding, [reader])
        finder = RecordFinder(options.decoding.location)
        cutter = options.cutter
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
