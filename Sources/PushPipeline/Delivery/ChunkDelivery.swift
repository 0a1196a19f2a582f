import DeviceScreens
import NotificationStore
import PayloadJSON
import PushDecoding
import PushModel

/// Delivers chunks in input order, each in one transaction: messages pass through the device stages to the store.
final class ChunkDelivery {
    private let store: any DeliveryStore
    private let stages: [any DeviceStage]
    private let context: DeliveryContext
    private let configuration: PipelineConfiguration
    /// Position of the first stage that works ahead; `stages.count` if none does.
    private let aheadStage: Int
    var clock: RunClock
    /// Positions of the stages that are not idle.
    private var busy: [Int] = []
    /// The message up to which the stages before `aheadStage` have been called, and whether this includes that message.
    private var ahead = 0
    private var isPrepared = false

    init(_ configuration: PipelineConfiguration, _ store: any DeliveryStore, _ stages: [any DeviceStage]) {
        self.configuration = configuration
        self.store = store
        self.stages = stages
        aheadStage = stages.firstIndex { $0.worksAhead } ?? stages.count
        context = DeliveryContext(configuration)
        clock = RunClock(configuration.clock)
        context.deliverQueued = { [unowned self] in try self.deliver(&$0, seq: $1, at: $2, after: $3) }
    }

    /// Whether a stage may be slow per message, so that chunks must stay short.
    var worksAhead: Bool { aheadStage < stages.count }

    /// The report of the last delivered chunk.
    var lines: ReportLines { context.lines }

    /// The traces of its messages; nil unless messages are traced.
    var traces: UnsafePointer<MessageTrace>? {
        // SOUND: passes on the address; readers follow the rules of `Tracer.base`.
        unsafe context.tracer?.base
    }

    /// Delivers a chunk in one transaction.
    ///
    /// - Parameter compose: called before the commit, with the complete report; its result is stored with a checkpoint.
    func deliver(
        _ chunk: inout RecordChunk,
        compose: (borrowing MessageBatch, UnsafePointer<MessageTrace>?) throws -> UnsafeRawBufferPointer?
    ) throws {
        let lines = context.lines
        lines.removeAll()
        context.tracer?.begin(chunk)
        try store.transaction(replacementKey: configuration.decoding.replacementKey) { store in
            context.setStore(store)
            if let tracer = context.tracer { store.journal.log = tracer.log }
            defer {
                context.setStore(nil)
                if context.tracer != nil { store.journal.log = nil }
            }
            var times = clock.beginChunk(store.progress)
            ahead = 0
            isPrepared = false
            // SOUND: the messages stay where they are until the transaction ends, and the context loses them before that.
            unsafe context.messages = unsafe chunk.batch.messages
            defer { unsafe context.messages = nil }
            for stage in stages { try stage.beginChunk(context) }
            try deliverMessages(of: &chunk.batch, &times, store)
            clock.offset = times.offset
            if !configuration.decoding.readsDevices {
                store.progress.lastSequence = times.firstSequence &+ UInt64(chunk.frames.count) &- 1
            }
            // SOUND: what `compose` returns is valid until the next chunk, and is copied by `checkpoint`.
            let report = try unsafe compose(chunk.batch, traces)
            if var end = chunk.end {
                end.records = clock.records &+ UInt64(chunk.frames.count)
                end.clockOffset = clock.offset
                try unsafe store.progress.checkpoint(
                    end, report: report ?? UnsafeRawBufferPointer(start: nil, count: 0))
            }
        }
    }

    private func findBusyStages() { busy = stages.indices.filter { !stages[$0].isIdle } }

    private func deliverMessages(
        of batch: inout MessageBatch, _ times: inout ChunkTimes, _ store: StoreTransaction
    ) throws {
        // SOUND: the indices are the batch's own, and delivering appends no message to it.
        let messages = unsafe batch.messages
        // Once per chunk: a look through the context costs a record two references.
        let (lines, tracer, screens) = (context.lines, context.tracer, store.screens)
        var nextEvent = 0
        findBusyStages()
        for index in messages.indices {
            let (seq, at) = unsafe times.of(messages[index])
            if case .event = unsafe messages[index].verdict {
                while nextEvent < batch.events.count, batch.events[nextEvent].message < index { nextEvent += 1 }
                let event =
                    nextEvent < batch.events.count && batch.events[nextEvent].message == index
                    ? batch.events[nextEvent].event : nil
                let result = try unsafe handle(event, index, messages[index], seq: seq, at: at, &times)
                lines.append(result)
                ahead = index + 1
                isPrepared = false
                findBusyStages()
            } else if busy.isEmpty {
                // Most streams have neither devices nor stages.
                unsafe lines.append(try deliver(messages[index], seq: seq, at: at, screens))
            } else {
                try lookAhead(index, in: &batch, times)
                lines.append(try deliver(index, in: &batch, seq: seq, at: at, screens))
            }
            try unsafe tracer?.didDeliver(messages[index], index, screens)
        }
    }

    // MARK: - One message

    private func turn(to index: Int, seq: UInt64, at: Int64) {
        context.index = index
        context.seq = seq
        context.at = at
    }

    private func isCalled(_ stage: any DeviceStage, for message: borrowing PushMessage) -> Bool {
        if case .accepted = message.verdict { true } else { stage.seesUndelivered }
    }

    /// Calls the stages up to the one that works ahead for the message at `index`, and for as many later messages as that stage accepts.
    /// Stops at an event, because later messages depend on its effect.
    private func lookAhead(_ index: Int, in batch: inout MessageBatch, _ times: ChunkTimes) throws {
        // SOUND: `ahead` stays below the number of messages, and delivering appends no message.
        let messages = unsafe batch.messages
        let end = worksAhead ? messages.count : index + 1
        if ahead < index {
            ahead = index
            isPrepared = false
        }
        while ahead < end {
            if case .event = unsafe messages[ahead].verdict { return }
            let (seq, at) = unsafe times.of(messages[ahead])
            turn(to: ahead, seq: seq, at: at)
            if !isPrepared {
                for position in busy
                where unsafe position < aheadStage && isCalled(stages[position], for: messages[ahead]) {
                    try unsafe stages[position].process(&messages[ahead], context)
                }
                reportFindings(of: ahead, in: &batch)
            }
            isPrepared = true
            if worksAhead, unsafe isCalled(stages[aheadStage], for: messages[ahead]) {
                guard try unsafe stages[aheadStage].begin(messages[ahead], context) else { return }
            }
            isPrepared = false
            ahead += 1
        }
    }

    private func reportFindings(of index: Int, in batch: inout MessageBatch) {
        for finding in context.takeFindings() { batch.report(finding, message: index) }
    }

    /// Calls the remaining stages for the message whose turn it is, then delivers it to the store.
    private func deliver(
        _ index: Int, in batch: inout MessageBatch, seq: UInt64, at: Int64, _ screens: any DeliverySession
    ) throws -> Delivered {
        turn(to: index, seq: seq, at: at)
        // SOUND: `index` is that of a message of the batch, and delivering appends none.
        let messages = unsafe batch.messages
        let result = try unsafe finish(&messages[index], from: aheadStage, hasBegun: true, notifying: 0, screens)
        reportFindings(of: index, in: &batch)
        return result
    }

    /// Calls the stages from a position on, and delivers the message to the store if it is still accepted.
    ///
    /// - Parameters:
    ///   - hasBegun: whether the stage at that position has begun with the message.
    ///   - outermost: position of the first stage that receives the result.
    private func finish(
        _ message: inout PushMessage, from first: Int, hasBegun: Bool, notifying outermost: Int,
        _ screens: any DeliverySession
    ) throws -> Delivered {
        for position in busy where position >= first && isCalled(stages[position], for: message) {
            let stage = stages[position]
            if !(hasBegun && position == first), stage.worksAhead, try !stage.begin(message, context) { continue }
            try stage.process(&message, context)
        }
        var result: DeliveryResult?
        if case .accepted = message.verdict {
            let delivery = try screens.deliver(message, seq: context.seq, at: context.at)
            result = DeliveryResult(outcome: delivery.outcome, replaces: delivery.replaces)
        }
        for position in busy.reversed()
        where position >= outermost && (result != nil || stages[position].seesUndelivered) {
            try stages[position].didDeliver(message, &result, context)
        }
        return Delivered(
            seq: context.seq, outcome: result?.outcome ?? message.verdict.undeliveredOutcome,
            replaces: result?.replaces)
    }

    private func deliver(
        _ message: borrowing PushMessage, seq: UInt64, at: Int64, _ screens: any DeliverySession
    ) throws -> Delivered {
        guard case .accepted = message.verdict else {
            return Delivered(seq: seq, outcome: message.verdict.undeliveredOutcome)
        }
        let delivery = try screens.deliver(copy message, seq: seq, at: at)
        return Delivered(seq: seq, outcome: delivery.outcome, replaces: delivery.replaces)
    }

    /// Delivers a queued message, which does not belong to the chunk.
    ///
    /// - Returns: its outcome, and the findings of the stages.
    private func deliver(
        _ message: inout PushMessage, seq: UInt64, at: Int64, after stage: any DeviceStage
    ) throws -> (result: Delivered, findings: [Finding]) {
        let (index, lastSeq, lastAt) = (context.index, context.seq, context.at)
        let findings = context.takeFindings()
        turn(to: -1, seq: seq, at: at)
        defer {
            turn(to: index, seq: lastSeq, at: lastAt)
            for finding in findings { context.report(finding) }
        }
        let next = (stages.firstIndex { $0 === stage } ?? -1) + 1
        let result = try finish(
            &message, from: next, hasBegun: false, notifying: next, try context.store.screens)
        return (result, context.takeFindings())
    }

    // MARK: - Events

    private func handle(
        _ event: DeviceEvent?, _ index: Int, _ message: PushMessage, seq: UInt64, at: Int64, _ times: inout ChunkTimes
    ) throws -> Delivered {
        guard let event else { return Delivered(seq: seq, outcome: .ignored) }
        turn(to: index, seq: seq, at: at)
        context.clockAdvance = 0
        var result = EventResult.ignored
        for stage in stages {
            guard let answer = try stage.handle(event, standIn: message, context) else { continue }
            result = answer
            break
        }
        times.offset &+= context.clockAdvance
        return Delivered(seq: seq, outcome: result == .applied ? .applied : .ignored)
    }
}

extension Verdict {
    /// The result of a message that does not reach its device.
    fileprivate var undeliveredOutcome: Outcome {
        switch self {
        case .malformed: .malformed
        case .rejected: .rejected
        case .suppressed: .suppressed
        case .held: .held
        case .expired: .expired
        case .discarded: .discarded
        case .event: .applied
        case .accepted: .delivered
        }
    }
}
