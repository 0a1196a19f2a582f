package import PayloadJSON
package import PushModel

/// What the record-local stages made of one chunk of records: messages in input order, and what was found about them.
///
/// Reused from chunk to chunk, so that an accepted record costs no allocation.
package struct MessageBatch: ~Copyable {
    private var base = UnsafeMutablePointer<PushMessage>.allocate(capacity: 256)
    private var capacity = 256
    private var count = 0
    /// In the order of finding, unless they have been sorted.
    private var found: [(message: Int, finding: Finding)] = []
    private var isSorted = true
    /// How many findings there are about each message, up to the last one that there are any about.
    private var findingCounts: [UInt8] = []
    /// By message, in the order of the messages.
    package private(set) var decodeFailures: [(message: Int, decodeFailure: DecodeFailure)] = []
    /// What happens at devices, by the message that stands for it, in the order of the messages.
    package var events: [(message: Int, event: DeviceEvent)] = []
    package var scratch = ScratchArena()

    package init() {}

    deinit { base.deallocate() }

    /// The messages, in place: messages are large, and this is not a copy. Valid until the next one is appended.
    package var messages: UnsafeMutableBufferPointer<PushMessage> {
        UnsafeMutableBufferPointer(start: base, count: count)
    }

    /// By message, in the order of the messages; those about one message in the order of finding. They may be found in any other order, and
    /// are sorted when they are asked for: O(n log n) then, O(1) otherwise.
    package var findings: [(message: Int, finding: Finding)] {
        guard !isSorted else { return found }
        // The position settles ties, because `sort` does not promise to keep the order of equals.
        return found.enumerated().sorted { ($0.element.message, $0.offset) < ($1.element.message, $1.offset) }
            .map(\.element)
    }

    /// Appends a message.
    package mutating func append(_ message: PushMessage) {
        if count == capacity { grow() }
        (base + count).initialize(to: message)
        count += 1
    }

    /// Appends an empty message, to be filled in place. Valid until the next one is appended.
    mutating func appendMessage(record: Int, device: BorrowedText) -> UnsafeMutablePointer<PushMessage> {
        append(PushMessage(record: record, device: device))
        return base + (count - 1)
    }

    /// Takes back the last message, of which there must be one, and about which nothing was found yet.
    @discardableResult
    mutating func removeLast() -> PushMessage {
        precondition(count > 0, "no message to take back")
        count -= 1
        return base[count]
    }

    private mutating func grow() {
        let larger = UnsafeMutablePointer<PushMessage>.allocate(capacity: capacity * 2)
        larger.moveInitialize(from: base, count: count)
        base.deallocate()
        base = larger
        capacity *= 2
    }

    package mutating func removeAll() {
        // SOUND: a message is a plain value without references, so that there is nothing to deinitialise.
        count = 0
        forgetFindings()
        if !decodeFailures.isEmpty { decodeFailures.removeAll() }
        if !events.isEmpty { events.removeAll(keepingCapacity: true) }
        scratch.reset()
    }

    /// Adds a finding about the message at `index`; beyond `Finding.maximumPerRecord` it is dropped. The last place is kept
    /// for a refusal.
    package mutating func report(_ finding: Finding, message index: Int) {
        report(finding, message: index, limit: Finding.maximumPerRecord - 1)
    }

    private mutating func report(_ finding: Finding, message index: Int, limit: Int) {
        while findingCounts.count <= index { findingCounts.append(0) }
        guard findingCounts[index] < limit else { return }
        findingCounts[index] += 1
        // A record's first message may get a finding after its later ones have.
        if let last = found.last, last.message > index { isSorted = false }
        var finding = finding
        finding.message = finding.message.onOneLine
        found.append((index, finding))
    }

    /// Puts others in the place of what was found, which are as many, about the same messages, and sorted.
    package mutating func replace(
        findings: [(message: Int, finding: Finding)], decodeFailures: [(message: Int, decodeFailure: DecodeFailure)]
    ) {
        found = findings
        isSorted = true
        self.decodeFailures = decodeFailures
    }

    private mutating func forgetFindings() {
        guard !found.isEmpty else { return }
        found.removeAll()
        findingCounts.removeAll(keepingCapacity: true)
        isSorted = true
    }

    /// Adds a message that stands for a record without one.
    package mutating func append(_ decodeFailure: DecodeFailure, record: Int) {
        var message = PushMessage(record: record, device: .empty)
        message.verdict = .malformed
        var decodeFailure = decodeFailure
        decodeFailure.message = decodeFailure.message.onOneLine
        decodeFailures.append((count, decodeFailure))
        append(message)
    }

    /// Takes back the messages from `index` on, and what was found about them.
    package mutating func removeMessages(from index: Int) {
        count = min(count, index)
        found.removeAll { $0.message >= index }
        findingCounts.removeLast(max(findingCounts.count - index, 0))
        decodeFailures.removeAll { $0.message >= index }
        events.removeAll { $0.message >= index }
    }

    /// Refuses the message at `index`, and says why in a finding. The first refusal stands.
    package mutating func reject(_ rejection: Rejection, pointer: String, _ message: String? = nil, message index: Int)
    {
        guard case .accepted = messages[index].verdict else { return }
        messages[index].verdict = .rejected(rejection)
        let text = message ?? rejection.row.cause.description
        let finding = Finding(rule: rejection.rule, severity: .error, pointer: pointer, message: text)
        report(finding, message: index, limit: Finding.maximumPerRecord)
    }
}
