import PayloadJSON
import PushDecoding
import PushDevices
import PushModel
import PushPipeline
import PushSystem

/// The state that records depend on: what came before them.
extension Partitioner {
    /// The time of a record, in milliseconds since the epoch, as a run has it.
    func time(of seq: UInt64) -> Int64 {
        switch clock {
        case .wall: SystemClock.wallMilliseconds() &+ clockOffset
        case .fixed(let start): start &+ Int64(truncatingIfNeeded: seq &- 1) &+ clockOffset
        }
    }

    func recipients(
        of index: Int, in chunk: borrowing RecordChunk, _ seq: UInt64
    ) throws -> [DeviceRegistry.Recipient]? {
        // SOUND: the index is that of a message of the chunk.
        let message = unsafe chunk.batch.messages[index]
        let isAccepted = if case .accepted = message.verdict { true } else { false }
        guard isAccepted || TopicSize.isLost(message) else { return nil }
        let time = time(of: seq)
        let recipients = try devices.recipients(of: message, at: time)
        if devices.isIdle || (isAccepted && !owners.accepts(message)) { return recipients }
        guard let recipients else {
            try observe(index..<index + 1, in: chunk, seq)
            return nil
        }
        // Its part refuses it, too, so there are no copies.
        if devices.refuses(message, at: time) { return [] }
        for (position, recipient) in recipients.enumerated() {
            try BorrowedText.with(recipient.device) { device in
                try BorrowedText.with(recipient.app) { app in
                    var copy = message
                    (copy.device, copy.topic, copy.target, copy.isForTopic) = (device, app, position, false)
                    try observe(copy, seq, at: time, isFannedOut: true)
                }
            }
        }
        return recipients
    }

    /// Notes what messages change for later ones: that they are queued, and count towards a limit.
    func observe(_ range: Range<Int>, in chunk: borrowing RecordChunk, _ seq: UInt64) throws(UnknownOutcome) {
        // SOUND: the range is within the messages of the chunk.
        for index in range { unsafe devices.noteShown(chunk.batch.messages[index]) }
        if devices.isIdle { return }
        let time = time(of: seq)
        for index in range {
            var message = unsafe chunk.batch.messages[index]
            guard case .accepted = message.verdict, message.headers.pushType != .liveactivity else { continue }
            if message.gateway == .expo, let target = devices.target(ofExpoTokenOf: message) {
                message.device = target.device
                if !target.app.isEmpty { message.topic = target.app }
            }
            try observe(message, seq, at: time, isFannedOut: false)
        }
    }

    private func observe(
        _ message: DecodedMessage, _ seq: UInt64, at time: Int64, isFannedOut: Bool
    ) throws(UnknownOutcome) {
        guard devices.concerns(message), isFannedOut || owners.accepts(message) else { return }
        var message = message
        try devices.count(message.device.string, for: message.device.string, at: time)
        if let platform = devices.otherPlatform(of: message) {
            var reader = platforms.take() ?? PlatformReader(options: decoding)
            if let read = reader.message(message, for: platform)?.message { message = read }
            if case .accepted = message.verdict {
                devices.fate(of: &message, seq: seq, at: time, isFannedOut: isFannedOut)
            }
            reader.reset()
            platforms = consume reader
        } else {
            devices.fate(of: &message, seq: seq, at: time, isFannedOut: isFannedOut)
        }
        settle(at: time)
    }

    /// The parts that a message concerns, the one whose record it is first: several for a broadcast to Live Activities. Also the device whose
    /// activity it is for, where only the order of the records says so.
    func parts(
        of index: Int, in chunk: borrowing RecordChunk, _ seq: UInt64, _ part: Int
    ) throws(UnknownOutcome) -> (parts: [Int], owner: String?) {
        // SOUND: the index is that of a message of the chunk.
        var message = unsafe chunk.batch.messages[index]
        guard message.headers.pushType == .liveactivity, case .accepted = message.verdict else {
            // `recipients` has seen one to a topic.
            if !message.isForTopic { try observe(index..<index + 1, in: chunk, seq) }
            return ([devices.part(of: message, function) ?? part], nil)
        }
        let isAccepted = owners.accepts(message)
        let token = devices.replaceActivityToken(of: &message)
        guard var push = reader?.push(message, token: chunk.batch.activityTokens[index]) else { return ([part], nil) }
        let time = time(of: seq)
        defer { settle(at: time) }
        guard push.channel == nil else {
            let changed =
                isAccepted ? try owners.devices(changedBy: push, seq: seq, target: message.target, at: time) : nil
            return (changed.map { parts(of: $0, besides: part) } ?? [part], nil)
        }
        devices.address(&push, of: message, token: token, isDefault: push.device == defaultDevice)
        let doubt = isAccepted ? devices.doubt(about: push.device) : nil
        if isAccepted {
            try devices.checkApp(of: message, for: push.device)
            let device = owners.device(of: push, at: time) ?? push.device
            try devices.count(token ?? message.device.string, for: device, at: time)
        }
        var fate = KnownDevices.Fate.isRefused
        if isAccepted {
            var decided = message
            fate = devices.fate(of: &decided, token: token, seq: seq, at: time)
            // Without a topic it is for the first app of its device.
            if message.app.isEmpty { push.app = decided.app.string }
        }
        let owner = try owners.owner(of: push, seq: seq, target: message.target, at: time, doubt: doubt, fate: fate)
        return ([function.part(of: owner ?? push.device)], owner)
    }

    /// The parts of devices, in ascending order. Without devices it is any part in which nothing begins.
    ///
    /// - Parameter part: that of the device of the request.
    private func parts(of devices: [String], besides part: Int) -> [Int] {
        if devices.isEmpty { return [function.parts > 1 && part == 0 ? 1 : 0] }
        return Set(devices.map { function.part(of: $0) }).sorted()
    }

    /// Applies an event of a device.
    ///
    /// - Returns: the part of another device that it takes something from; nil for most events.
    func apply(
        _ events: inout ArraySlice<(message: Int, event: DeviceEvent)>, _ message: Int, _ seq: UInt64
    ) throws(UnknownOutcome) -> Int? {
        guard let event = events.next(of: message) else { return nil }
        let time = time(of: seq)
        let loser = devices.part(losingTokenTo: event, function)
        try devices.apply(event, seq: seq, at: time)
        owners.apply(event, app: devices.appName(of: event), at: time)
        settle(at: time)
        return loser
    }

    /// Notes which pushes are no longer queued.
    private func settle(at time: Int64) {
        guard devices.hasSettled else { return }
        for (seq, target, hasArrived) in devices.settled() {
            owners.settle(seq, target: target, hasArrived: hasArrived, at: time) {
                devices.startsActivities($0, on: $1)
            }
        }
    }

    func advanceClock(
        _ events: inout ArraySlice<(message: Int, event: DeviceEvent)>, _ message: Int, at time: Int64
    ) {
        guard let advance = events.next(of: message)?.advance else { return }
        let (now, overflowed) = time.addingReportingOverflow(advance)
        if !overflowed, now <= EventTime.writable.upperBound { clockOffset &+= advance }
    }
}
