import PushDecoding
import PushFraming
import PushJSON
import PushJSONRepair
import PushModel
import PushRedaction

/// Writes the records of delivered chunks, in input order, with what stages and service extensions changed in them.
final class RecordEmitter {
    private let emission: Emission
    private let configuration: PipelineConfiguration
    /// True if texts that no stage has redacted must not be written.
    private let redacts: Bool
    private let write: (BorrowedText) throws -> Void
    private(set) var summary = EmissionSummary()
    private var out = ByteBuffer()
    private var scanner = JSONScanner()
    private var tape = JSONTape()

    init(
        _ emission: Emission, _ configuration: PipelineConfiguration, to write: @escaping (BorrowedText) throws -> Void
    ) {
        self.emission = emission
        self.configuration = configuration
        redacts = configuration.recordStages.contains { $0 is RedactionStage }
        self.write = write
    }

    /// Writes the selected records of a chunk that has been delivered.
    func emit(_ chunk: borrowing RecordChunk) throws {
        // SOUND: the messages stay as they are during the call.
        out.removeAll()
        let messages = unsafe chunk.batch.messages
        var index = 0
        for record in chunk.frames.indices {
            let first = index
            while index < messages.count, unsafe messages[index].record == record { index += 1 }
            // A line without a record.
            if first == index { continue }
            // The store has it, or another part writes it.
            if let place = chunk.places?.places[record], place.isSkipped || place.isElsewhere { continue }
            let own = unsafe UnsafeMutableBufferPointer(rebasing: messages[first..<index])
            guard unsafe isSelected(own) else { continue }
            unsafe append(record, own, chunk)
        }
        if out.count > 0 { try out.withText(write) }
    }

    private func isSelected(_ messages: UnsafeMutableBufferPointer<DecodedMessage>) -> Bool {
        // SOUND: the caller vouches for the messages.
        switch emission.selection {
        case .all: true
        case .accepted: unsafe messages.contains { $0.isTaken }
        case .changed: unsafe messages.contains { $0.isTaken && $0.hasChanges }
        }
    }

    /// Counts a record that is not written. Always nil.
    @discardableResult
    private func missing(_ obstacle: EmissionObstacle) -> [UInt8]? {
        summary.missing[obstacle, default: 0] &+= 1
        return nil
    }

    // MARK: - One record

    /// Writes a record, or counts why it is not written.
    private func append(
        _ record: Int, _ messages: UnsafeMutableBufferPointer<DecodedMessage>, _ chunk: borrowing RecordChunk
    ) {
        // SOUND: the caller vouches for the messages; texts live as long as the chunk.
        if emission.form == .simctl { return unsafe appendForSimulator(messages, chunk.framing) }
        let known = redacts ? chunk.redactedRecords[record] : chunk.text(ofRecord: record)
        // Of a compressed file, only the beginning is known.
        guard let text = known, !text.isEmpty, unsafe !ForeignText.isContainer(text.bytes) else {
            missing(.unknown)
            return
        }
        let isPush = unsafe messages.contains { $0.isTaken }
        if emission.form == .envelope, isPush, unsafe !messages[0].isInEnvelope {
            return unsafe appendEnvelopes(of: text, messages, chunk.framing)
        }
        let isCopied = if case .copied = chunk.frames[record] { chunk.framing == .ndjson } else { false }
        if unsafe isPush && messages.contains(where: { $0.isTaken && $0.hasChanges }) {
            guard let changed = unsafe changed(text, messages) else { return }
            append(isCopied ? Self.onOneLine(changed) : changed, chunk.framing)
        } else if let strict = strict(text) {
            append(isCopied ? Self.onOneLine(strict) : strict, chunk.framing)
        } else if isCopied {
            append(unsafe Self.onOneLine(text.buffer), chunk.framing)
        } else {
            begin(chunk.framing)
            out.append(text)
            end(chunk.framing)
        }
    }

    /// A record is a line, and text from a string may have line breaks, which JSON has only between values.
    private static func onOneLine(_ text: some Sequence<UInt8>) -> [UInt8] {
        text.map { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") ? UInt8(ascii: " ") : $0 }
    }

    /// A text that was read as relaxed JSON, as strict JSON; nil for any other.
    private func strict(_ text: BorrowedText) -> [UInt8]? {
        // SOUND: the text lives as long as its chunk.
        guard configuration.decoding.acceptsRelaxedJSON, unsafe scanner.scan(text.bytes, into: &tape) != nil else {
            return nil
        }
        return unsafe RelaxedReading(text.bytes).text
    }

    /// The record with the changes of all its messages; nil with an obstacle, which has been counted.
    private func changed(
        _ text: BorrowedText, _ messages: UnsafeMutableBufferPointer<DecodedMessage>
    ) -> [UInt8]? {
        // SOUND: the caller vouches for the messages.
        var record = unsafe strict(text) ?? Array(text.buffer)
        var last: (place: BorrowedText, payload: BorrowedText, changes: BorrowedText)?
        for index in messages.indices {
            let message = unsafe messages[index]
            guard message.isTaken, message.hasChanges else { continue }
            guard !message.isDerived else { return missing(.derived) }
            if let last {
                // The messages of a request share their payload.
                if last.place == message.place, unsafe last.payload.start == message.payload.start,
                    last.changes == message.changes
                {
                    continue
                }
                // An extension gave each target another one.
                if last.place == message.place { return missing(.derived) }
            }
            last = (message.place, message.payload, message.changes)
            let pointer = message.place.string + message.payloadPointer.description
            guard let payload = payload(of: message) else { return nil }
            guard let tokens = JSONPointer.tokens(pointer),
                let merged = payload.withText({ PayloadMerge.record(record, replacing: tokens[...], with: $0) })
            else { return missing(.unwritable) }
            record = merged
        }
        return record
    }

    private func payload(of message: DecodedMessage) -> [UInt8]? {
        // SOUND: the payload lives as long as its chunk.
        guard !message.changes.isEmpty else { return unsafe Array(message.payload.buffer) }
        guard let payload = try? PayloadAfterExtension.payload(message.payload, message.changes) else {
            return missing(.unwritable)
        }
        guard payload.count <= message.byteLimit || emission.selection == .all else { return missing(.tooLarge) }
        return payload
    }

    // MARK: - Separators

    private func begin(_ framing: Framing) {
        if framing == .seq { out.append(UInt8(0x1E)) }
    }

    private func end(_ framing: Framing) {
        let byte: UInt8 = framing == .nul ? 0 : 0x0A
        out.append(byte)
        summary.written &+= 1
    }

    private func append(_ record: [UInt8], _ framing: Framing) {
        begin(framing)
        record.withText { out.append($0) }
        end(framing)
    }

    // MARK: - Simulators

    /// Writes what `xcrun simctl push` takes of each notification for an Apple device: a payload that names its app.
    ///
    /// Source: `xcrun simctl help push`. That it takes no other push types is UNCONFIRMED.
    private func appendForSimulator(
        _ messages: UnsafeMutableBufferPointer<DecodedMessage>, _ framing: Framing
    ) {
        // SOUND: the caller vouches for the messages.
        for index in messages.indices {
            let message = unsafe messages[index]
            guard message.isTaken, message.platform == .ios else { continue }
            let topic = message.app.string
            guard [nil, .alert, .background].contains(message.headers.pushType), message.gateway != .moodle,
                !PushType.table.contains(where: { row in
                    row.topicSuffix.utf8CodeUnitCount > 0 && topic.hasSuffix("\(row.topicSuffix)")
                })
            else {
                missing(.inexpressible)
                continue
            }
            guard let payload = payload(of: message) else { continue }
            append(Self.onOneLine(Self.forSimulator(payload, message.app)), .ndjson)
        }
    }

    private static let simulatorTarget: StaticString = "Simulator Target Bundle"

    private static func forSimulator(_ payload: [UInt8], _ app: BorrowedText) -> [UInt8] {
        payload.withJSON { root -> [UInt8] in
            guard !app.isEmpty, root[named: "\(simulatorTarget)"] == nil else { return payload }
            return .composed { out in
                out.append("{\"")
                out.append(simulatorTarget)
                out.append("\":")
                out.appendJSONString(app)
                var members = root.members
                if members.next() != nil { out.append(",") }
                // SOUND: the text is that of the payload, and is copied.
                unsafe Array(root.text.buffer.dropFirst()).withText { out.append($0) }
            }
        } ?? payload
    }

    // MARK: - Envelopes

    private func appendEnvelopes(
        of text: BorrowedText, _ messages: UnsafeMutableBufferPointer<DecodedMessage>, _ framing: Framing
    ) {
        // SOUND: the caller vouches for the messages.
        // All of them are made before the first is written, so that a record is written as a whole or not at all.
        var envelopes: [[UInt8]] = []
        var lastPlace: BorrowedText?
        for index in messages.indices {
            let message = unsafe messages[index]
            guard message.isTaken else { continue }
            guard message.gateway != .moodle, !(message.provider == .apns && message.isDryRun),
                // APNs knows no token of Expo's.
                message.gateway != .expo || message.provider != .apns || message.headers.hasHexadecimalToken
            else {
                missing(.inexpressible)
                return
            }
            if message.provider == .apns {
                guard let envelope = envelope(of: message) else { return }
                envelopes.append(envelope)
            } else if message.isComposed || message.isBare || (lastPlace.map { !($0 == message.place) } ?? true) {
                // One for all targets of a request to Google.
                lastPlace = message.place
                guard let envelope = unsafe googleEnvelope(of: message, text, messages) else { return }
                envelopes.append(envelope)
            }
        }
        for envelope in envelopes { append(envelope, framing) }
    }

    private func envelope(of message: DecodedMessage) -> [UInt8]? {
        var envelope = ByteBuffer()
        envelope.append("{")
        if !message.device.isEmpty, message.headers.isTargetNamed || !(message.device == "default"),
            message.headers.channelID == nil
        {
            envelope.append("\"device\":")
            envelope.appendJSONString(message.device)
            envelope.append(",")
        }
        var separator: StaticString = "\"headers\":{\""
        for header in APNsHeader.allCases {
            let value =
                switch header {
                case .pushType: message.pushTypeName
                case .expiration: message.expirationText
                default: message[header]
                }
            guard let value, !value.isEmpty else { continue }
            envelope.append(separator)
            envelope.append(header.name)
            envelope.append("\":")
            envelope.appendJSONString(value)
            separator = ",\""
        }
        if separator.utf8CodeUnitCount == 2 { envelope.append("},") }
        envelope.append("\"payload\":")
        guard let payload = payload(of: message) else { return nil }
        Self.append(payload, to: &envelope)
        envelope.append("}")
        // SOUND: the bytes are copied.
        return unsafe Array(envelope.bytes)
    }

    private func googleEnvelope(
        of message: DecodedMessage, _ text: BorrowedText, _ messages: UnsafeMutableBufferPointer<DecodedMessage>
    ) -> [UInt8]? {
        var envelope = ByteBuffer()
        envelope.append("{\"provider\":\"")
        envelope.append(message.provider == .fcm ? "fcm" : "gcm")
        envelope.append("\",")
        // A gateway's request has the target outside of Google's, and a multicast message has many.
        if message.gateway != nil || (message.isBare && message.isDerived) {
            envelope.append("\"device\":")
            envelope.appendJSONString(message.device)
            envelope.append(",")
        }
        envelope.append("\"payload\":")
        let request: [UInt8]
        if message.isBare {
            guard !message.isDerived || !message.hasChanges else { return missing(.derived) }
            let object = message.platform == .ios ? message.headers.text : message.payload
            request =
                unsafe Array("{\"message\":".utf8) + withoutProvider(Array(object.buffer)) + [UInt8(ascii: "}")]
        } else if message.isComposed {
            // What the gateway would send.
            guard !message.hasChanges else { return missing(.derived) }
            // Nothing in it says that its target is an Apple device.
            guard message.platform == .android else { return missing(.inexpressible) }
            let dryRun = message.isDryRun ? "\"validate_only\":true," : ""
            request =
                unsafe message.provider == .gcm
                ? Array(message.payload.buffer)
                : Array("{\(dryRun)\"message\":".utf8) + Array(message.payload.buffer) + [UInt8(ascii: "}")]
        } else {
            let hasChanges = unsafe messages.contains { $0.isTaken && $0.hasChanges }
            let record = hasChanges ? unsafe changed(text, messages) : unsafe strict(text) ?? Array(text.buffer)
            guard let record else { return nil }
            guard let found = value(at: message.place.string, in: record) else { return missing(.unwritable) }
            request = withoutProvider(found)
        }
        Self.append(request, to: &envelope)
        envelope.append("}")
        // SOUND: the bytes are copied.
        return unsafe Array(envelope.bytes)
    }

    /// A request without the member with which a record may name its provider. The envelope has it.
    private func withoutProvider(_ request: [UInt8]) -> [UInt8] {
        // SOUND: texts are copied.
        request.withJSON { root in
            guard root["provider"] != nil else { return request }
            var out: [UInt8] = []
            var members = root.members
            while let (key, value) = members.next() {
                if key == "provider" { continue }
                unsafe out +=
                    Array((out.isEmpty ? "{\"" : ",\"").utf8) + Array(key.raw.buffer) + Array("\":".utf8)
                    + Array(value.text.buffer)
            }
            return out + [UInt8(ascii: "}")]
        } ?? request
    }

    /// The text at a place in a record, which also leads into strings that hold JSON.
    private func value(at pointer: String, in record: [UInt8]) -> [UInt8]? {
        guard let location = RecordLocation(pointer: pointer.isEmpty ? nil : pointer) else { return nil }
        var locator = RecordLocator(location)
        var scratch = ScratchArena()
        // SOUND: the bytes live until the closure returns, and what is found is copied.
        return unsafe record.withUnsafeBytes { bytes in
            switch unsafe locator.locate(in: bytes, &scratch) {
            case .whole: record
            case .found(let found): unsafe Array(found.text.buffer)
            case .nothing: nil
            }
        }
    }

    /// Appends a payload as it is, or in a string if it has line breaks: its bytes are counted, and an envelope is a line.
    private static func append(_ payload: [UInt8], to envelope: inout ByteBuffer) {
        let isOneLine = !payload.contains { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }
        payload.withText {
            if isOneLine, !$0.isEmpty { envelope.append($0) } else { envelope.appendJSONString($0) }
        }
    }
}

extension DecodedMessage {
    /// True if its provider accepts it.
    fileprivate var isTaken: Bool {
        switch verdict {
        case .malformed, .rejected, .refused, .event: false
        case .accepted, .suppressed, .withheld, .fannedOut, .held, .expired, .discarded: true
        }
    }

    /// True if a stage or a service extension changed its payload.
    fileprivate var hasChanges: Bool { isChanged || !changes.isEmpty }

    /// True if the record is an envelope already.
    fileprivate var isInEnvelope: Bool {
        gateway == nil && (place.hasPrefix("/payload") || payloadPointer.description == "/payload")
    }

    /// True if the request itself, and not only a payload for an Apple device, was composed from a gateway's.
    fileprivate var isComposed: Bool { isDerived && gateway != nil && gateway != .sns }

    /// True if the record is a message for FCM without the request around it.
    fileprivate var isBare: Bool {
        provider == .fcm && gateway == nil && place.isEmpty && payloadPointer.utf8CodeUnitCount == 0
    }

    /// The push type that the record says, or that a gateway's request means.
    fileprivate var pushTypeName: BorrowedText? {
        if let text = headers.pushTypeText { return text }
        guard let type = headers.pushType else { return nil }
        // The payload says the same, and headers alone make an envelope a request that needs a topic.
        if topic.isEmpty, type == .alert || type == .background { return nil }
        return BorrowedText(type.row.wireName)
    }

    /// The expiration that the record says; 0 if its gateway says that it is not kept.
    fileprivate var expirationText: BorrowedText? { headers.expiration ?? (secondsKept == 0 ? BorrowedText("0") : nil) }
}

/// Which records a run writes besides its report, and how they look.
package struct Emission: Sendable, Equatable {
    package enum Selection: String, Sendable, CaseIterable {
        /// Those with a message that its provider accepts.
        case accepted
        /// Those of them with a payload that a stage or a service extension changed.
        case changed
        /// Every record, events and malformed ones too.
        case all
    }

    package enum Form: String, Sendable, CaseIterable {
        /// The record as it was read, except for what was changed.
        case input
        /// An envelope for each request: provider, device, headers and payload.
        case envelope
        /// The payload of each notification for an Apple device, as `xcrun simctl push` takes it.
        case simctl
    }

    package var selection: Selection
    package var form: Form

    package init(_ selection: Selection, as form: Form = .input) {
        self.selection = selection
        self.form = form
    }
}

/// Why a record that was to be written was not.
package enum EmissionObstacle: Sendable {
    /// It has a change in a payload that is not in the record as it is: a gateway's or Google's, made for Apple's devices.
    case derived
    /// Its text is not available, or may still contain what must be hidden: it is over the limit; or in a run that redacts it is malformed.
    case unknown
    /// A change cannot be put into it, for example beside a number that JSON libraries cannot represent.
    case unwritable
    /// It is over its budget with what an extension added.
    case tooLarge
    /// It says what an envelope cannot: that a push to APNs is a dry run, or that it is of a gateway's kind.
    case inexpressible
}

/// Counts of the records that a run wrote.
package struct EmissionSummary: Sendable, Equatable {
    /// Records and envelopes written.
    package internal(set) var written: UInt64 = 0
    /// Records that were to be written and were not.
    package internal(set) var missing: [EmissionObstacle: UInt64] = [:]
}
