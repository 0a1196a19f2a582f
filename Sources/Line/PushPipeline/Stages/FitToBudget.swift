import PushDecoding
import PushJSON
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
        let last = context.scratch(Scratch.init)
        // SOUND: addresses are only compared. One identifies a payload, because a chunk frees no memory before its end.
        if unsafe last.payload.start == message.payload.start, last.payload.count == message.payload.count,
            last.limit == limit
        {
            if let fitted = last.fitted {
                message.payload = fitted.payload
                message.byteCount = fitted.byteCount
                message.content = fitted.content
                message.isChanged = true
            }
        } else {
            last.payload = message.payload
            last.limit = limit
            let plan = plan(for: message, bytes: bytes, limit: limit, context)
            // It is JSON, because only texts in it were cut.
            if let payload = plan.payload { try? context.setPayload(payload, of: &message) }
            last.fitted = plan.payload == nil ? nil : message
            last.findings = plan.findings
        }
        for finding in last.findings { context.report(finding) }
    }

    package func process(_ chunk: inout RecordChunk, context: StageContext) {
        // The next chunk has other payloads at the same addresses.
        context.scratch(Scratch.init).payload = .empty
        chunk.forEachAccepted(context) { process(&$0, context) }
    }

    /// The result for the last payload that was too long. Up to a thousand messages of one request share a payload, so it is cut only once.
    private final class Scratch {
        var payload = BorrowedText.empty
        var limit = 0
        /// The message after cutting; nil if it was not changed.
        var fitted: DecodedMessage?
        var findings: [Finding] = []
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
