import PayloadJSON
import PushDecoding
public import PushModel

/// Shortens the texts of a message that exceeds its byte budget. Belongs before `ProviderValidation`.
///
/// `TextFitting` works out which texts, and by how much. No other byte changes.
///
/// Each cut adds a finding `fit.cut`. A message that does not fit even with every text cut stays as it was sent, with the finding
/// `fit.cannot`.
public struct FitToBudget: ChunkStage {
    /// `fit`, as reports name it.
    public let name = "fit"
    package var changesPayloads: Bool { true }
    private let fitting: TextFitting
    static let ruleOfCuts = "fit.cut"

    /// Creates a stage that may cut these texts, in this order. Repeated names have no effect.
    public init(order: [AlertText] = AlertText.allCases) { fitting = TextFitting(order: order) }

    /// Shortens one message. A message that fits costs one comparison.
    private func process(_ message: inout DecodedMessage, _ context: StageContext) {
        let (bytes, limit) = context.size(of: message)
        guard bytes > limit else { return }
        let source = FittedPayload.Source(message, limit: limit, order: fitting.order)
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
    package func process(_ chunk: inout RecordChunk, context: StageContext) {
        // Payloads are identified by their addresses, and the next chunk has other payloads at the same addresses.
        context.scratch(Scratch.init).last = nil
        chunk.forEachAccepted(context) { process(&$0, context) }
    }

    /// The result for the last payload that was too long.
    private final class Scratch {
        var last: FittedPayload?
    }

    // MARK: - Planning

    /// How to change a message, and the findings to report.
    private struct Plan {
        /// The payload with its texts cut; nil if it stays as it is.
        var payload: [UInt8]?
        /// Findings, in the order of cutting.
        var findings: [Finding] = []
    }

    private func plan(for message: DecodedMessage, bytes: Int, limit: Int, _ context: StageContext) -> Plan {
        let pointer = "\(message.place.string)\(message.payloadPointer)"
        let plan = context.withPayload(of: message) { payload in
            let cuts: [TextFitting.Cut]
            switch fitting.plan(for: message, payload, bytes: bytes, limit: limit) {
            case .cuts(let found): cuts = found
            case .cannot(let reason):
                return Plan(
                    findings: [Finding(rule: "fit.cannot", severity: .warning, pointer: pointer, message: reason)])
            }
            let findings = cuts.map { cut in
                Finding(
                    rule: Self.ruleOfCuts, severity: .info,
                    // A pointer into a payload that the record does not contain verbatim would be meaningless.
                    pointer: message.isDerived ? pointer : pointer + cut.place.pointer,
                    message: "\(cut.place.name) cut from \(cut.lengthBefore) to \(cut.lengthAfter) bytes "
                        + "to fit \(limit)")
            }
            return Plan(payload: Self.payload(message.payload, with: cuts), findings: findings)
        }
        return plan ?? Plan()
    }

    private static func payload(_ payload: BorrowedText, with cuts: [TextFitting.Cut]) -> [UInt8] {
        // SOUND: the cuts are in the order of the payload, lie within it, and do not overlap.
        var out: [UInt8] = []
        out.reserveCapacity(payload.count)
        var position = 0
        for cut in cuts.sorted(by: { $0.place.offset < $1.place.offset }) {
            unsafe out += payload.buffer[position..<cut.range.lowerBound]
            unsafe out += BorrowedText(cut.ellipsis).buffer
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

        init(_ message: DecodedMessage, limit: Int, order: [AlertText]) {
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
    let message: DecodedMessage?
    let findings: [Finding]

    /// Gives the same payload to another message of the same request.
    func give(to other: inout DecodedMessage) {
        guard let message else { return }
        other.payload = message.payload
        other.byteCount = message.byteCount
        other.content = message.content
        other.isChanged = true
    }
}
