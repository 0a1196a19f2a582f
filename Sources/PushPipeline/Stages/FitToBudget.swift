import PayloadJSON
import PushDecoding
public import PushModel

/// Shortens the texts of a message that is over its byte budget, so that it fits. Belongs before `ProviderValidation`.
///
/// Texts are cut at the end, one after the other: the next one only when those before it would not do as `…` alone. What is left is as
/// long as the budget allows, ends between two characters as a reader sees them, and is followed by `…`. No other byte changes.
/// `Documentation/reference/formats.md` says which texts there are, and how they are counted.
///
/// Each text that was cut is a finding `fit.cut`. A message that would not fit with every text cut is left as it was sent, with the
/// finding `fit.cannot`.
public struct FitToBudget: RecordStage {
    /// `fit`, as in `run --fit`.
    public let name = "fit"
    private let order: [AlertText]

    /// A stage that may cut these texts, in this order. A name that is given again changes nothing.
    public init(order: [AlertText] = AlertText.allCases) {
        var distinct: [AlertText] = []
        for name in order where !distinct.contains(name) { distinct.append(name) }
        self.order = distinct
    }

    /// Shortens one message. One that fits costs a comparison.
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
        // A payload's address says which one it is, and the next chunk has others at the same addresses.
        context.scratch(Scratch.init).last = nil
        processMessages(of: &chunk, context: context)
    }

    /// What was made of the last payload that was too long.
    private final class Scratch {
        var last: FittedPayload?
    }

    // MARK: - Planning

    /// A text that gives something.
    private struct Cut {
        var place: AlertTextPlace
        var text: ShortenableText
        var beginning: ShortenableText.Beginning

        /// Bytes of the payload that give way to the ellipsis.
        var range: Range<Int> { place.offset + beginning.writtenCount..<place.offset + place.text.count }
    }

    /// What to do about a message, and what to say about it.
    private struct Plan {
        /// The payload with its texts cut; nil when it is left as it is.
        var payload: [UInt8]?
        /// In the order of cutting.
        var findings: [Finding] = []
    }

    private func plan(for message: PushMessage, bytes: Int, limit: Int, _ context: StageContext) -> Plan {
        let pointer = "\(message.place.string)\(message.payloadPointer)"
        let plan = context.withPayload(of: message) { payload in
            let places = order.flatMap {
                AlertTextPlace.all(of: $0, in: payload, of: message.provider, on: message.platform)
            }
            // An Android device's texts are counted as what they stand for; see `RecordDecoder.countedBytes`.
            let measure: TextMeasure = message.platform == .android ? .decoded : .written
            // Texts that must give something, and the bytes of a message in which each of them is an ellipsis alone.
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
                    // Places in a payload that the record does not hold as it is would mean nothing.
                    pointer: message.isDerived ? pointer : pointer + cut.place.pointer,
                    message: "\(cut.place.name) cut from \(cut.text.length) to \(cut.beginning.length) bytes "
                        + "to fit \(limit)")
            }
            return Plan(payload: Self.payload(message.payload, with: cuts), findings: findings)
        }
        return plan ?? Plan()
    }

    /// The texts cut so that together they have `room` bytes more than their ellipses alone, or as few less as whole characters allow.
    ///
    /// From the last text to the first each gets all the room there is: what is to be cut last is cut least.
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
        var out: [UInt8] = []
        out.reserveCapacity(payload.count)
        var position = 0
        for cut in cuts.sorted(by: { $0.place.offset < $1.place.offset }) {
            out += payload.buffer[position..<cut.range.lowerBound]
            out += BorrowedText(cut.text.ellipsis).buffer
            position = cut.range.upperBound
        }
        out += payload.buffer[position...]
        return out
    }
}

/// What `FitToBudget` made of a payload. The messages of one request share theirs, and there may be a thousand of them: it is cut once.
struct FittedPayload {
    /// What the result depends on. A payload's address says which one it is, as nothing of a chunk is given back before its end.
    struct Source: Equatable {
        private let record: Int
        private let start: UnsafePointer<UInt8>
        private let count: Int
        private let limit: Int
        private let order: [AlertText]

        init(_ message: PushMessage, limit: Int, order: [AlertText]) {
            record = message.record
            start = message.payload.start
            count = message.payload.count
            self.limit = limit
            self.order = order
        }
    }

    let source: Source
    /// The message as it was cut; nil when it was left as it was.
    let message: PushMessage?
    let findings: [Finding]

    /// Gives another message of the same request the same payload.
    func give(to other: inout PushMessage) {
        guard let message else { return }
        other.payload = message.payload
        other.byteCount = message.byteCount
        other.content = message.content
    }
}
