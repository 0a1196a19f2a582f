import DeviceScreens
import PushDecoding
import PushModel
import PushStore

/// Delivers those messages and events of a chunk that are about the devices of one lane, in their order, and every event that moves the clock.
///
/// Each chunk in flight has its own for each lane, so that report lines may borrow from it until the chunk is taken. Registry and screens are
/// those of the lane. A lane delivers one chunk after the other, by one thread at a time.
@safe  // SOUND: `begin` gets the memory of the chunk, which keeps it until it is taken.
final class LaneDelivery {
    /// The work of a lane on a chunk.
    @safe  // SOUND: whoever makes one vouches for the memory, which has an element for each message.
    struct Work {
        let messages: UnsafeMutableBufferPointer<DecodedMessage>
        let events: [(message: Int, event: DeviceEvent)]
        let laneOf: UnsafePointer<UInt16>
        let recordOf: UnsafePointer<UInt32>
        let results: UnsafeMutablePointer<LaneResult>
        let recordCount: Int
        /// As they are when the chunk begins.
        let times: ChunkTimes
        let firstOrder: UInt64
        let passed: UInt64
        let passedTime: Int64

        @unsafe
        init(
            messages: UnsafeMutableBufferPointer<DecodedMessage>, events: [(message: Int, event: DeviceEvent)],
            laneOf: UnsafePointer<UInt16>, recordOf: UnsafePointer<UInt32>,
            results: UnsafeMutablePointer<LaneResult>, recordCount: Int, times: ChunkTimes, firstOrder: UInt64,
            passed: UInt64, passedTime: Int64
        ) {
            // SOUND: stores the addresses, for which the caller vouches.
            unsafe self.messages = unsafe messages
            self.events = events
            unsafe self.laneOf = unsafe laneOf
            unsafe self.recordOf = unsafe recordOf
            unsafe self.results = unsafe results
            self.recordCount = recordCount
            self.times = times
            self.firstOrder = firstOrder
            self.passed = passed
            self.passedTime = passedTime
        }
    }

    private let lane: UInt16
    private let delivery: ChunkDelivery
    private let stage = RegistryStage()
    private let screens: any LaneScreens
    private var work: Work?
    private(set) var findings: [(message: Int, finding: Finding)] = []
    private var failure: (any Error)?
    /// Notes of the lane's messages, and additional lines.
    var lines: ReportLines { delivery.context.lines }

    init(
        _ lane: Int, _ configuration: PipelineConfiguration, _ store: any DeliveryStore, _ lanes: any LaneStore,
        _ transaction: StoreTransaction
    ) {
        self.lane = UInt16(lane)
        delivery = ChunkDelivery(configuration, store, [stage])
        screens = lanes.screens(ofLane: lane)
        delivery.context.setStore(
            StoreTransaction(
                screens: screens, registry: lanes.registry(ofLane: lane), progress: transaction.progress,
                journal: transaction.journal))
    }

    func begin(_ work: Work) { self.work = work }

    /// Throws the error of the last delivery.
    func check() throws {
        guard let failure else { return }
        self.failure = nil
        throw failure
    }

    func deliver() {
        lines.removeAll()
        findings.removeAll(keepingCapacity: true)
        guard let work else { return }
        self.work = nil
        do { try deliver(work) } catch { failure = error }
    }

    private func deliver(_ work: Work) throws {
        // SOUND: the indices are those of messages of this lane, and of events that move the clock, which nobody changes.
        var times = work.times
        delivery.passed = work.passed
        delivery.passedTime = work.passedTime
        try stage.beginChunk(delivery.context)
        delivery.findBusyStages()
        var nextEvent = 0
        var prefetched = 0
        for index in unsafe work.messages.indices {
            let lane = unsafe work.laneOf[index]
            guard lane == self.lane || lane == ReportLines.everyLane else { continue }
            if index >= prefetched { prefetched = prefetch(from: index, work) }
            try unsafe delivery.catchUp(before: index, work.recordOf, times)
            screens.nextOrder = work.firstOrder &+ UInt64(truncatingIfNeeded: index) &* ChunkDelivery.placesOfMessage
            let (seq, at) = unsafe times.of(work.messages[index].record)
            let result: Delivered
            if case .event = unsafe work.messages[index].verdict {
                while nextEvent < work.events.count, work.events[nextEvent].message < index { nextEvent += 1 }
                let isKnown = nextEvent < work.events.count && work.events[nextEvent].message == index
                let movesClock = isKnown && work.events[nextEvent].event.name == .clock
                stage.registry.setOrder(seq)
                try unsafe delivery.passTime(
                    toRecord: work.messages[index].record, isIncluded: !movesClock, before: index, times)
                result =
                    isKnown
                    ? try unsafe delivery.handle(
                        work.events[nextEvent].event, index, work.messages[index], seq: seq, at: at, &times)
                    : Delivered(seq: seq, outcome: .ignored)
                if movesClock {
                    unsafe delivery.setPassed(times.position(ofRecord: work.messages[index].record), times)
                }
                delivery.findBusyStages()
            } else {
                try unsafe delivery.passTime(toRecord: work.messages[index].record, before: index, times)
                result = try unsafe delivery.deliver(index, &work.messages[index], seq: seq, at: at, screens)
            }
            // The line of an event that all lanes handle is that of the first one.
            if lane == ReportLines.everyLane, self.lane > 0 {
                _ = lines.takeNote(of: index)
                _ = delivery.context.takeFindings()
                continue
            }
            for finding in delivery.context.takeFindings() { findings.append((index, finding)) }
            unsafe work.results[index] = LaneResult(
                outcome: result.outcome, replaces: result.replaces ?? 0, cleared: result.cleared)
        }
        try unsafe delivery.catchUp(before: work.messages.count, work.recordOf, times)
        if work.recordCount > 0 {
            try unsafe delivery.passTime(toRecord: work.recordCount - 1, before: work.messages.count, times)
        }
    }

    /// Messages of a lane whose devices are prefetched together.
    private static var group: Int { 64 }

    /// Prefetches what is known of the devices of the lane's next messages, from one of them on.
    ///
    /// - Returns: the index after the last one.
    private func prefetch(from first: Int, _ work: Work) -> Int {
        // SOUND: the indices are those of messages of this lane, which are not changed meanwhile.
        var indices: [Int] = []
        indices.reserveCapacity(Self.group)
        var index = first
        while unsafe index < work.messages.count, indices.count < Self.group {
            if unsafe work.laneOf[index] == lane { indices.append(index) }
            index += 1
        }
        unsafe stage.registry.prefetch(work.messages, indices)
        return index
    }
}

extension ChunkDelivery {
    /// Delivers a message of a lane: the stage decides about it, and then it reaches its screen.
    fileprivate func deliver(
        _ index: Int, _ message: inout DecodedMessage, seq: UInt64, at: Int64, _ screens: any DeliverySession
    ) throws -> Delivered {
        turn(to: index, seq: seq, at: at)
        for position in busy where message.verdict.isAccepted || isCalled(stages[position], for: message) {
            try stages[position].process(&message, context)
        }
        return try finish(
            &message, from: aheadStage, hasBegun: true, notifying: 0, token: nil, screens)
    }
}
