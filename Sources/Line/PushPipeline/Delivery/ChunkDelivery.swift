import DeviceScreens
import PayloadJSON
import PushDecoding
import PushDevices
import PushModel
import PushStore

/// Delivers chunks in input order, each in one transaction: messages pass through the device stages to the store.
final class ChunkDelivery {
    let store: any DeliveryStore
    let stages: [any DeliveryStage]
    let context: DeliveryContext
    let configuration: PipelineConfiguration
    /// Position of the first stage that works ahead; `stages.count` if none does.
    let aheadStage: Int
    /// True if the app has a service extension, or one is emulated.
    private let notesExtensionObstacles: Bool
    var clock: RunClock
    /// Positions of the stages that are not idle.
    private(set) var busy: [Int] = []
    /// The position of the last record before which time has passed; see `ChunkTimes`.
    var passed: UInt64 = 0
    /// Its time, or that to which it has moved the clock, in milliseconds since the epoch; `Int64.min` if that is unknown.
    var passedTime = Int64.min
    /// The message up to which the stages before `aheadStage` have been called, and whether this includes that message.
    var ahead = 0
    var isPrepared = false
    /// Number of lines besides those of the records themselves after which a transaction ends: they take some 25 MiB.
    var mostConsequences = 1 << 15
    /// True if the stages know of the chunk that is delivered next.
    private var hasBegun = false
    /// True if the run continues an interrupted one, and whether the registry knows.
    var isResumed = false
    private var hasBegunRun = false
    /// The store, if it delivers in lanes.
    let lanes: (any LaneStore)?
    /// Where a run of placed records is.
    var part: PartDelivery
    /// The progress of the store of a part, while a chunk of it is delivered; nil for any other store.
    var rows: (any ProgressKeeper)?
    let lateRemovals: LateRemovalDelivery
    /// Delivers pushes to Live Activities; nil until there is one.
    private var activities: LiveActivityDelivery?

    init(_ configuration: PipelineConfiguration, _ store: any DeliveryStore, _ stages: [any DeliveryStage]) {
        self.configuration = configuration
        self.store = store
        self.stages = stages
        // A device file consists of events.
        lanes = configuration.decoding.readsDevices ? nil : store.lanes
        aheadStage = stages.firstIndex { $0.worksAhead } ?? stages.count
        notesExtensionObstacles =
            configuration.decoding.replacement != nil || stages.contains(where: \.notesExtensionObstacles)
        context = DeliveryContext(configuration)
        context.presentsLater = stages.contains { $0 is ServiceExtensionStage }
        part = PartDelivery(configuration)
        lateRemovals = LateRemovalDelivery(configuration, stages)
        let emulated = configuration.decoding.replacement.map(\.wait.milliseconds) ?? 0
        clock = RunClock(configuration.clock, longestDelay: max(emulated, stages.map(\.longestDelay).max() ?? 0))
        context.deliverQueued = { [unowned self] in try self.deliver(&$0, token: $1, seq: $2, at: $3, after: $4) }
    }

    /// True if a stage may be slow per message, so that chunks must stay short.
    var worksAhead: Bool { aheadStage < stages.count }

    /// The traces of the last delivered chunk; nil unless messages are traced.
    var traces: UnsafePointer<MessageTrace>? {
        // SOUND: passes on the address; readers follow the rules of `Tracer.base`.
        unsafe context.tracer?.base
    }

    /// Delivers a chunk in one transaction, or has its lanes deliver it.
    ///
    /// Lanes deliver it when nothing has to look at the messages of several devices one after the other. Otherwise it is delivered here, if it
    /// is the oldest one in flight.
    ///
    /// - Parameter report: the report, if it is stored with the deliveries.
    @unsafe
    func deliver(
        _ chunk: UnsafeMutablePointer<RecordChunk>, isOldest: Bool, _ use: inout StageTimes.LaneUse,
        storing report: StoredReport?
    ) throws -> ChunkScheduler.Delivery {
        // SOUND: the caller vouches for the chunk. The report reads it from `begin` to `finish`, and nothing changes it then.
        let obstacle = report == nil ? obstacle : "store"
        let isFree = unsafe obstacle == nil && chunk.pointee.stageFailure == nil
        guard isOldest || isFree else { return .refused }
        var delivery = ChunkScheduler.Delivery.done
        defer { report?.finish() }
        try store.transaction(replacing: configuration.decoding.replacement) { store in
            let end: InputProgress?
            (delivery, end) = try unsafe deliver(&chunk.pointee, isOldest: isOldest, obstacle: obstacle, &use, store)
            if case .refused = delivery { return }
            unsafe report?.begin(chunk, traces)
            if let end { try store.progress.checkpoint(end) { report?.finish() } }
        }
        if case .refused = delivery { return delivery }
        clock.records = unsafe chunk.pointee.lastPosition(after: clock.records)
        return delivery
    }

    /// Delivers a chunk within a transaction.
    ///
    /// - Parameter obstacle: why it cannot be delivered in lanes; nil if that depends on its content.
    /// - Returns: how it is delivered, and where the input continues, if that is to be stored.
    private func deliver(
        _ chunk: inout RecordChunk, isOldest: Bool, obstacle: String?, _ use: inout StageTimes.LaneUse,
        _ store: StoreTransaction
    ) throws -> (ChunkScheduler.Delivery, end: InputProgress?) {
        context.setStore(store)
        store.screens.mostOnAndroid = configuration.devicePolicy.notificationsPerAndroidApp
        defer { context.setStore(nil) }
        context.lines = chunk.lines
        // SOUND: the messages stay where they are until the transaction ends, and the context loses them before that.
        unsafe context.messages = unsafe chunk.batch.messages
        defer { unsafe context.messages = nil }
        // SOUND: the input stays as it is until the chunk has been taken, after the transaction.
        unsafe store.screens.prepare(for: chunk.input.bytes, messages: chunk.batch.messageCount)
        if configuration.resumes { try part.checkResumption(chunk) }
        if !chunk.isPlaced, !hasBegunRun || part.placesRows {
            try part.check(isPlaced: false, store.progress, chunk.source?.title ?? "input")
        }
        if !hasBegunRun {
            hasBegunRun = true
            try store.registry.beginRun(isResumed: isResumed)
        }
        if !hasBegun {
            do {
                for stage in stages { try stage.beginChunk(context) }
            } catch {
                // An error ends the delivery of the oldest chunk, so this one has to be that first.
                guard isOldest else { return (.refused, nil) }
                throw error
            }
            hasBegun = true
        }
        lateRemovals.beginChunk(store)
        var times = clock.beginChunk(store.progress)
        let reason = obstacle ?? reason(chunk, times)
        guard reason == nil || isOldest else { return (.refused, nil) }
        hasBegun = false
        if chunk.isPlaced { try resolvePlaces(of: &chunk, &times, store) }
        if configuration.decoding.readsDevices, configuration.part != nil { rows = store.progress }
        defer { rows = nil }
        if let failure = chunk.stageFailure {
            let seq = chunk.places?.sequences[failure.record] ?? times.firstSequence &+ UInt64(failure.record)
            throw StageError(stage: failure.stage, seq: seq, underlyingError: failure.error)
        }
        chunk.lines.firstSequence = times.firstSequence
        chunk.lines.notesObstacles = notesExtensionObstacles
        var delivery = ChunkScheduler.Delivery.done
        if let lanes, reason == nil {
            noteDeadTokens(of: chunk.batch, times)
            delivery = .inLanes(work(for: chunk, times, lanes))
            setPassed(ofLastIn: chunk, times)
            use.chunksInLanes &+= 1
        } else {
            use.addInOrder(reason ?? "store")
            try deliver(&chunk, &times, store)
        }
        finish(&chunk, times, store)
        // What cannot be read again may have places in an engine's stream, and be resumed by them.
        return (delivery, chunk.end ?? streamsEnd(times))
    }

    /// Continues the store's numbers and the clock after a chunk.
    private func finish(_ chunk: inout RecordChunk, _ times: ChunkTimes, _ store: StoreTransaction) {
        clock.offset = times.offset
        let last = chunk.lastPosition(after: clock.records)
        if !configuration.decoding.readsDevices { store.progress.lastSequence = times.seq(ofPosition: last) }
        if last > clock.records { store.screens.advance(to: times.time(ofPosition: last)) }
        chunk.end?.records = last
        chunk.end?.clockOffset = clock.offset
    }

    private func deliver(_ chunk: inout RecordChunk, _ times: inout ChunkTimes, _ store: StoreTransaction) throws {
        if let tracer = context.tracer {
            tracer.begin(chunk)
            store.journal.log = tracer.log
        }
        defer { if context.tracer != nil { store.journal.log = nil } }
        ahead = 0
        isPrepared = false
        passed = max(passed, times.recordsBefore)
        // Records that were delivered in lanes, or by the run that this one resumes, have passed without.
        if passed > 0, times.source != .wall { passedTime = times.time(ofPosition: passed) }
        let count = chunk.batch.messageCount
        let end = try deliverMessages(of: &chunk.batch, divides: !chunk.isPlaced, &times, store)
        if end < count, !chunk.divide(beforeMessage: end) {
            _ = try deliverMessages(of: &chunk.batch, from: end, divides: false, &times, store)
        }
        if hasTimers {
            try passTime(toRecord: chunk.frames.count - 1, before: chunk.batch.messageCount, times)
        }
    }

    /// True if something may happen because time passes, or after a delivery.
    private var hasTimers: Bool { !busy.isEmpty || lateRemovals.isActive }

    func findBusyStages() {
        busy.removeAll(keepingCapacity: true)
        for position in stages.indices where !stages[position].isIdle { busy.append(position) }
    }

    /// Delivers the messages from an index on; if it `divides`, up to the record before which the transaction has to end.
    /// - Returns: the index of the first message that was not delivered.
    private func deliverMessages(
        of batch: inout MessageBatch, from first: Int = 0, divides: Bool, _ times: inout ChunkTimes,
        _ store: StoreTransaction
    ) throws -> Int {
        // SOUND: the indices are the batch's own, and delivering appends no message to it.
        let messages = unsafe batch.messages
        // Once per chunk: a look through the context costs a record two references.
        let lines = context.lines
        let tracer = context.tracer
        let screens = store.screens
        let hasLiveActivities = batch.hasLiveActivities
        let isPlaced = !times.positions.isEmpty || rows != nil
        // A look through the batch would copy an event.
        let events = batch.events
        var nextEvent = 0
        var prefetched = first
        var dead = deadTokens(of: batch)[...]
        findBusyStages()
        for index in first..<messages.count {
            let (seq, at): (UInt64, Int64)
            if isPlaced {
                (seq, at) = unsafe times.ofPlaced(messages[index].record)
                unsafe placeRows(messages[index], seq)
            } else {
                (seq, at) = unsafe times.of(messages[index].record)
            }
            if let lanes, index == prefetched {
                prefetched = min(index + NotificationCenters.group, messages.count)
                // SOUND: a store with lanes gets a key for each message.
                unsafe lanes.prefetch(UnsafePointer(lines.keys), index..<prefetched)
            }
            if let next = dead.first, next <= index {
                dead = dead.drop { $0 <= index }
                if next == index { lines.updateNote(of: index) { $0.timestamp = at } }
            }
            if case .event = unsafe messages[index].verdict {
                if divides, unsafe isFull(before: index, messages) { return index }
                while nextEvent < events.count, events[nextEvent].message < index { nextEvent += 1 }
                let isKnown = nextEvent < events.count && events[nextEvent].message == index
                let movesClock = isKnown && events[nextEvent].event.name == .clock
                try unsafe passTime(toRecord: messages[index].record, isIncluded: !movesClock, before: index, times)
                if isPlaced { unsafe placeRows(messages[index], seq) }
                var result = Delivered(seq: seq, outcome: .ignored)
                if isKnown {
                    result = try unsafe handle(
                        events[nextEvent].event, index, messages[index], seq: seq, at: at, &times)
                }
                if movesClock { unsafe setPassed(times.position(ofRecord: messages[index].record), times) }
                lines.set(result, at: index)
                reportFindings(of: index, in: &batch)
                ahead = index + 1
                isPrepared = false
                findBusyStages()
            } else if !hasTimers && !hasLiveActivities {
                // Most streams have neither devices nor stages.
                lines.set(try unsafe deliver(messages[index], seq: seq, at: at, screens), at: index)
            } else {
                if divides, unsafe isFull(before: index, messages) { return index }
                try unsafe passTime(toRecord: messages[index].record, before: index, times)
                try lookAhead(index, in: &batch, times)
                if isPlaced { unsafe placeRows(messages[index], seq) }
                lines.set(try deliver(index, in: &batch, seq: seq, at: at, screens), at: index)
            }
            try unsafe tracer?.didDeliver(messages[index], index, at: at, screens)
        }
        return messages.count
    }

    // MARK: - One message

    func turn(to index: Int, seq: UInt64, at: Int64) {
        context.index = index
        context.seq = seq
        context.at = at
    }

    @inline(__always)
    func isCalled(_ stage: any DeliveryStage, for message: borrowing DecodedMessage) -> Bool {
        if case .accepted = message.verdict { return true }
        if TopicSize.isLost(message), stage is RegistryStage { return true }
        return stage.seesUndelivered
    }

    func reportFindings(of index: Int, in batch: inout MessageBatch) {
        if context.withdrawsCuts {
            context.withdrawsCuts = false
            let left = batch.findings.filter { $0.message != index || $0.finding.rule != FitToBudget.ruleOfCuts }
            batch.replace(findings: left, decodeFailures: batch.decodeFailures)
        }
        for finding in context.takeFindings() { batch.report(finding, message: index) }
    }

    /// Calls the remaining stages for the message whose turn it is, then delivers it to the store.
    private func deliver(
        _ index: Int, in batch: inout MessageBatch, seq: UInt64, at: Int64, _ screens: any DeliverySession
    ) throws -> Delivered {
        turn(to: index, seq: seq, at: at)
        // SOUND: `index` is that of a message of the batch, and delivering appends none.
        let messages = unsafe batch.messages
        let token = batch.activityTokens[index]
        if worksAhead {
            for position in busy where position < aheadStage {
                try unsafe stages[position].takeTurn(&messages[index], context)
            }
        }
        let result = try unsafe finish(
            &messages[index], from: aheadStage, hasBegun: true, notifying: 0, token: token, screens)
        reportFindings(of: index, in: &batch)
        return result
    }

    /// Calls the stages from a position on, and delivers the message to the store if it is still accepted.
    ///
    /// - Parameters:
    ///   - hasBegun: true if the stage at that position has begun with the message.
    ///   - outermost: position of the first stage that receives the result.
    ///   - token: that of the Live Activity, if it is not the device of the message.
    func finish(
        _ message: inout DecodedMessage, from first: Int, hasBegun: Bool, notifying outermost: Int,
        token: BorrowedText?, _ screens: any DeliverySession
    ) throws -> Delivered {
        for position in busy where position >= first {
            let stage = stages[position]
            guard message.verdict.isAccepted || isCalled(stage, for: message) else { continue }
            if !(hasBegun && position == first), stage.worksAhead, try !stage.begin(message, context) { continue }
            try stage.process(&message, context)
        }
        var result: DeliveryResult?
        var cleared = 0
        if case .accepted = message.verdict {
            if message.headers.pushType == .liveactivity {
                result = try deliverToActivities(&message, token: token, screens)
            } else {
                let delivery = try screens.deliver(message, seq: context.seq, at: context.at)
                let outcome = message.isBanner && delivery.outcome == .silent ? .presented : delivery.outcome
                result = DeliveryResult(outcome: outcome, replaces: delivery.replaces)
                cleared = delivery.cleared
            }
        }
        for position in busy.reversed()
        where position >= outermost && (result != nil || stages[position].seesUndelivered) {
            try stages[position].didDeliver(message, &result, context)
        }
        if result != nil, lateRemovals.isActive {
            let stale = lateRemovals.collect(message, seq: context.seq, screens)
            if !stale.isEmpty { context.updateNote { $0.stale = stale } }
        }
        return Delivered(
            seq: context.seq, outcome: result?.outcome ?? message.verdict.undeliveredOutcome,
            replaces: result?.replaces, cleared: cleared)
    }

    private func deliverToActivities(
        _ message: inout DecodedMessage, token: BorrowedText?, _ screens: any DeliverySession
    ) throws -> DeliveryResult? {
        var delivery = activities.take() ?? LiveActivityDelivery()
        let outcome = try delivery.deliver(&message, token: token, context, screens)
        activities = consume delivery
        return outcome.map { DeliveryResult(outcome: $0) }
    }

    private func deliver(
        _ message: borrowing DecodedMessage, seq: UInt64, at: Int64, _ screens: any DeliverySession
    ) throws -> Delivered {
        guard case .accepted = message.verdict else {
            return Delivered(seq: seq, outcome: message.verdict.undeliveredOutcome)
        }
        let delivery = try screens.deliver(copy message, seq: seq, at: at)
        return Delivered(
            seq: seq, outcome: delivery.outcome, replaces: delivery.replaces, cleared: delivery.cleared)
    }
}
