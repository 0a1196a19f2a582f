package import PayloadJSON
import PushJSONRepair
package import PushModel

/// Decodes records into messages: detects a record's format, and reads it by the rules of its provider.
///
/// A decoder reads one record at a time, on any thread. Its messages borrow from the record's bytes, from the batch's
/// scratch memory, and from the decoder itself.
@safe  // SOUND: owns `blank`, which it only reads.
package struct RecordDecoder: ~Copyable {
    package let options: DecodingOptions
    let defaultDevice: OwnedText
    /// The same as a device of APNs.
    private let defaultToken: OwnedText
    let defaultTopic: OwnedText
    let replacementKey: OwnedText?
    /// A message as `appendMessage` begins with: a decoder copies it, because that is faster than to initialize one.
    let blank: UnsafePointer<DecodedMessage>
    /// True if `decodePlainEnvelope` may read records: a record with a payload is an APNs envelope, if nothing in it says
    /// otherwise, and there is no key to look for in payloads.
    let readsEnvelopes: Bool

    private var scanner = JSONScanner()
    private var tape = JSONTape()
    /// A scanner and tape for each level of JSON inside strings, created when a record first has that level.
    private var nested = [NestedScan?](repeating: nil, count: NestedScan.maximumLevel + 1)
    /// Derived payloads are composed here.
    var writer = ByteBuffer()

    package init(options: DecodingOptions) {
        self.options = options
        defaultDevice = OwnedText(options.device)
        defaultToken = OwnedText(DeviceToken.canonical(options.device))
        defaultTopic = OwnedText(options.topic)
        replacementKey = options.replacementKey.map { OwnedText($0) }
        readsEnvelopes =
            !options.readsDevices && (options.format == nil || options.format == .apns) && replacementKey == nil
            && !options.assumesMutable
        // SOUND: the message is initialized here, and borrows from the decoder's own texts.
        let blank = UnsafeMutablePointer<DecodedMessage>.allocate(capacity: 1)
        var message = DecodedMessage(record: 0, device: defaultToken.text)
        message.topic = defaultTopic.text
        unsafe blank.initialize(to: message)
        unsafe self.blank = UnsafePointer(blank)
    }

    deinit {
        // SOUND: allocated by the initializer, and freed once. A message needs no deinitialization.
        unsafe blank.deallocate()
    }

    /// Appends the record's messages to the batch: at least one, which stands for the record if it contains none.
    package mutating func decode(
        _ text: UnsafeRawBufferPointer, record: Int, into batch: inout MessageBatch
    ) {
        // SOUND: the caller keeps `text` alive as long as the batch's messages, and the tape is of this text.
        let first = batch.messageCount
        if let fault = unsafe scanner.scan(text, into: &tape) {
            if options.acceptsRelaxedJSON, unsafe decodeRelaxed(text, fault, record: record, into: &batch) { return }
            if fault.kind == .invalidUTF8, let readable = unsafe oversizedRequest(text, into: &batch) {
                unsafe decode(readable.bytes, record: record, into: &batch)
                rejectForSize(&batch)
                return
            }
            let foreign = unsafe ForeignText(text).map {
                DecodeFailure(rule: ForeignText.rule.description, message: $0.message)
            }
            var failure = unsafe foreign ?? DecodeFailure(fault, in: text).located(in: text)
            if foreign == nil { unsafe failure.findCause(in: text) }
            if foreign == nil, fault.rule.description == "json.syntax", unsafe UnknownShape.isObjectAfterText(text) {
                failure.message += options.advice(.skipPrefix)
            }
            batch.append(failure, record: record)
            return
        }
        guard let root = unsafe tape.root(of: text) else { return }
        if decodePlainEnvelope(root, record: record, into: &batch) {
            // Nearly all records of most streams.
        } else if let decodeFailure = decode(root, RecordOrigin(record: record), into: &batch) {
            unsafe batch.append(decodeFailure.located(in: text), record: record)
        }
        if !tape.notes.isEmpty { unsafe report(tape, of: text, prefix: "", message: first, into: &batch) }
        if batch.messageCount - first > 1 { numberTargets(from: first, in: &batch) }
    }

    /// Reads a record that `strictFault` found not to be strict JSON. False when relaxed reading gets no further.
    private mutating func decodeRelaxed(
        _ text: UnsafeRawBufferPointer, _ strictFault: JSONFault, record: Int, into batch: inout MessageBatch
    ) -> Bool {
        // SOUND: the copy lives as long as the batch, and the tape is of this copy.
        let reading = unsafe RelaxedReading(text)
        guard let strict = reading.text else {
            // Blame what stopped relaxed reading, and not what it accepts.
            guard let fault = reading.fault, fault.offset > strictFault.offset else { return false }
            unsafe batch.append(DecodeFailure(fault, in: text).located(in: text), record: record)
            return true
        }
        let copy = unsafe strict.withUnsafeBytes { unsafe batch.scratch.copy($0) }
        let first = batch.messageCount
        let scan = nestedScan(NestedScan.maximumLevel)
        guard unsafe scan.scanner.scan(copy.bytes, into: &scan.tape) == nil,
            let root = unsafe scan.tape.root(of: copy.bytes)
        else { return false }
        if let decodeFailure = decode(root, RecordOrigin(record: record), into: &batch) {
            var moved = decodeFailure
            moved.offset = reading.originalOffset(decodeFailure.offset)
            unsafe batch.append(moved.located(in: text), record: record)
        }
        unsafe report(scan.tape, of: copy.bytes, prefix: "", message: first, into: &batch)
        let finding = Finding(
            rule: "json.relaxed", severity: .info, pointer: "",
            message: "read as strict JSON after \(reading.summary)")
        batch.report(finding, message: first)
        if batch.messageCount - first > 1 { numberTargets(from: first, in: &batch) }
        return true
    }

    private func numberTargets(from first: Int, in batch: inout MessageBatch) {
        // SOUND: every index is below `messageCount`.
        for index in first..<batch.messageCount { unsafe batch.messages[index].target = index - first }
    }

    /// Reports the scanner's notes about a text, as findings about the record's first message.
    func report(
        _ tape: borrowing JSONTape, of text: UnsafeRawBufferPointer, prefix: String, message: Int,
        into batch: inout MessageBatch
    ) {
        // SOUND: the tape is of this text.
        for note in tape.notes {
            let pointer = unsafe prefix + tape.pointer(to: note.entry, in: text)
            let finding =
                switch note.kind {
                case .duplicateKey:
                    Finding(
                        rule: "json.duplicate-key", severity: .warning, pointer: pointer,
                        message: "the name occurs more than once in its object; the last value is used")
                case .numberOutOfRange:
                    Finding(
                        rule: "json.number-out-of-range", severity: .warning, pointer: pointer,
                        message: "the number does not fit into 64 bits or a double; readers will round it or refuse it")
                case .loneSurrogate:
                    Finding(
                        rule: "json.lone-surrogate", severity: .warning, pointer: pointer,
                        message: "half of a surrogate pair is not a character; readers replace it or refuse the text")
                case .nulInKey:
                    Finding(
                        rule: "json.nul-in-key", severity: .warning, pointer: pointer,
                        message: "a NUL in a member name ends the name early for many readers")
                }
            batch.report(finding, message: message)
        }
    }

    // MARK: - JSON inside strings

    /// Scans the JSON text in `string`, and passes its outermost value to `body`.
    ///
    /// - Returns: A failure whose offset is relative to the text that contains `string`. The offset of the failure that
    ///   `body` returns is relative to the inner text.
    mutating func withText(
        in string: JSONString, at offset: Int, _ origin: RecordOrigin, into batch: inout MessageBatch,
        _ body: (inout RecordDecoder, JSONView, RecordOrigin, inout MessageBatch) -> DecodeFailure?
    ) -> DecodeFailure? {
        // SOUND: the text is in the record, or in scratch memory that lives as long as the batch.
        let text = unsafe batch.scratch.text(string).bytes
        return unsafe withScan(of: text, origin, into: &batch, body).map { decodeFailure in
            var moved = decodeFailure
            moved.offset = offset + 1 + string.rawOffset(ofDecoded: decodeFailure.offset)
            return moved
        }
    }

    private mutating func nestedScan(_ level: Int) -> NestedScan {
        if let scan = nested[level] { return scan }
        let scan = NestedScan()
        nested[level] = scan
        return scan
    }

    /// Scans a text that lives as long as the batch, one level deeper, and passes its outermost value to `body`.
    mutating func withScan(
        of text: UnsafeRawBufferPointer, _ origin: RecordOrigin, into batch: inout MessageBatch,
        _ body: (inout RecordDecoder, JSONView, RecordOrigin, inout MessageBatch) -> DecodeFailure?
    ) -> DecodeFailure? {
        // SOUND: the caller keeps the text alive as long as the batch, and the tape is of this text.
        guard origin.level < NestedScan.maximumLevel else {
            return DecodeFailure(rule: "json.too-deep", message: "too many levels of JSON inside strings")
        }
        let scan = nestedScan(origin.level)
        if let fault = unsafe scan.scanner.scan(text, into: &scan.tape) { return unsafe DecodeFailure(fault, in: text) }
        guard let root = unsafe scan.tape.root(of: text) else { return nil }
        var inner = origin
        inner.level += 1
        let first = batch.messageCount
        let decodeFailure = body(&self, root, inner, &batch)
        if decodeFailure == nil, first < batch.messageCount, !scan.tape.notes.isEmpty, !origin.isDerived {
            unsafe report(scan.tape, of: text, prefix: origin.pointer, message: first, into: &batch)
        }
        return decodeFailure
    }

    /// Writes a payload with `compose`, scans it, and passes its outermost value to `body`.
    mutating func withDerived(
        _ origin: RecordOrigin, into batch: inout MessageBatch, compose: (inout ByteBuffer) -> Void,
        _ body: (inout RecordDecoder, JSONView, RecordOrigin, inout MessageBatch) -> DecodeFailure?
    ) -> DecodeFailure? {
        // SOUND: the copy lives as long as the batch.
        writer.removeAll()
        compose(&writer)
        let text = unsafe batch.scratch.copy(writer.bytes)
        var derived = origin
        derived.isDerived = true
        return unsafe withScan(of: text.bytes, derived, into: &batch, body).map { decodeFailure in
            // Positions in the derived text mean nothing to the user.
            var moved = decodeFailure
            moved.offset = 0
            return moved
        }
    }
}

/// A scanner for JSON inside JSON. A class, so that a decoder can hold several.
final class NestedScan {
    /// SNS request, its message, a platform's text, the text derived from it; and the last level for relaxed JSON.
    static let maximumLevel = 6

    var scanner = JSONScanner()
    var tape = JSONTape()
}

/// Where a value comes from, and what its surroundings say about the message in it.
struct RecordOrigin {
    var record: Int
    /// JSON Pointer to the value in the record.
    var pointer = ""
    /// The number of JSON strings that enclose it.
    var level = 0
    var gateway: Gateway?
    /// The target that the surroundings name, or the endpoint that they stand for.
    var device: BorrowedText?
    /// True if the surroundings stand for a target, so that the message need not name one.
    var impliesTarget = false
    var platform: Platform?
    var pushType: PushType?
    var budget: Budget?
    /// See `DecodedMessage.secondsKept`.
    var secondsKept: Int32?
    /// True if this package composed the text, so that positions in it mean nothing to the user.
    var isDerived = false
    var isDryRun = false
}

extension DecodeFailure {
    init(_ fault: JSONFault, in text: UnsafeRawBufferPointer) {
        // SOUND: the fault is of this text.
        unsafe self.init(rule: fault.rule.description, message: fault.message(in: text), offset: fault.offset)
    }

    /// The failure with the line and column of its offset in `text`.
    func located(in text: UnsafeRawBufferPointer) -> DecodeFailure {
        // SOUND: the offset of a failure is at most the length of its text.
        var located = self
        located.position = unsafe TextPosition(of: offset, in: text)
        return located
    }
}

extension RecordDecoder {
    /// Replaces a message's payload by another that has been scanned and lives as long as the message.
    package func adopt(
        _ payload: BorrowedText, _ root: JSONView, for message: inout DecodedMessage, _ batch: inout MessageBatch
    ) {
        message.payload = payload
        switch message.platform {
        case .ios:
            readAPNsContent(root, into: &message, &batch)
            message.byteCount = payload.count
        case .android, .web:
            let parts = GoogleParts(root, of: message.provider, on: message.platform)
            parts.read(into: &message.content, &batch)
            message.byteCount = parts.byteCount
        }
    }

    /// Reads a request of GCM, or an FCM v1 message in its request, again: for a device of another platform.
    ///
    /// - Parameters:
    ///   - text: lives as long as the batch.
    ///   - message: as it was decoded before.
    package mutating func decode(
        _ text: BorrowedText, like message: DecodedMessage, for platform: Platform, into batch: inout MessageBatch
    ) {
        // SOUND: the caller keeps the text alive.
        var origin = RecordOrigin(record: message.record)
        origin.pointer = message.place.string
        origin.gateway = message.gateway
        origin.platform = platform
        origin.device = message.device
        origin.impliesTarget = true
        origin.isDerived = message.provider == .fcm && message.payloadPointer.utf8CodeUnitCount == 0
        _ = unsafe withScan(of: text.bytes, origin, into: &batch) { decoder, root, origin, batch in
            message.provider == .fcm
                ? decoder.decodeFCM(root, origin, into: &batch) : decoder.decodeGCM(root, origin, into: &batch)
        }
    }
}
