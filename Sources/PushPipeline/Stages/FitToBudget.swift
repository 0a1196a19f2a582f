import PayloadJSON
import PushDecoding
public import PushModel

/// Shortens the texts of a message that exceeds its byte budget. Belongs before `ProviderValidation`.
///
/// Texts are cut at the end, one after another: the next text only if replacing the earlier ones by `…` does not suffice. The rest is as long
/// as the budget allows, ends between two grapheme clusters, and is followed by `…`. No other byte changes.
/// `Documentation/reference/formats.md` lists the texts and describes how they are counted.
///
/// Each cut adds a finding `fit.cut`. A message that does not fit even with every text cut stays as it was sent, with the finding
/// `fit.cannot`.
public struct FitToBudget: RecordStage {
    /// `fit`, as in `run --fit`.
    public let name = "fit"
    private let order: [AlertText]

    /// Creates a stage that may cut these texts, in this order. Repeated names have no effect.
    public init(order: [AlertText] = AlertText.allCases) {
        var distinct: [AlertText] = []
        for name in order where !distinct.contains(name) { distinct.append(name) }
        self.order = distinct
    }

    /// Shortens one message. A message that fits costs one comparison.
    public func process(_ message: inout PushMessage, context: StageContext) {
        let (bytes, limit) = context.size(of: message)
        guard bytes > limit else { return }
        let source = FittedPayload.Source(message, limit: limit, order: order)
        let scratch = context.scratch(Scratch.init)
        if let last = scratch.last, last.source == source {
            last.give(to: &message)
            for finding in last.findings { context.report(finding) }
            return
        }
        let plan = plan(for: message, bytes: bytes, limit: limit, context)
        if let payload = plan.payload { context.setPayload(payload, of: &message) }
        for finding in plan.findings { context.report(finding) }
        scratch.last = FittedPayload(
            source: source, message: plan.payload == nil ? nil : message, findings: plan.findings)
    }

    /// Shortens the messages of a chunk.
    public func process(_ chunk: inout RecordChunk, context: StageContext) {
        // Payloads are identified by their addresses, and the next chunk has other payloads at the same addresses.
        context.scratch(Scratch.init).last = nil
        processMessages(of: &chunk, context: context)
    }

    /// The result for the last payload that was too long.
    private final class Scratch {
        var last: FittedPayload?
    }

    // MARK: - Planning

    /// A text that can be cut.
    private struct Cut {
        var place: AlertTextPlace
        var text: ShortenableText
        var beginning: ShortenableText.Beginning

        /// Bytes of the payload that the ellipsis replaces.
        var range: Range<Int> { place.offset + beginning.writtenCount..<place.offset + place.text.count }
    }

    /// How to change a message, and the findings to report.
    private struct Plan {
        /// The payload with its texts cut; nil if it stays as it is.
        var payload: [UInt8]?
        /// Findings, in the order of cutting.
        var findings: [Finding] = []
    }

    private func plan(for message: PushMessage, bytes: Int, limit: Int, _ context: StageContext) -> Plan {
        let pointer = "\(message.place.string)\(message.payloadPointer)"
        let plan = context.withPayload(of: message) { payload in
            let places = order.flatMap {
                AlertTextPlace.all(of: $0, in: payload, of: message.provider, on: message.platform)
            }
            // Texts for Android are counted after unescaping; see `RecordDecoder.countedBytes`.
            let measure: TextMeasure = message.platform == .android ? .decoded : .written
            // The texts that must be cut, and the size of a message in which each of them is only an ellipsis.
            var texts: [(place: AlertTextPlace, text: ShortenableText)] = []
            var least = bytes
            for place in places where least > limit {
                let text = ShortenableText(place.text, measure: measure)
                least -= text.length - text.minimumLength
                texts.append((place, text))
            }
            guard least <= limit else {
                let reason =
                    places.isEmpty
                    ? "there is no text to cut in \(bytes) bytes, \(limit) are allowed"
                    : "cutting brings \(bytes) bytes down to \(least), \(limit) are allowed"
                return Plan(
                    findings: [Finding(rule: "fit.cannot", severity: .warning, pointer: pointer, message: reason)])
            }
            let cuts = Self.cuts(of: texts, room: limit - least)
            let findings = cuts.map { cut in
                Finding(
                    rule: "fit.cut", severity: .info,
                    // A pointer into a payload that the record does not contain verbatim would be meaningless.
                    pointer: message.isDerived ? pointer : pointer + cut.place.pointer,
                    message: "\(cut.place.name) cut from \(cut.text.length) to \(cut.beginning.length) bytes "
                        + "to fit \(limit)")
            }
            return Plan(payload: Self.payload(message.payload, with: cuts), findings: findings)
        }
        return plan ?? Plan()
    }

    /// Cuts the texts so that together they use `room` bytes in addition to their ellipses, or as close below that as whole characters allow.
    ///
    /// Assigns the room from the last text to the first, so that the last text in the cutting order is cut least.
    private static func cuts(of texts: [(place: AlertTextPlace, text: ShortenableText)], room: Int) -> [Cut] {
        var room = room
        var cuts: [Cut] = []
        for (place, text) in texts.reversed() {
            let allowed = text.minimumLength + room
            if text.length <= allowed {
                room = allowed - text.length
            } else {
                let beginning = text.beginning(in: allowed)
                room = allowed - beginning.length
                cuts.append(Cut(place: place, text: text, beginning: beginning))
            }
        }
        return cuts.reversed()
    }

    private static func payload(_ payload: BorrowedText, with cuts: [Cut]) -> [UInt8] {
        // SOUND: the cuts are in the order of the payload, lie within it, and do not overlap.
        var out: [UInt8] = []
        out.reserveCapacity(payload.count)
        var position = 0
        for cut in cuts.sorted(by: { $0.place.offset < $1.place.offset }) {
            unsafe out += payload.buffer[position..<cut.range.lowerBound]
            unsafe out += BorrowedText(cut.text.ellipsis).buffer
            position = cut.range.upperBound
        }
        unsafe out += payload.buffer[position...]
        return out
    }
}

/// The result of `FitToBudget` for a payload. Up to a thousand messages of one request share a payload, so it is cut only once.
struct FittedPayload {
    /// The inputs of the result. A payload is identified by its address, because a chunk frees no memory before its end.
    struct Source: Equatable {
        private let record: Int
        private let address: UInt
        private let count: Int
        private let limit: Int
        private let order: [AlertText]

        init(_ message: PushMessage, limit: Int, order: [AlertText]) {
            // SOUND: an address is only a number here.
            record = message.record
            address = unsafe UInt(bitPattern: message.payload.start)
            count = message.payload.count
            self.limit = limit
            self.order = order
        }
    }

    let source: Source
    /// The message after cutting; nil if it was not changed.
    let message: PushMessage?
    let findings: [Finding]

    /// Gives the same payload to another message of the same request.
    func give(to other: inout PushMessage) {
        guard let message else { return }
        other.payload = message.payload
        other.byteCount = message.byteCount
        other.content = message.content
    }
}
