package import PushJSON
package import PushModel
import PushSystem

/// The result of the record-local stages for one chunk of records: messages in input order, and findings about them.
///
/// Reused from chunk to chunk, so that an accepted record allocates nothing.
@safe  // SOUND: owns the messages, of which the first `count` are initialized.
package struct MessageBatch: ~Copyable {
    private var base = UnsafeMutablePointer<DecodedMessage>.allocate(capacity: 256)
    private var capacity = 256
    private var count = 0
    /// Findings in the order in which they were found, until they are sorted.
    private var found: [(message: Int, finding: Finding)] = []
    private var isSorted = true
    /// The number of findings about each message, up to the last message that has any.
    private var findingCounts: [UInt8] = []
    /// Failures and their messages, in the order of the messages.
    package private(set) var decodeFailures: [(message: Int, decodeFailure: DecodeFailure)] = []
    /// Events and the messages that stand for them, in the order of the messages.
    package var events: [(message: Int, event: DeviceEvent)] = []
    package var scratch = ScratchArena()
    /// True if a message may be a push to a Live Activity.
    package internal(set) var hasLiveActivities = false
    /// The tokens of Live Activities that are not the devices of their messages, by message.
    package var activityTokens: [Int: BorrowedText] = [:]

    package init() {}

    deinit {
        // SOUND: messages need no deinitialization, and the memory was allocated here.
        unsafe base.deallocate()
    }

    package var messageCount: Int { count }

    /// The messages, in place because they are large. Valid until the next one is appended.
    package var messages: UnsafeMutableBufferPointer<DecodedMessage> {
        // SOUND: the first `count` messages are initialized.
        unsafe UnsafeMutableBufferPointer(start: base, count: count)
    }

    /// A message, in place. The batch has one at this index.
    subscript(index: Int) -> DecodedMessage {
        // SOUND: the first `count` messages are initialized.
        @inline(__always) _read { yield unsafe base[index] }
        @inline(__always) _modify { yield unsafe &base[index] }
    }

    /// Findings and their messages, in the order of the messages; those about one message in the order in which they
    /// were found. They can be found in any order and are sorted on access: O(n log n) then, O(1) otherwise.
    package var findings: [(message: Int, finding: Finding)] {
        guard !isSorted else { return found }
        // The position breaks ties, because `sort` does not guarantee to be stable.
        return found.enumerated().sorted { ($0.element.message, $0.offset) < ($1.element.message, $1.offset) }
            .map(\.element)
    }

    package mutating func append(_ message: DecodedMessage) {
        // SOUND: there is room for another message, because the batch has grown if there was none.
        if count == capacity { grow() }
        unsafe (base + count).initialize(to: message)
        count += 1
    }

    /// Appends a copy of a message, to be changed in place. Valid until the next one is appended.
    @inline(__always) @discardableResult
    mutating func appendCopy(of message: UnsafePointer<DecodedMessage>) -> UnsafeMutablePointer<DecodedMessage> {
        // SOUND: there is room for another message, because the batch has grown if there was none. A message is a plain
        // value, so a copy of its bytes is one; Swift's own way of initialization makes two.
        if count == capacity { grow() }
        let copy = unsafe base + count
        unsafe Memory.copy(message, to: copy, count: MemoryLayout<DecodedMessage>.size)
        count += 1
        return unsafe copy
    }

    /// Appends a message that its owner goes on to use. Passed in place, it is copied once and not twice.
    mutating func append(copyOf message: inout DecodedMessage) {
        // SOUND: the message stays in place during the call.
        unsafe appendCopy(of: &message)
    }

    /// Removes the last message, which must exist and have no findings.
    @discardableResult
    mutating func removeLast() -> DecodedMessage {
        // SOUND: there is a message to remove, and it needs no deinitialization.
        precondition(count > 0, "no message to take back")
        count -= 1
        return unsafe base[count]
    }

    /// Makes room for the messages of so many records, and a few more: the next chunk may have those.
    package mutating func reserve(_ records: Int) {
        if records > capacity { grow(to: records + records / 16) }
    }

    private mutating func grow() { grow(to: capacity * 2) }

    private mutating func grow(to newCapacity: Int) {
        // SOUND: the new memory has room for the messages, which are moved there before the old memory is freed.
        let larger = UnsafeMutablePointer<DecodedMessage>.allocate(capacity: newCapacity)
        unsafe larger.moveInitialize(from: base, count: count)
        unsafe base.deallocate()
        unsafe base = larger
        capacity = newCapacity
    }

    package mutating func removeAll() {
        // SOUND: a message is a plain value without references, so nothing needs deinitialization.
        count = 0
        forgetFindings()
        if !decodeFailures.isEmpty { decodeFailures.removeAll() }
        if !events.isEmpty { events.removeAll(keepingCapacity: true) }
        if hasLiveActivities { forgetLiveActivities() }
        scratch.reset()
    }

    /// Adds a finding about the message at `index`, or drops it beyond `Finding.maximumPerRecord`. The last place is
    /// reserved for a rejection.
    package mutating func report(_ finding: Finding, message index: Int) {
        report(finding, message: index, limit: Finding.maximumPerRecord - 1)
    }

    private mutating func report(_ finding: Finding, message index: Int, limit: Int) {
        while findingCounts.count <= index { findingCounts.append(0) }
        guard findingCounts[index] < limit else { return }
        findingCounts[index] += 1
        // A record's first message may get a finding after its later ones.
        if let last = found.last, last.message > index { isSorted = false }
        var finding = finding
        finding.message = finding.message.onOneLine
        found.append((index, finding))
    }

    /// Replaces the findings by as many others, about the same messages, in the same order.
    package mutating func replace(
        findings: [(message: Int, finding: Finding)], decodeFailures: [(message: Int, decodeFailure: DecodeFailure)]
    ) {
        found = findings
        isSorted = true
        self.decodeFailures = decodeFailures
    }

    private mutating func forgetLiveActivities() {
        hasLiveActivities = false
        activityTokens.removeAll(keepingCapacity: true)
    }

    private mutating func forgetFindings() {
        guard !found.isEmpty else { return }
        found.removeAll()
        findingCounts.removeAll(keepingCapacity: true)
        isSorted = true
    }

    /// Appends a message that stands for a record without one.
    package mutating func append(_ decodeFailure: DecodeFailure, record: Int) {
        var message = DecodedMessage(record: record, device: .empty)
        message.verdict = .malformed
        var decodeFailure = decodeFailure
        decodeFailure.message = decodeFailure.message.onOneLine
        decodeFailures.append((count, decodeFailure))
        append(message)
    }

    /// Removes the messages from `index` on, and their findings.
    package mutating func removeMessages(from index: Int) {
        count = min(count, index)
        found.removeAll { $0.message >= index }
        findingCounts.removeLast(max(findingCounts.count - index, 0))
        decodeFailures.removeAll { $0.message >= index }
        events.removeAll { $0.message >= index }
        if !activityTokens.isEmpty { activityTokens = activityTokens.filter { $0.key < index } }
    }

    /// Rejects the message at `index`, and adds a finding that says why. The first rejection stands.
    ///
    /// - Parameter rule: the rule of the finding, if the linter has one that says more than the rejection's own.
    package mutating func reject(
        _ rejection: Rejection, pointer: String, _ message: String? = nil, detail: Finding.Detail? = nil,
        rule: String? = nil, message index: Int
    ) {
        guard case .accepted = self[index].verdict else { return }
        self[index].verdict = .rejected(rejection)
        let text = message ?? rejection.row.cause.description
        var finding = Finding(rule: rule ?? rejection.rule, severity: .error, pointer: pointer, message: text)
        finding.detail = detail
        report(finding, message: index, limit: Finding.maximumPerRecord)
    }

    /// Rejects a message that may be refused for several things at once: each of them gets a finding, and the first one gives the verdict.
    package mutating func refuse(
        _ rejection: Rejection, pointer: String, _ message: String, detail: Finding.Detail, message index: Int
    ) {
        if case .accepted = self[index].verdict {
            return reject(rejection, pointer: pointer, message, detail: detail, message: index)
        }
        var finding = Finding(rule: rejection.rule, severity: .error, pointer: pointer, message: message)
        finding.detail = detail
        report(finding, message: index)
    }
}
