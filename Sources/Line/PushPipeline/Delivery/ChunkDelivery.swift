import PushDecoding
import PushDevices
import PushJSON
import PushModel

/// Delivers chunks in input order, each in one transaction, in one of two ways. A chunk of which nothing asks the registry or a stage is given to
/// the lanes of the store. The messages of every other chunk pass through the device stages to the store, one after the other.
final class ChunkDelivery {
    let store: any DeliveryStore
    let stages: [any DeliveryStage]
    let context: DeliveryContext
    let configuration: PipelineConfiguration
    /// The stage that works ahead, and its position; nil and `stages.count` if none does.
    private let aheadStage: (any AheadStage)?
    private let aheadPosition: Int
    private let registry: RegistryStage?
    /// True if the app has a service extension, or one is emulated.
    private let notesExtensionObstacles: Bool
    var clock: RunClock
    /// Positions of the stages that are not idle.
    private var busy: [Int] = []
    /// The position of the last record before which time has passed; see `ChunkTimes`.
    private var passed: UInt64 = 0
    /// Its time, or that to which it has moved the clock, in milliseconds since the epoch; `Int64.min` if that is unknown.
    private var passedTime = Int64.min
    /// The message up to which the stages before the one that works ahead have been called, and whether this includes that message.
    private var ahead = 0
    private var isPrepared = false
    /// Number of lines besides those of the records themselves after which a transaction ends: they take some 25 MiB.
    var mostConsequences = 1 << 15
    /// True if the run continues an interrupted one, and whether the registry knows.
    var isResumed = false
    private var hasBegunRun = false
    /// The store, if it delivers in lanes.
    private let lanes: MemoryStore?
    var part: PartDelivery
    private let lateRemovals: LateRemovalDelivery
    private var activities = LiveActivityDelivery()

    init(_ configuration: PipelineConfiguration, _ store: any DeliveryStore, _ stages: [any DeliveryStage]) {
        self.configuration = configuration
        self.store = store
        self.stages = stages
        // A device file consists of events.
        lanes = configuration.decoding.readsDevices ? nil : store.lanes
        aheadPosition = stages.firstIndex { $0 is any AheadStage } ?? stages.count
        aheadStage = stages.lazy.compactMap { $0 as? any AheadStage }.first
        registry = stages.lazy.compactMap { $0 as? RegistryStage }.first
        let emulated = configuration.decoding.replacement
        let hasExtension = stages.contains { $0 is ServiceExtensionStage }
        notesExtensionObstacles = emulated != nil || hasExtension
        context = DeliveryContext(configuration)
        context.presentsLater = hasExtension
        part = PartDelivery(configuration)
        lateRemovals = LateRemovalDelivery(
            mayCome: emulated.map { $0.removal.effect(waiting: $0.wait.milliseconds) != .before } ?? false
                || aheadStage?.removesLate ?? false)
        clock = RunClock(
            configuration.clock,
            longestDelay: max(emulated?.wait.milliseconds ?? 0, aheadStage?.longestDelay ?? 0))
        context.delivery = self
    }

    /// True if a stage may be slow per message, so that chunks must stay short.
    var worksAhead: Bool { aheadStage != nil }

    /// Delivers a chunk in one transaction, or has its lanes deliver it.
    ///
    /// - Parameter composer: composes the report, if it is stored with the deliveries: while their rows are written, if a helper of the scheduler
    ///   has the time.
    @unsafe
    func deliver(
        _ chunk: UnsafeMutablePointer<RecordChunk>, isOldest: Bool, _ use: inout StageTimes.LaneUse,
        storing composer: (any ChunkComposer)?, _ scheduler: ChunkScheduler
    ) throws -> ChunkScheduler.Delivery {
        // SOUND: the caller vouches for the chunk. From `beginAssistance` to `finishAssistance` only the composer uses it.
        let obstacle = composer == nil ? obstacle : "store"
        let isFree = unsafe obstacle == nil && chunk.pointee.stageFailure == nil
        guard isOldest || isFree else { return .refused }
        var delivery = ChunkScheduler.Delivery.done
        defer { if composer != nil { scheduler.finishAssistance() } }
        try store.transaction(replacing: configuration.decoding.replacement) { store in
            let end: InputProgress?
            (delivery, end) = try unsafe deliver(&chunk.pointee, isOldest: isOldest, obstacle: obstacle, &use, store)
            if case .refused = delivery { return }
            if let composer {
                unsafe scheduler.beginAssistance(records: chunk.pointee.recordCount) {
                    unsafe composer.compose(&chunk.pointee)
                }
            }
            guard let end else { return }
            try store.progress.checkpoint(end) {
                guard composer != nil else { return nil }
                scheduler.finishAssistance()
                return unsafe chunk.pointee.reportText
            }
        }
        if case .refused = delivery { return delivery }
        clock.records = unsafe chunk.pointee.lastPosition(after: clock.records)
        return delivery
    }

    /// Numbers the records of a chunk of which nothing is delivered.
    func passBy(_ chunk: inout RecordChunk) {
        chunk.lines.firstSequence = clock.records &+ 1
        clock.records &+= UInt64(chunk.frames.count)
    }

    /// Delivers a chunk within a transaction.
    ///
    /// - Parameter obstacle: why it cannot be delivered in lanes; nil if that depends on its content.
    /// - Returns: how it is delivered, and where the input continues, if that is to be stored.
    private func deliver(
        _ chunk: inout RecordChunk, isOldest: Bool, obstacle: String?, _ use: inout StageTimes.LaneUse,
        _ store: StoreTransaction
    ) throws -> (ChunkScheduler.Delivery, end: InputProgress?) {
        context.current = store
        defer { context.current = nil }
        store.screens.mostOnAndroid = configuration.devicePolicy.notificationsPerAndroidApp
        context.lines = chunk.lines
        // SOUND: the messages stay where they are until the transaction ends, and the context loses them before that.
        unsafe context.messages = unsafe chunk.batch.messages
        defer { unsafe context.messages = nil }
        // SOUND: the input stays as it is until the chunk has been taken, after the transaction.
        unsafe store.screens.prepare(for: chunk.input.bytes, messages: chunk.batch.messageCount)
        try part.check(chunk, store.progress, isFirst: !hasBegunRun)
        if !hasBegunRun {
            hasBegunRun = true
            try store.registry.beginRun(isResumed: isResumed)
        }
        for stage in stages { try stage.beginChunk(context) }
        lateRemovals.beginChunk(store)
        var times = clock.beginChunk(store.progress, chunk.recordTimes)
        let reason = obstacle ?? reason(chunk, times)
        guard reason == nil || isOldest else { return (.refused, nil) }
        try part.begin(&chunk, &times, store.progress)
        defer { part.endChunk() }
        if let failure = chunk.stageFailure {
            throw StageError(stage: failure.stage, seq: times.of(failure.record).seq, underlyingError: failure.error)
        }
        chunk.lines.firstSequence = times.firstSequence
        chunk.lines.notesObstacles = notesExtensionObstacles
        var delivery = ChunkScheduler.Delivery.done
        if let lanes, reason == nil {
            noteDeadTokens(of: chunk.batch, times)
            delivery = .inLanes(work(for: chunk, times, lanes))
            use.chunksInLanes &+= 1
        } else {
            use.addInOrder(reason ?? "store")
            try deliverInOrder(&chunk, &times, store)
        }
        return (delivery, finish(&chunk, times, store))
    }

    /// Continues the store's numbers and the clock after a chunk.
    ///
    /// - Returns: where the input continues, if that is to be stored.
    private func finish(_ chunk: inout RecordChunk, _ times: ChunkTimes, _ store: StoreTransaction) -> InputProgress? {
        let last = chunk.lastPosition(after: clock.records)
        if times.ofRecords.isEmpty {
            clock.offset = times.offset
        } else {
            clock.recordTime = times.time(ofPosition: last)
        }
        if !configuration.decoding.readsDevices { store.progress.lastSequence = times.seq(ofPosition: last) }
        if last > clock.records {
            store.screens.advance(to: times.time(ofPosition: last))
            if last > passed { setPassed(last, times) }
        }
        chunk.end?.records = last
        chunk.end?.clockOffset = clock.offset
        chunk.end?.recordTime = clock.recordTime
        // What cannot be read again may have places in an engine's stream, and be resumed by them.
        return chunk.end ?? part.end(records: last, clockOffset: clock.offset)
    }

    /// Delivers the messages of a chunk one after the other, up to the record before which the transaction has to end.
    private func deliverInOrder(
        _ chunk: inout RecordChunk, _ times: inout ChunkTimes, _ store: StoreTransaction
    ) throws {
        // SOUND: the indices are the batch's own, and delivering appends no message to it.
        // Once per chunk: a look through the context costs a record two references, and one through the batch a copy of an event.
        let messages = unsafe chunk.batch.messages
        let lines = context.lines
        let tracer = context.tracer
        let screens = store.screens
        let hasLiveActivities = chunk.batch.hasLiveActivities
        let events = chunk.batch.events
        let placesRows = part.placesRows
        if let tracer {
            tracer.begin(chunk)
            store.screens.log = tracer.log
        }
        defer { if tracer != nil { store.screens.log = nil } }
        ahead = 0
        isPrepared = false
        passed = max(passed, times.recordsBefore)
        // Records that were delivered in lanes, or by the run that this one resumes, have passed without.
        if passed > 0, !times.isWall { passedTime = times.time(ofPosition: passed) }
        var mayEnd = !chunk.isPlaced
        var nextEvent = 0
        var prefetched = 0
        var dead = deadTokens(of: chunk.batch)[...]
        findBusyStages()
        for index in messages.indices {
            let record = unsafe messages[index].record
            let (seq, at) = times.of(record)
            if let lanes, index == prefetched {
                prefetched = min(index + NotificationCenters.group, messages.count)
                // SOUND: a store with lanes gets a key for each message.
                unsafe lanes.prefetch(UnsafePointer(lines.keys), index..<prefetched)
            }
            if let next = dead.first, next <= index {
                dead = dead.drop { $0 <= index }
                if next == index { lines.updateNote(of: index) { $0.timestamp = at } }
            }
            let isEvent = if case .event = unsafe messages[index].verdict { true } else { false }
            // Most streams have neither devices nor stages.
            let isPlain = !isEvent && !hasTimers && !hasLiveActivities
            if !isPlain, mayEnd, unsafe isFull(before: index, messages) {
                if chunk.divide(beforeMessage: index) { break }
                mayEnd = false
            }
            if isPlain {
                if placesRows { unsafe part.placeRows(of: messages[index], seq) }
                lines.set(try unsafe deliver(messages[index], seq: seq, at: at, screens), at: index)
            } else if isEvent {
                try deliverEvent(index, events, &nextEvent, in: &chunk, &times)
            } else {
                try passTime(toRecord: record, before: index, times)
                try lookAhead(index, in: &chunk.batch, times)
                if placesRows { unsafe part.placeRows(of: messages[index], seq) }
                lines.set(try deliver(index, in: &chunk.batch, seq: seq, at: at, screens), at: index)
            }
            try unsafe tracer?.didDeliver(messages[index], index, at: at, screens)
        }
        if hasTimers {
            try passTime(toRecord: chunk.frames.count - 1, before: chunk.batch.messageCount, times)
        }
    }

    /// Has the stages handle the event at an index.
    ///
    /// - Parameter next: the position of the first event that is not before it.
    private func deliverEvent(
        _ index: Int, _ events: [(message: Int, event: DeviceEvent)], _ next: inout Int, in chunk: inout RecordChunk,
        _ times: inout ChunkTimes
    ) throws {
        // SOUND: the index is the batch's own, and handling an event appends no message to it.
        let messages = unsafe chunk.batch.messages
        let record = unsafe messages[index].record
        let (seq, at) = times.of(record)
        while next < events.count, events[next].message < index { next += 1 }
        let isKnown = next < events.count && events[next].message == index
        let movesClock = isKnown && events[next].event.name == .clock
        try passTime(toRecord: record, isIncluded: !movesClock, before: index, times)
        if part.placesRows { unsafe part.placeRows(of: messages[index], seq) }
        var result = LaneResult(outcome: .ignored)
        if isKnown {
            result = try unsafe handle(events[next].event, index, messages[index], seq: seq, at: at, &times)
        }
        if movesClock { setPassed(times.position(ofRecord: record), times) }
        context.lines.set(result, at: index)
        reportFindings(of: index, in: &chunk.batch)
        ahead = index + 1
        isPrepared = false
        findBusyStages()
    }

    /// True if a record has to wait for another transaction, because those before it have more consequences than fit in memory, say a line
    /// for each subscriber to a topic.
    private func isFull(before index: Int, _ messages: UnsafeMutableBufferPointer<DecodedMessage>) -> Bool {
        // SOUND: the index is that of a message, and there is one before it.
        guard context.lines.consequences.count >= mostConsequences, index > 0,
            unsafe messages[index].record != messages[index - 1].record
        else { return false }
        // What a stage has begun with cannot be taken back.
        return ahead < index || (ahead == index && !isPrepared)
    }

    /// True if something may happen because time passes, or after a delivery.
    private var hasTimers: Bool { !busy.isEmpty || lateRemovals.isActive }

    private func findBusyStages() {
        busy.removeAll(keepingCapacity: true)
        for position in stages.indices where !stages[position].isIdle { busy.append(position) }
    }

    // MARK: - One message

    private func turn(to index: Int, seq: UInt64, at: Int64) {
        context.index = index
        context.seq = seq
        context.at = at
    }

    @inline(__always)
    private func isCalled(_ stage: any DeliveryStage, for message: borrowing DecodedMessage) -> Bool {
        if case .accepted = message.verdict { return true }
        if TopicSize.isLost(message), stage === registry { return true }
        return stage.seesUndelivered
    }

    private func reportFindings(of index: Int, in batch: inout MessageBatch) {
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
    ) throws -> LaneResult {
        turn(to: index, seq: seq, at: at)
        // SOUND: `index` is that of a message of the batch, and delivering appends none.
        let messages = unsafe batch.messages
        let token = batch.activityTokens[index]
        if worksAhead { try unsafe registry?.takeTurn(&messages[index], context) }
        let result = try unsafe finish(
            &messages[index], from: aheadPosition, hasBegun: true, notifying: 0, token: token, screens)
        reportFindings(of: index, in: &batch)
        return result
    }

    /// Calls the stages from a position on, and delivers the message to the store if it is still accepted.
    ///
    /// - Parameters:
    ///   - hasBegun: true if the stage at that position has begun with the message.
    ///   - outermost: position of the first stage that receives the result.
    ///   - token: that of the Live Activity, if it is not the device of the message.
    private func finish(
        _ message: inout DecodedMessage, from first: Int, hasBegun: Bool, notifying outermost: Int,
        token: BorrowedText?, _ screens: any DeliverySession
    ) throws -> LaneResult {
        for position in busy where position >= first {
            let stage = stages[position]
            guard message.verdict.isAccepted || isCalled(stage, for: message) else { continue }
            if !hasBegun, position == aheadPosition, try aheadStage?.begin(message, context) == false { continue }
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
        return LaneResult(
            outcome: result?.outcome ?? message.verdict.undeliveredOutcome, replaces: result?.replaces ?? 0,
            cleared: cleared)
    }

    private func deliverToActivities(
        _ message: inout DecodedMessage, token: BorrowedText?, _ screens: any DeliverySession
    ) throws -> DeliveryResult? {
        try activities.deliver(&message, token: token, context, screens).map { DeliveryResult(outcome: $0) }
    }

    private func deliver(
        _ message: borrowing DecodedMessage, seq: UInt64, at: Int64, _ screens: any DeliverySession
    ) throws -> LaneResult {
        guard case .accepted = message.verdict else {
            return LaneResult(outcome: message.verdict.undeliveredOutcome)
        }
        let delivery = try screens.deliver(copy message, seq: seq, at: at)
        return LaneResult(
            outcome: delivery.outcome, replaces: delivery.replaces ?? 0, cleared: delivery.cleared)
    }

    /// Calls the stages up to the one that works ahead for the message at `index`, and for as many later messages as that stage accepts.
    /// Stops at an event, because later messages depend on its effect. Time has passed up to the message at `index`.
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
            // A message to a topic is delivered to its subscribers in its turn.
            if ahead > index, let first = busy.first, first < aheadPosition, unsafe messages[ahead].isForTopic {
                return
            }
            let (seq, at) = unsafe times.of(messages[ahead].record)
            context.isAhead = ahead > index
            defer { context.isAhead = false }
            // What time brings about is delivered before the message, and not before those ahead of it.
            if context.isAhead, at >= nextDue { return }
            turn(to: ahead, seq: seq, at: at)
            if part.placesRows { unsafe part.placeRows(of: messages[ahead], seq, isAhead: context.isAhead) }
            if !isPrepared {
                for position in busy where position < aheadPosition {
                    // Otherwise the message would be copied for the question.
                    guard unsafe messages[ahead].verdict.isAccepted || isCalled(stages[position], for: messages[ahead])
                    else { continue }
                    try unsafe stages[position].process(&messages[ahead], context)
                }
                reportFindings(of: ahead, in: &batch)
            }
            isPrepared = true
            if let aheadStage, unsafe isCalled(aheadStage, for: messages[ahead]) {
                guard try unsafe aheadStage.begin(messages[ahead], context) else { return }
            }
            isPrepared = false
            ahead += 1
        }
    }
}

/// Chunks that lanes deliver, each to its own devices.
extension ChunkDelivery {
    /// Why no chunk can be delivered in lanes; nil if that depends on the chunk.
    var obstacle: String? {
        guard let lanes else { return "store" }
        if let aheadStage { return aheadStage.name }
        return configuration.traces ? "trace" : lanes.obstacle
    }

    /// Why the messages of a chunk have to be delivered one after the other: its content concerns more than one device, or there is a stage
    /// with something to do for one of them. Nil for no reason.
    func reason(_ chunk: borrowing RecordChunk, _ times: ChunkTimes) -> String? {
        if chunk.isPlaced { return "places" }
        if !times.ofRecords.isEmpty { return "times" }
        if !chunk.batch.events.isEmpty { return "events" }
        if chunk.batch.hasLiveActivities { return "live-activities" }
        if lateRemovals.isActive { return "late-removals" }
        guard stages.contains(where: { !$0.isIdle }) else { return nil }
        let end = times.ofRecord(UInt64(max(chunk.frames.count - 1, 0)))
        // SOUND: the messages are those of the chunk, which is borrowed for the duration of the call.
        let messages = unsafe chunk.batch.messages
        return stages.first { stage in
            unsafe !stage.isIdle && (stage !== registry || registry?.leavesAlone(messages, until: end) != true)
        }?.name
    }

    func work(for chunk: borrowing RecordChunk, _ times: ChunkTimes, _ lanes: MemoryStore) -> LaneWork {
        // SOUND: an empty batch has no element to read; messages, keys and results of the chunk stay until it is taken.
        let messages = unsafe chunk.batch.messages
        let lines = chunk.lines
        return unsafe LaneWork(
            messages: messages.baseAddress.map { unsafe UnsafePointer($0) }, keys: lines.keys, results: lines.results,
            count: messages.count, firstSequence: times.firstSequence,
            firstOrder: lanes.takeOrder(messages.count),
            time: times.ofRecord(0), timePerRecord: times.perRecord)
    }
}

/// Events of devices among the records.
extension ChunkDelivery {
    /// Has the stages handle an event of a device, and lets happen what is due after one that moves the clock.
    func handle(
        _ event: DeviceEvent, _ index: Int, _ message: DecodedMessage, seq: UInt64, at: Int64,
        _ times: inout ChunkTimes
    ) throws -> LaneResult {
        turn(to: index, seq: seq, at: at)
        context.clockAdvance = 0
        var result = EventResult.ignored
        for stage in stages {
            guard let answer = try stage.handle(event, standIn: message, context) else { continue }
            result = answer
            break
        }
        if event.name == .clock {
            context.linesFollow = true
            defer { context.linesFollow = false }
            try carryOutDue(until: at &+ context.clockAdvance)
        }
        times.offset = (times.ofRecords.isEmpty ? times.offset : at) &+ context.clockAdvance
        return LaneResult(outcome: result == .applied ? .applied : .ignored)
    }

    /// Delivers a queued message, which does not belong to the chunk.
    ///
    /// - Returns: its outcome, the findings of the stages, and a note with the Live Activities that it changed.
    func deliver(
        _ message: inout DecodedMessage, token: BorrowedText?, seq: UInt64, at: Int64, after stage: any DeliveryStage
    ) throws -> (result: LaneResult, findings: [Finding], note: ReportNote) {
        let index = context.index
        let lastSeq = context.seq
        let lastAt = context.at
        let findings = context.takeFindings()
        turn(to: -1, seq: seq, at: at)
        defer {
            turn(to: index, seq: lastSeq, at: lastAt)
            for finding in findings { context.report(finding) }
        }
        let next = (stages.firstIndex { $0 === stage } ?? -1) + 1
        let result = try finish(
            &message, from: next, hasBegun: false, notifying: next, token: token, try context.store.screens)
        return (result, context.takeFindings(), context.lines.takeNote(of: -1) ?? ReportNote())
    }
}

/// The effects of time: with every record, whatever becomes of it.
extension ChunkDelivery {
    /// The messages of a batch whose records say that the provider has answered 410, by their indices. It says since when: now, because no record
    /// tells. O(findings).
    func deadTokens(of batch: borrowing MessageBatch) -> [Int] {
        // SOUND: a finding is about a message of the batch.
        let messages = unsafe batch.messages
        return batch.findings.lazy.map(\.message).filter { index in
            guard case .rejected(let rejection) = unsafe messages[index].verdict else { return false }
            return rejection.hasTimestamp
        }
    }

    /// Notes since when tokens are dead, for a chunk whose messages have no order.
    func noteDeadTokens(of batch: borrowing MessageBatch, _ times: ChunkTimes) {
        // SOUND: as above.
        for index in deadTokens(of: batch) {
            let time = unsafe times.of(batch.messages[index].record).at
            context.lines.updateNote(of: index) { $0.timestamp = time }
        }
    }

    /// The time at which something happens by itself next; `Int64.max` when nothing does.
    var nextDue: Int64 { min(lateRemovals.due, registry?.due ?? .max) }

    /// Lets everything happen that is due up to a record, at the records whose times are the first at which it is due.
    ///
    /// - Parameters:
    ///   - record: index in the chunk.
    ///   - isIncluded: true if effects that are due at the record itself come before it; false for an event that moves the clock.
    ///   - index: the message before whose line the lines about it stand.
    func passTime(toRecord record: Int, isIncluded: Bool = true, before index: Int, _ times: ChunkTimes) throws {
        let position = times.position(ofRecord: record)
        let end = isIncluded ? position : position &- 1
        guard end > passed else { return }
        while case let due = nextDue, due < .max {
            let next = max(times.firstPosition(at: due, seenFrom: position), passed + 1)
            guard next <= end else { break }
            passed = next
            turn(to: index, seq: times.seq(ofPosition: next), at: times.time(ofPosition: next))
            part.placeRowsOfTime(atRecord: context.seq)
            try carryOutDue(until: context.at)
            // What cannot happen must not be tried at each of a million records.
            if nextDue == due { break }
        }
        setPassed(end, times, isIncluded: isIncluded)
    }

    /// Notes the last record before which time has passed.
    ///
    /// - Parameter isIncluded: false if the record has not come, but the one after it; by the machine's clock its time is unknown then.
    func setPassed(_ position: UInt64, _ times: ChunkTimes, isIncluded: Bool = true) {
        passed = position
        if isIncluded || !times.isWall { passedTime = times.time(ofPosition: position) }
    }

    /// Lets everything happen that is due up to a time, in its order, and each at its own time, which is then that of the context.
    ///
    /// Everything that was due before the last record happens at the time of that record: it has followed from it.
    func carryOutDue(until end: Int64) throws {
        let screens = try context.store.screens
        let firstLine = context.lines.consequences.count
        var at = min(passedTime, end)
        var steps = 0
        while case let due = nextDue, due <= end {
            at = max(at, due)
            // At once, and there was no record before.
            if at == .min { at = end }
            context.at = at
            try lateRemovals.advance(to: at, screens)
            if let registry, !registry.isIdle { try registry.passTime(context) }
            steps += 1
            if nextDue == due {
                // It has to wait for something else, which may be what is due later.
                if at == end { break }
                at = end
            }
        }
        passedTime = max(passedTime, at)
        context.at = end
        if steps > 1 { context.lines.order(from: firstLine) }
    }
}

/// Carries out removals that come after their extension's notification, at their own times by the run's clock.
///
/// A removal is done before the first record whose time is not earlier; its journal line has its own time, and the number of the
/// record whose extension asked for it. What is due after the last record stays pending in the store.
final class LateRemovalDelivery {
    private let mayCome: Bool
    /// Those of the store, within a transaction.
    private var removals = LateRemovals()

    init(mayCome: Bool) { self.mayCome = mayCome }

    /// True if deliveries have to be looked at one after the other.
    var isActive: Bool { mayCome || !removals.isEmpty }

    /// The time at which the next removal takes effect; `Int64.max` if there is none.
    var due: Int64 { removals.due }

    func beginChunk(_ store: StoreTransaction) { removals = store.removals }

    /// Carries out what is due at a time.
    func advance(to time: Int64, _ screens: any DeliverySession) throws {
        guard removals.due <= time else { return }
        for removal in removals.takeDue(at: time) {
            try BorrowedText.with(removal.device) { device in
                try BorrowedText.with(removal.app) { app in
                    var message = DecodedMessage(record: 0, device: device)
                    message.topic = app
                    message.verdict = .event
                    _ = try screens.remove(
                        removal.identifier.map { [$0] }, askedBy: message, seq: removal.seq, at: removal.due)
                }
            }
        }
    }

    /// Keeps the removals that a delivered message has asked for and that come later.
    ///
    /// - Returns: the notifications that became stale duplicates.
    func collect(
        _ message: borrowing DecodedMessage, seq: UInt64, _ screens: any DeliverySession
    ) -> [StaleNotification] {
        let late = screens.takeLateRemovals()
        guard !late.isEmpty else { return [] }
        let device = message.device.string
        let app = message.app.string
        for request in late {
            guard let due = request.due else { continue }
            let identifiers = request.identifiers.map { $0.map { Optional($0) } } ?? [nil]
            for identifier in identifiers {
                removals.add(
                    LateRemovals.Removal(seq: seq, due: due, device: device, app: app, identifier: identifier))
            }
        }
        return late.flatMap(\.stale)
    }
}
