package import PushJSON
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
    /// The default device as one of APNs.
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
        for index in first..<batch.messageCount { batch[index].target = index - first }
    }

    /// Reports the scanner's notes about a text, as findings about the record's first message.
    func report(
        _ tape: borrowing JSONTape, of text: UnsafeRawBufferPointer, prefix: String, message: Int,
        into batch: inout MessageBatch
    ) {
        // SOUND: the tape is of this text.
        for note in tape.notes {
            let pointer = unsafe prefix + tape.pointer(to: note.entry, in: text)
            let (rule, text) =
                switch note.kind {
                case .duplicateKey:
                    ("duplicate-key", "the name occurs more than once in its object; the last value is used")
                case .numberOutOfRange:
                    (
                        "number-out-of-range",
                        "the number fits neither 64 bits nor a double; readers will round it or refuse it"
                    )
                case .loneSurrogate:
                    (
                        "lone-surrogate",
                        "half of a surrogate pair is not a character; readers replace it or refuse the text"
                    )
                case .nulInKey: ("nul-in-key", "a NUL in a member name: many readers end the name there")
                }
            let finding = Finding(rule: "json.\(rule)", severity: .warning, pointer: pointer, message: text)
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

    /// Writes a request to a provider, or a payload for APNs, with `compose`, and decodes it.
    mutating func decodeDerived(
        _ origin: RecordOrigin, as provider: Provider, into batch: inout MessageBatch,
        compose: (inout ByteBuffer) -> Void
    ) -> DecodeFailure? {
        withDerived(origin, into: &batch, compose: compose) { decoder, root, origin, batch in
            decoder.decodeRequest(root, to: provider, origin, into: &batch)
        }
    }

    /// Decodes a request to GCM or FCM, or a payload for APNs.
    private mutating func decodeRequest(
        _ root: JSONView, to provider: Provider, _ origin: RecordOrigin, into batch: inout MessageBatch
    ) -> DecodeFailure? {
        switch provider {
        case .apns: decodeAPNsBody(root, origin, into: &batch)
        case .gcm: decodeGCM(root, origin, into: &batch)
        case .fcm: decodeFCM(root, origin, into: &batch)
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

/// The origin of a value, and what its surroundings say about the message in it.
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
    /// The rules of records that are JSON and have no message.
    enum Shape: String {
        case notAnObject = "record.not-an-object"
        case unknownShape = "record.unknown-shape"
        case payloadType = "record.payload-type"
        case nothingToSend = "record.nothing-to-send"
    }

    init(_ shape: Shape, _ message: String, at view: JSONView) {
        self.init(rule: shape.rawValue, message: message, offset: view.offset)
    }

    init(_ fault: JSONFault, in text: UnsafeRawBufferPointer) {
        // SOUND: the fault is of this text.
        unsafe self.init(rule: fault.rule.description, message: fault.message(in: text), offset: fault.offset)
    }

    /// The longest text whose mistake is looked for: some payloads. The linter reads longer ones, too.
    private static let longestText = 64 * 1024  // 64 KiB

    /// Notes which mistake makes a text no JSON, as the linter names it, and whether the linter fixes it. O(n log n) in bytes.
    mutating func findCause(in text: UnsafeRawBufferPointer) {
        // SOUND: the caller keeps the text alive during the call.
        guard rule == "json.syntax", text.count <= Self.longestText else { return }
        let repair = unsafe JSONRepair(text)
        guard let first = repair.problems.first else { return }
        isFixable = repair.text != nil && repair.problems.allSatisfy(\.isSafe)
        if first.kind.rawValue != rule { cause = first.kind.rawValue }
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
            decoder.decodeRequest(root, to: message.provider, origin, into: &batch)
        }
    }
}

extension RecordDecoder {
    /// A copy of a request to APNs that is over its limit and not UTF-8, with a question mark in place of each wrong byte; nil for any other
    /// record. Such a request is rejected for its size, so what the bytes say does not matter.
    ///
    /// Source: pushy's mock server, which measures a body and does not read it.
    @inline(never)
    func oversizedRequest(
        _ text: UnsafeRawBufferPointer, into batch: inout MessageBatch
    ) -> BorrowedText? {
        // SOUND: the caller keeps the text alive. The trial's messages are used only while its bytes and its decoder are alive.
        guard text.count > Budget.apnsBinary.bytes else { return nil }
        let readable = unsafe Self.readable(text)
        var decoder = RecordDecoder(options: options)
        var trial = MessageBatch()
        let isOversized = unsafe readable.withUnsafeBytes { bytes in
            unsafe decoder.decode(bytes, record: 0, into: &trial)
            defer { withExtendedLifetime(decoder) {} }
            guard trial.messageCount == 1, trial.decodeFailures.isEmpty, trial.events.isEmpty else { return false }
            return trial[0].provider == .apns && trial[0].gateway == nil
                && trial[0].payload.count > trial[0].limitOfAPNs(forced: options.budget)
        }
        return unsafe isOversized ? readable.withUnsafeBytes { unsafe batch.scratch.copy($0) } : nil
    }

    /// Rejects the batch's last message, whose payload is over its limit and not JSON: APNs measures a body before it reads it. This comes before
    /// the headers and the device. The path comes first, and the binary interface has an order of its own.
    @inline(never)
    func rejectForSize(_ batch: inout MessageBatch) {
        let index = batch.messageCount - 1
        let limit = batch[index].limitOfAPNs(forced: options.budget)
        let isBinary =
            options.budget?.isBinaryInterface == true || Budget.isLimitOfBinaryInterface(batch[index].byteLimit)
        guard !isBinary, batch[index].headers.rejection != .badPath else { return }
        let bytes = batch[index].payload.count
        batch.reject(
            .payloadTooLarge, pointer: batch[index].payloadPath,
            "payload of \(bytes) bytes, over the limit of \(limit)",
            message: index)
    }

    /// A copy in UTF-8 with the same number of bytes.
    private static func readable(_ text: UnsafeRawBufferPointer) -> [UInt8] {
        // SOUND: the caller keeps the text alive.
        var readable: [UInt8] = []
        readable.reserveCapacity(text.count)
        var parser = Unicode.UTF8.ForwardParser()
        var bytes = unsafe text.makeIterator()
        while true {
            switch unsafe parser.parseScalar(from: &bytes) {
            case .valid(let scalar): readable.append(contentsOf: scalar)
            case .error(let length): readable.append(contentsOf: repeatElement(UInt8(ascii: "?"), count: length))
            case .emptyInput: return readable
            }
        }
    }
}

/// A member of an envelope: of an object with a `payload` that is not a payload itself.
///
/// Documentation/reference/formats.md has their meanings.
enum EnvelopeMember {
    private static let names: [StaticString] = [
        "payload", "device", "headers", "provider", "refused", "budget", "answer", "pushpipe-ignore",
    ]

    /// Names that other interfaces have for the device, folded.
    private static let namesOfDevice: Set = ["token", "devicetoken", "devicetokens", "pushtoken", "registrationid"]

    /// The headers of APNs by their folded names, with and without `apns`.
    private static let headers: [String: StaticString] = {
        var headers: [String: StaticString] = [:]
        for header in APNsHeader.allCases {
            let folded = String(decoding: NearMiss.folded(header.name.description), as: UTF8.self)
            headers[folded] = header.name
            if header != .id { headers[String(folded.dropFirst("apns".count))] = header.name }
        }
        return headers
    }()

    /// Reports the members that an envelope does not have: they are ignored, and may have been meant to decide who gets the push.
    ///
    /// - Parameter message: the record's first message; nothing is reported if there is none.
    @inline(never)
    static func reportUnknown(
        in root: JSONView, _ origin: RecordOrigin, message: Int, _ batch: inout MessageBatch
    ) {
        guard batch.messageCount > message else { return }
        var reported = 0
        for (key, _) in root.members where reported < Finding.maximumPerRecord {
            if names.contains(where: { key == $0 }) { continue }
            reported += 1
            let name = key.string
            let meant = meaning(of: name).map { "; did you mean \($0)?" }
            let finding = Finding(
                rule: "record.unknown-member", severity: .warning,
                pointer: "\(origin.pointer)/\(JSONPointer.escape(name))",
                message: "an envelope has no member \(UnknownShape.named(name)); it is ignored\(meant ?? "")")
            batch.report(finding, message: message)
        }
    }

    /// The member that a name stands for in other interfaces, or resembles.
    private static func meaning(of name: String) -> String? {
        guard name.utf8.count <= NameSuggestion.longest else { return nil }
        let folded = String(decoding: NearMiss.folded(name), as: UTF8.self)
        if namesOfDevice.contains(folded) { return "device" }
        return headers[folded].map { "\($0) in headers" }
            ?? NameSuggestion.nearest(to: name, among: names.map(\.description))
    }
}

extension RecordDecoder {
    /// A GCM request, or FCM's legacy HTTP request: one message for each of its targets.
    mutating func decodeGCM(
        _ root: JSONView, _ origin: RecordOrigin, into batch: inout MessageBatch
    ) -> DecodeFailure? {
        let request = LegacyRequest(root)
        var message = newMessage(.gcm, origin, &batch)
        message.payload = root.text
        if request.registrationIDs != nil { message.payload = withoutTargets(root, &batch) }
        message.platform = options.platform ?? origin.platform ?? .android
        // The payload for an Android device still contains it; the one derived for an iOS device does not. A value out
        // of range is rejected later.
        if message.platform == .ios, message.secondsKept == nil {
            message.secondsKept = request.timeToLive?.int64.flatMap { Int32(exactly: $0) }
        }
        if let package = request.packageName?.string { message.topic = batch.scratch.text(package) }
        if let dryRun = request.dryRun { message.isDryRun = message.isDryRun || dryRun.kind == .true }
        let parts = GoogleParts(request, on: message.platform)
        message.byteCount = parts.byteCount
        parts.read(into: &message.content, &batch)

        let first = batch.messageCount
        let targets = appendTargets(of: request, &message, origin, &batch)
        if let failure = request.failure(targetCount: targets, impliesTarget: origin.impliesTarget) {
            for index in first..<batch.messageCount {
                batch.reject(
                    failure.rejection, pointer: origin.pointer + failure.pointer, failure.message, message: index)
            }
        }
        guard message.platform == .ios else { return nil }
        return deriveForIOS(
            DerivedParts(
                notification: request.notification, data: request.data,
                isSilent: request.contentAvailable?.kind == .true, isMutable: request.mutableContent?.kind == .true),
            origin, from: first, into: &batch)
    }

    /// Appends a message for each target, or one without a target if there is none, and returns the number of targets. Leaves that of the
    /// last one in `message`, which is not copied for it. Mutating for the same reason as `readEnvelope`.
    private mutating func appendTargets(
        of request: LegacyRequest, _ message: inout DecodedMessage, _ origin: RecordOrigin, _ batch: inout MessageBatch
    ) -> Int {
        var count = 0
        message.byteLimit = options.budget?.bytes ?? Budget.gcm.bytes
        if let ids = request.registrationIDs, ids.kind == .array {
            var elements = ids.elements
            message.isTopicOfTarget = request.packageName != nil
            while count < LegacyRequest.maximumTargets, let id = elements.next() {
                message.device = text(of: id, in: &batch)
                let isMalformed = !RegistrationToken.isPlausible(message.device) || !id.isString
                batch.append(copyOf: &message)
                if isMalformed {
                    batch.reject(
                        .invalidRegistration, pointer: origin.pointer + "/registration_ids/\(count)",
                        message: batch.messageCount - 1)
                }
                count += 1
            }
            if count > 0 { return count }
        }
        guard let target = request.to ?? request.condition ?? request.notificationKey else {
            if message.device.hasPrefix("/topics/") {
                message.isForTopic = true
                message.byteLimit = options.budget?.bytes ?? Budget.gcmTopic.bytes
            }
            message.isTopicOfTarget =
                request.packageName != nil && origin.impliesTarget && !message.device.hasPrefix("/topics/")
            batch.append(copyOf: &message)
            if origin.impliesTarget, !RegistrationToken.isPlausible(message.device) {
                batch.reject(
                    message.device.isEmpty ? .missingRegistration : .invalidRegistration, pointer: "/device",
                    message: batch.messageCount - 1)
            }
            return 0
        }
        message.device = text(of: target, in: &batch)
        if request.to == nil && request.condition != nil || message.device.hasPrefix("/topics/") {
            message.isForTopic = true
            message.byteLimit = options.budget?.bytes ?? Budget.gcmTopic.bytes
        } else {
            message.isTopicOfTarget = request.packageName != nil
        }
        batch.append(copyOf: &message)
        if message.device.isEmpty { return 0 }
        if request.condition == nil, target.isString, !RegistrationToken.isPlausible(message.device) {
            let name = request.to == nil ? "/notification_key" : "/to"
            batch.reject(
                .invalidRegistration, pointer: origin.pointer + name, message: batch.messageCount - 1)
        }
        return 1
    }

    /// The request as each of many targets receives it: without the list of targets, which may be longer than
    /// everything else.
    private mutating func withoutTargets(_ root: JSONView, _ batch: inout MessageBatch) -> BorrowedText {
        // SOUND: the writer's bytes are copied, and do not change in between.
        writer.removeAll()
        writer.appendObject { out in out.appendMembers(of: root) { !($0 == "registration_ids") } }
        return unsafe batch.scratch.copy(writer.bytes)
    }
}

extension RecordDecoder {
    mutating func decode(
        _ root: JSONView, _ origin: RecordOrigin, into batch: inout MessageBatch
    ) -> DecodeFailure? {
        guard root.isObject else {
            if options.format == .expo && root.kind == .array || options.format == nil && ExpoRequest.isList(root) {
                return ExpoRequest(root).decode(origin, by: &self, into: &batch)
            }
            let advice = root.kind == .array ? ", not an array: jq -c '.[]' FILE | pushpipe …" : ""
            return DecodeFailure(.notAnObject, "a record must be a JSON object\(advice)", at: root)
        }
        let keys = TopLevelKeys(of: root)
        var format = options.format
        if let named = keys.provider, !keys.hasAps {
            guard let known = named.string.flatMap({ RecordFormat(rawValue: $0.string) }) else {
                let names = RecordFormat.allCases.map(\.rawValue).joined(separator: ", ")
                return DecodeFailure(.unknownShape, "\"provider\" is not one of \(names)", at: named)
            }
            format = known
            // An envelope can contain any provider's request as its payload.
            if known != .apns, let payload = keys.payload {
                let first = batch.messageCount
                let failure = decodeEnveloped(payload, keys, as: known, origin, into: &batch)
                if keys.hasOtherMembers { EnvelopeMember.reportUnknown(in: root, origin, message: first, &batch) }
                return failure
            }
        }
        if options.readsDevices, keys.event == nil { return EventDecoder.decode(root, .device, origin, into: &batch) }
        if let event = keys.event {
            if let name = event.string.flatMap({ DeviceEvent.Name(rawValue: $0.string) }) {
                return EventDecoder.decode(root, name, origin, into: &batch)
            }
            if format == nil { return EventDecoder.unknown(event) }
        }
        guard let format = format ?? keys.format else { return UnknownShape.failure(root, options.advice) }
        return decode(root, keys, as: format, origin, into: &batch)
    }

    private mutating func decode(
        _ root: JSONView, _ keys: TopLevelKeys, as format: RecordFormat, _ origin: RecordOrigin,
        into batch: inout MessageBatch
    ) -> DecodeFailure? {
        switch format {
        case .apns:
            if let payload = keys.payload, !keys.hasAps {
                let first = batch.messageCount
                let failure = decodeAPNsEnvelope(payload, keys, origin, into: &batch)
                if keys.hasOtherMembers { EnvelopeMember.reportUnknown(in: root, origin, message: first, &batch) }
                return failure
            }
            return decodeAPNsBody(root, origin, into: &batch)
        case .gcm: return decodeGCM(root, origin, into: &batch)
        case .fcm: return decodeFCM(root, origin, into: &batch)
        case .airnotifier: return AirnotifierPush(root).decode(origin, by: &self, into: &batch)
        case .sns: return SNSRequest(root).decode(origin, by: &self, into: &batch)
        case .wikimedia: return WikimediaRequest(root: root).decode(origin, by: &self, into: &batch)
        case .moodle: return MoodleForm(root: root).decode(origin, by: &self, into: &batch)
        case .expo: return ExpoRequest(root).decode(origin, by: &self, into: &batch)
        }
    }

    /// `{"provider":"gcm","device":…,"payload":{…}}`: a request in an envelope, for a provider other than APNs.
    private mutating func decodeEnveloped(
        _ payload: JSONView, _ keys: TopLevelKeys, as format: RecordFormat, _ origin: RecordOrigin,
        into batch: inout MessageBatch
    ) -> DecodeFailure? {
        var inner = origin
        inner.pointer += "/payload"
        if let device = keys.device?.string {
            inner.device = batch.scratch.text(device)
            inner.impliesTarget = true
        }
        if let refused = keys.refused {
            let first = batch.messageCount
            // A body with line breaks stands in a string.
            if let string = payload.string {
                _ = withText(in: string, at: payload.offset, inner, into: &batch) { decoder, root, inner, batch in
                    decoder.refuse(refused, root, as: format, inner, into: &batch)
                }
            }
            return batch.messageCount > first ? nil : refuse(refused, payload, as: format, inner, into: &batch)
        }
        if let string = payload.string {
            return withText(in: string, at: payload.offset, inner, into: &batch) { decoder, root, inner, batch in
                guard root.isObject || format == .expo && root.kind == .array else { return Self.notAnObject(root) }
                return decoder.decode(root, TopLevelKeys(of: root), as: format, inner, into: &batch)
            }
        }
        guard payload.isObject || format == .expo && payload.kind == .array else { return Self.notAPayload(payload) }
        return decode(payload, TopLevelKeys(of: payload), as: format, inner, into: &batch)
    }

    /// Decodes an envelope with a request that a gateway refused before it looked at the message: `"refused"` has the provider's reason, or
    /// Airnotifier's. Of the payload only the target is read, and which service sends.
    private mutating func refuse(
        _ refused: JSONView, _ payload: JSONView, as format: RecordFormat, _ origin: RecordOrigin,
        into batch: inout MessageBatch
    ) -> DecodeFailure? {
        let service: (provider: Provider, platform: Platform)? =
            switch format {
            case .fcm: (.fcm, .android)
            case .gcm: (.gcm, .android)
            case .airnotifier: AirnotifierPush(payload).service ?? (.fcm, .android)
            case .moodle, .expo: (.apns, .ios)
            case .apns, .sns, .wikimedia: nil
            }
        let speaker = format == .moodle ? RecordFormat.airnotifier : format
        guard let (provider, platform) = service,
            let rejection = refused.string.flatMap({ Rejection.named($0.string, by: speaker.rawValue) })
        else {
            return DecodeFailure(.unknownShape, "\"refused\" must be a reason of the record's provider", at: refused)
        }
        var origin = origin
        if format == .airnotifier { origin.gateway = .airnotifier }
        if format == .expo { origin.gateway = .expo }
        if format == .moodle {
            origin.gateway = .moodle
            origin.budget = .apnsBinary
        }
        var message = newMessage(provider, origin, &batch)
        message.platform = provider == .apns ? .ios : options.platform ?? platform
        if provider != .apns { message.byteLimit = (options.budget ?? (provider == .gcm ? .gcm : .fcm)).bytes }
        let named = format == .fcm ? payload["message"] : payload
        if let target = (named?["token"] ?? named?["fid"] ?? named?["to"] ?? named?["topic"])?.string {
            let token = batch.scratch.text(target)
            if provider == .apns, format != .expo {
                message.setToken(token, &batch.scratch)
            } else {
                message.device = token
            }
        }
        message.payload = text(of: payload, in: &batch)
        batch.append(message)
        batch.reject(rejection, pointer: "/refused", message: batch.messageCount - 1)
        return nil
    }

    static func notAPayload(_ view: JSONView) -> DecodeFailure {
        DecodeFailure(.payloadType, "payload must be an object, or a string with the exact body", at: view)
    }

    static func notAnObject(_ view: JSONView) -> DecodeFailure {
        DecodeFailure(.payloadType, "the payload must be a JSON object", at: view)
    }
}

extension ShownContent {
    /// Reads a delivered payload and the changes of an extension. Empty when it cannot be read.
    ///
    /// - Parameter app: the site whose name a browser shows with a notification of its own, in place of one that the site fails to show.
    package init(
        payload: UnsafeRawBufferPointer, changes: BorrowedText = .empty, provider: Provider, platform: Platform,
        app: BorrowedText
    ) {
        // SOUND: the texts are alive during the call, and each tape is of the text that it is used with.
        var scanner = JSONScanner()
        var tape = JSONTape()
        guard unsafe scanner.scan(payload, into: &tape) == nil, let root = unsafe tape.root(of: payload) else {
            self.init()
            return
        }
        var batch = MessageBatch()
        let decoder = RecordDecoder(options: DecodingOptions())
        var message = DecodedMessage(record: 0, device: .empty)
        message.provider = provider
        message.platform = platform
        decoder.adopt(root.text, root, for: &message, &batch)
        if message.content.isRefused { message.content.becomeDefault(of: app) }
        if !changes.isEmpty, unsafe scanner.scan(changes.bytes, into: &tape) == nil,
            let root = unsafe tape.root(of: changes.bytes)
        {
            message.content.apply(root)
        }
        self.init(message.content)
    }
}
