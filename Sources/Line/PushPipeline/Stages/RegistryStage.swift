import AppSimulation
import PushDecoding
import PushDevices
import PushJSON
package import PushModel

/// Decides whether a push reaches its device, and handles device events: devices go online and offline, users tap and change settings,
/// tokens die. Queued messages and dead tokens get their own report lines.
///
/// While no device is registered, it costs one counter check. Belongs before `ServiceExtensionStage`: a push that does not reach its device
/// starts no extension.
package final class RegistryStage: DeliveryStage {
    /// `registry`.
    package var name: String { "registry" }
    /// True if no device is registered.
    package private(set) var isIdle = true

    private var queued: QueuedMessageReader?
    private var platforms: PlatformReader?
    var registry = DeviceRegistry()
    /// Queued messages that are delivered now, with the places of their lines.
    private var released: [(message: QueuedMessage, place: LinePlace)] = []
    /// The effects of messages that were decided ahead of their turn, by the indices of these.
    var postponed: [Int: Effects] = [:]
    /// True if lines stand before that of the context's message.
    private(set) var isBefore = false
    /// The message up to which the chunk's devices have been prefetched.
    private var prefetched = 0

    /// A stage with the limits of `PipelineConfiguration.devicePolicy`.
    package init() {}

    package func beginChunk(_ context: DeliveryContext) throws {
        registry = try context.store.registry
        registry.policy = context.configuration.devicePolicy
        registry.presentsLater = context.presentsLater
        isIdle = registry.isIdle
        prefetched = 0
        if !released.isEmpty { released.removeAll() }
        if !postponed.isEmpty { postponed.removeAll() }
        queued?.reset()
        platforms?.reset()
    }

    /// True if the messages of a chunk reach their devices, and nothing happens there but that they are shown: then they need not come one after the
    /// other. Asked when the chunk has no events, and once all events before it have been handled.
    ///
    /// - Parameter end: the time of the last one, in milliseconds since the epoch.
    func leavesAlone(_ messages: UnsafeMutableBufferPointer<DecodedMessage>, until end: Int64) -> Bool {
        // SOUND: passes the messages on.
        unsafe registry.leavesAlone(messages, until: end)
    }

    // MARK: - Time

    /// The time at which the next message expires or is delivered, or the next token is swept, in milliseconds since the epoch; `Int64.max` if
    /// there is none.
    var due: Int64 { isIdle ? .max : registry.due }

    /// Expires queued messages, delivers delayed ones, and sweeps tokens: what is due at the context's time, or was before the last record. The
    /// lines about it stand before that of the context's message, or follow it while `DeliveryContext.linesFollow`.
    func passTime(_ context: DeliveryContext) throws {
        try registry.advance(to: context.at)
        guard registry.hasFollowUps else { return }
        isBefore = !context.linesFollow
        defer { isBefore = false }
        for followUp in registry.takeFollowUps() {
            try take(followUp, context)
            try deliverReleased(context)
        }
    }

    // MARK: - Messages

    /// Number of messages whose devices are prefetched together, so that memory accesses overlap.
    private static let prefetchCount = 256

    /// Determines whether an accepted message reaches its device, and sets its verdict if not.
    package func process(_ message: inout DecodedMessage, _ context: DeliveryContext) throws {
        prefetch(context)
        if message.isForTopic {
            if try sendToSubscribers(&message, context) { return }
            // Lost on its way to Apple devices, of which its topic stands for one.
            guard case .accepted = message.verdict else { return }
        }
        let (platform, isChanged) = (message.platform, message.isChanged)
        let target = message.gateway == .expo ? try lead(&message, context) : nil
        let adaptation = try adapt(&message, on: target, context)
        // Its device gets the texts as they were sent.
        context.withdrawsCuts = isChanged && message.platform != platform && message.gateway == .expo
        if let finding = try adaptation ?? refuseAppToken(&message) {
            context.report(finding)
            if case .rejected = message.verdict { return }
        }
        if message.platform != platform { context.updateTrace { $0.noteDecodedAgain(message) } }
        let token = message.headers.pushType == .liveactivity ? try replaceToken(of: &message, context) : nil
        let answer = try registry.decide(&message, activityToken: token, seq: context.seq, at: context.at)
        if case .accepted = message.verdict, answer.isEmpty, !registry.hasFollowUps { return }
        if let finding = answer.arrival.finding { context.report(finding) }
        reportRejection(of: message, context)
        let effects = Effects(answer: answer, followUps: registry.takeFollowUps())
        guard !context.isAhead else {
            postponed[context.index] = effects
            return
        }
        try perform(effects, &message, context)
    }

    func reportRejection(of message: DecodedMessage, _ context: DeliveryContext) {
        guard case .rejected(let rejection) = message.verdict else { return }
        context.report(rejection.rule, .error, rejection.row.cause.description)
    }

    /// Refuses what FCM cannot hand on to the app of an Apple device. An event has to say that it is one.
    private func refuseAppToken(_ message: inout DecodedMessage) throws -> Finding? {
        guard message.provider == .fcm, message.platform == .ios,
            message.headers.pushType != nil || message.headers.priority != nil,
            try registry.platform(of: message.device) == .ios,
            let finding = message.headers.text.withJSON({ FCMMessage($0).refusalOfAppToken(in: message) }) ?? nil
        else { return nil }
        message.verdict = .rejected(.invalidArgument)
        return finding
    }

    /// Replaces a message of GCM or FCM by what a device gets that is registered with another platform.
    ///
    /// - Returns: why APNs refuses it, or why a browser does not show it, if so.
    /// - Parameter known: the platform, if a token has told it.
    func adapt(
        _ message: inout DecodedMessage, on known: Platform? = nil, _ context: DeliveryContext
    ) throws -> Finding? {
        guard message.provider != .apns || message.gateway == .expo,
            let platform = try known ?? registry.platform(of: message.device), platform != message.platform
        else { return nil }
        var reader = platforms.take() ?? PlatformReader(options: context.configuration.decoding)
        let read = reader.message(message, for: platform)
        platforms = consume reader
        if let read { message = read.message }
        return read?.finding
    }

    /// Addresses a message of Expo's to the app on the device that its token leads to.
    ///
    /// - Returns: the platform of the device; nil if nothing says it, and for a token that no event has named.
    private func lead(_ message: inout DecodedMessage, _ context: DeliveryContext) throws -> Platform? {
        guard let target = try registry.target(ofExpoToken: message.device) else { return nil }
        let token = message.device.string
        context.updateNote { $0.expoToken = token }
        message.device = target.device
        if !target.app.isEmpty { message.topic = target.app }
        message.headers.hasHexadecimalToken = DeviceToken.isHexadecimalBytes(target.device)
        return target.platform
    }

    private func prefetch(_ context: DeliveryContext) {
        // SOUND: the range is within the messages, which live until the chunk is delivered.
        guard context.index >= prefetched, let messages = unsafe context.messages else { return }
        prefetched = min(context.index + Self.prefetchCount, messages.count)
        unsafe registry.prefetch(messages, context.index..<prefetched)
    }

    /// Has the app do what it does with a message that it has got.
    package func didDeliver(
        _ message: DecodedMessage, _ result: inout DeliveryResult?, _ context: DeliveryContext
    ) throws {
        guard result != nil else { return }
        try react(to: message, LinePlace(context), context)
    }

    // MARK: - Queued messages

    func takeFollowUps(_ context: DeliveryContext) throws {
        for followUp in registry.takeFollowUps() { try take(followUp, context) }
    }

    /// - Parameter cause: the message that it follows from, if one.
    func take(_ followUp: FollowUp, after cause: DecodedMessage? = nil, _ context: DeliveryContext) throws {
        switch followUp {
        case .release(let message): released.append((message, LinePlace(context, original: message.seq)))
        case .expired(let message): try add(message, .expired("expired"), .expired, context)
        case .discarded(let message, let reason):
            try add(message, .discarded(reason.name), .discarded, after: cause, context)
        case .token(let device, let app, let fate):
            var note = ReportNote()
            note.event = fate.kind.name.description
            note.isDerivedEvent = true
            note.reason = fate.reason
            let token = addEvent(device: device, app: app, note, context)
            try context.store.screens.record(
                fate.kind, for: token, about: .empty, seq: context.seq, at: context.at)
        case .deletedMessages(let device, let app, let count):
            var note = ReportNote()
            note.event = "deleted_messages"
            note.isDerivedEvent = true
            note.totalDeleted = count
            addEvent(device: device, app: app, note, context)
        }
    }

    private func add(
        _ message: QueuedMessage, _ verdict: Verdict, _ outcome: Outcome, after cause: DecodedMessage? = nil,
        _ context: DeliveryContext
    ) throws {
        var push = read(message, context).message
        let isLost = push.platform == .ios && push.isShown && cause?.isBackground == true
        push.verdict = verdict
        try Self.record(push, seq: message.seq, at: context.at, try context.store.screens)
        var note = ReportNote()
        note.original = message.seq
        append(
            LaneResult(outcome: outcome), push, isLost ? [Self.lostAlert] : [], note: note, at: .init(context), context)
    }

    /// The finding about an alert that APNs drops for a background push.
    ///
    /// Sources: Apple, "Sending notification requests to APNs"; firebase-admin-java, issue 812, reports that distinct collapse ids all arrived.
    private static let lostAlert = Finding(
        rule: "apns.alert-discarded", severity: .warning, pointer: "",
        message:
            "a background push replaces this alert in the queue, so the user never sees it: APNs stores one notification for each bundle ID (Apple; one report disagrees where collapse ids differ)"
    )

    /// Adds a line that follows that of a message of the chunk, or stands before it.
    private func append(
        _ result: LaneResult, _ message: DecodedMessage, _ findings: [Finding] = [], note: ReportNote,
        at place: LinePlace, _ context: DeliveryContext
    ) {
        context.lines.append(
            ReportLines.Consequence(
                index: place.index, isBefore: isBefore, seq: place.seq, result: result, message: message,
                findings: findings, note: note))
    }

    /// Adds a line about an event that follows from another one, and returns the message that represents it.
    @discardableResult
    private func addEvent(
        device: String, app: String, _ note: ReportNote, _ context: DeliveryContext
    ) -> DecodedMessage {
        let message = withQueued(context) { $0.event(device: device, app: app) }
        append(LaneResult(outcome: .applied), message, note: note, at: .init(context), context)
        return message
    }

    func deliverReleased(_ context: DeliveryContext) throws {
        guard !released.isEmpty else { return }
        for (message, place) in released {
            var (push, token) = read(message, context)
            let arrival = try registry.arrive(&push, seq: message.seq, at: context.at)
            var note = ReportNote()
            note.original = message.seq
            try deliver(&push, arrival, token: token, [], note, place, context)
        }
        released.removeAll(keepingCapacity: true)
    }

    /// Delivers a message that does not belong to the chunk through the stages after this one, and adds its line.
    ///
    /// - Parameters:
    ///   - token: that of its Live Activity, if it is not the device.
    ///   - findings: those before the ones about its arrival and delivery.
    private func deliver(
        _ push: inout DecodedMessage, _ arrival: Arrival, token: BorrowedText? = nil, _ findings: [Finding],
        _ note: ReportNote, _ place: LinePlace, _ context: DeliveryContext
    ) throws {
        var (arrival, note) = (arrival, note)
        let cleared = try Self.settle(&arrival, &push, seq: place.messageSeq, context)
        guard let delivery = context.delivery else { throw DeliveryContext.outsideTransaction }
        var (result, own, delivered) = try delivery.deliver(
            &push, token: token, seq: place.messageSeq, at: context.at, after: self)
        result.cleared += UInt32(clamping: cleared)
        note.set(arrival)
        note.take(delivered)
        append(
            result, push, findings + (arrival.finding.map { [$0] } ?? []) + own, note: note, at: place, context)
        try react(to: push, place, context)
    }

    // MARK: - Reading

    func withQueued<Result>(
        _ context: DeliveryContext, _ body: (inout QueuedMessageReader) -> Result
    ) -> Result {
        var reader = queued.take() ?? QueuedMessageReader(options: context.configuration.decoding)
        let result = body(&reader)
        queued = consume reader
        return result
    }

    private func read(
        _ message: QueuedMessage, _ context: DeliveryContext
    ) -> (message: DecodedMessage, activityToken: BorrowedText?) {
        withQueued(context) { $0.message(message) }
    }

    // MARK: - Events

    /// Applies an event to a device, and delivers the messages queued until then.
    package func handle(
        _ event: DeviceEvent, standIn: DecodedMessage, _ context: DeliveryContext
    ) throws -> EventResult? {
        if event.name == .post { return try post(event, standIn, context) }
        let answer = try apply(event, standIn: standIn, context)
        let screens = try context.store.screens
        if !answer.steps.isEmpty {
            try BorrowedText.with(answer.app ?? event.app ?? "") { app in
                var subject = standIn
                subject.topic = app
                try Self.record(answer.steps, subject, seq: context.seq, at: context.at, screens)
            }
        }
        // A closure that names the event would copy all of it.
        let name = event.name.rawValue
        context.updateNote { note in
            note.event = name
            note.steps = answer.steps.map(\.text)
            note.reason = answer.ignored?.name
        }
        if event.hasRareMembers || event.isDozing != nil || event.isOnBundle != nil || event.name == .focus
            || event.name == .summary
        {
            for var finding in try registry.findings(about: event) {
                finding.pointer = standIn.place.string + finding.pointer
                context.report(finding)
            }
        }
        try takeFollowUps(context)
        try deliverReleased(context)
        isIdle = registry.isIdle
        return answer.ignored == nil ? .applied : .ignored
    }

    /// The meaning of a tap or a dismissal, by the categories of its app.
    private func choice(
        of event: DeviceEvent, _ standIn: DecodedMessage, _ screens: ScreenEvent, _ context: DeliveryContext
    ) throws -> ActionChoice {
        guard event.name == .dismiss || event.action != nil || event.text != nil,
            let target = try screens.target(at: context.at, registry),
            let categories = try registry.categoryIndex(of: target.app, on: standIn.device)
        else { return .plain }
        return registry.choice(event, of: target, categories)
    }

    /// The milliseconds by which an event moves the clock; nil if that would be at its end.
    static func advance(_ event: borrowing DeviceEvent, at: Int64) -> Int64? {
        let advance = event.advance ?? 0
        let (now, overflowed) = at.addingReportingOverflow(advance)
        return overflowed || now > EventTime.writable.upperBound ? nil : advance
    }

    private func apply(
        _ event: DeviceEvent, standIn: DecodedMessage, _ context: DeliveryContext
    ) throws -> EventAnswer {
        let at = context.at
        let screens = ScreenEvent(event, standIn, try context.store.screens)
        var answer = EventAnswer()
        switch event.name {
        case .device, .preference, .focus, .summary, .subscribe, .unsubscribe:
            let isRestart =
                try event.lock == .beforeFirstUnlock && registry.lock(of: standIn.device) != .beforeFirstUnlock
            answer = try registry.apply(event, at: at) { try screens.identifiers(of: $0) }
            if event.hasRareMembers, answer.ignored == nil { try carryOut(event, answer, standIn, screens, context) }
            if answer.ignored == nil, isRestart || event.emptiesTray {
                let app = isRestart ? "" : try registry.appName(of: event) ?? ""
                try screens.clear(onAndroid: app, seq: context.seq, at: at, registry)
            }
        case .clock:
            if let advance = Self.advance(event, at: at) {
                context.clockAdvance = advance
            } else {
                answer.ignored = .clockAtItsEnd
            }
        case .tap where event.isOnBundle == true: answer = try openBundle(event, screens, at: at)
        case .dismiss where event.hasRareMembers && event.rare.isOnBanner == true:
            answer.ignored = try swipeUp(EventSubject(event), standIn, screens, at: at)
        case .tap, .dismiss, .clear:
            let choice = try choice(of: event, standIn, screens, context)
            if choice == .impossible {
                answer.ignored = .noSuchAction
                break
            }
            // A tapped notification leaves the screen but stays in the app's own list.
            var listed: [String] = []
            let tapped = try screens.apply(seq: context.seq, at: at, registry) { app in
                guard event.name == .tap, let device = event.device else { return }
                listed = try registry.emptyList(of: app, on: device).map { try screens.identifiers(of: $0) } ?? []
            }
            if let tapped, event.name == .tap, event.action == nil,
                let finding = try registry.missingActivity(for: tapped, on: standIn.device)
            {
                context.report(finding)
            } else if let tapped {
                let screen = event.name == .tap ? registry.screen(for: tapped, action: event.action) : nil
                answer = try registry.applyToApp(
                    event, of: tapped.app, at: at, leadingTo: screen, choosing: choice
                ) { _ in listed }
                answer.app = answer.app ?? tapped.app
                answer.ignored = nil
            } else if try !dismissActivity(event, standIn, context) {
                answer.ignored = .noSuchNotification
            }
        case .post: break
        case .open, .back, .close, .edit, .save, .confirm, .read:
            answer = try registry.applyToApp(event, at: at) { try screens.identifiers(of: $0) }
        }
        if answer.app != nil {
            try removeByApp(event, answer, screens, context)
            try unlock(event, answer, standIn, at: at)
        }
        return answer
    }
}

/// Taps on the bundle that Android makes of an app's notifications.
extension RegistryStage {
    /// Opens the app as its icon does. No notification is tapped, so the app learns of none, and all stay.
    ///
    /// Sources: react-native-firebase, issue 5716: the app opens, and no event says which notification it was; evollu/react-native-fcm, issue
    /// 625: the intent is that of the icon. That the notifications stay is UNCONFIRMED.
    func openBundle(_ event: DeviceEvent, _ screens: ScreenEvent, at: Int64) throws -> EventAnswer {
        guard let app = try screens.bundledApp(registry) else { return EventAnswer(ignored: .noSuchNotification) }
        var answer = try registry.applyToApp(event, of: app, at: at) { try screens.identifiers(of: $0) }
        // The app may be in front already.
        answer.ignored = nil
        return answer
    }
}

/// Messages that are decided ahead of their turn, because a service extension works on them meanwhile.
extension RegistryStage {
    /// The effects of a decision on screens, journal and report, which come in the turn of the message.
    struct Effects {
        var answer: RegistryAnswer
        var followUps: [FollowUp]
    }

    /// Performs the effects of a message that was decided ahead of its turn.
    func takeTurn(_ message: inout DecodedMessage, _ context: DeliveryContext) throws {
        guard !postponed.isEmpty, let effects = postponed.removeValue(forKey: context.index) else { return }
        try perform(effects, &message, context)
    }

    func perform(_ effects: Effects, _ message: inout DecodedMessage, _ context: DeliveryContext) throws {
        var answer = effects.answer
        try Self.journal(&answer.arrival, &message, context)
        if !answer.isEmpty {
            context.updateNote { note in
                note.timestamp = answer.unregisteredAt
                note.canonical = answer.canonical
                note.set(answer.arrival)
                if case .held = message.verdict { note.reason = answer.delay?.name }
            }
        }
        for followUp in effects.followUps { try take(followUp, after: message, context) }
        try deliverReleased(context)
    }
}

/// Messages to topics.
extension RegistryStage {
    /// Sends a message to each subscriber of its topic, who get a line each. False for a topic without any: then it is a
    /// message like others.
    func sendToSubscribers(_ message: inout DecodedMessage, _ context: DeliveryContext) throws -> Bool {
        guard let recipients = try registry.recipients(of: message, at: context.at) else { return false }
        message.verdict = .accepted
        let copy = message
        guard fanOut(&message, count: recipients.count, context) else { return true }
        for (position, recipient) in recipients.enumerated() {
            try send(copy, to: recipient, position: position, context)
        }
        return true
    }

    /// Marks a message as sent to subscribers, unless there are too many messages to its topic.
    private func fanOut(_ message: inout DecodedMessage, count: Int, _ context: DeliveryContext) -> Bool {
        registry.limitRate(&message, at: context.at)
        guard case .accepted = message.verdict else {
            reportRejection(of: message, context)
            return false
        }
        message.verdict = .fannedOut
        context.updateNote { $0.recipients = count }
        return true
    }

    /// Suppresses a copy for an Apple device that APNs does not take from FCM for its size.
    private func lose(_ push: inout DecodedMessage, _ context: DeliveryContext) -> Finding? {
        guard push.provider == .fcm, push.platform == .ios, push.payload.count > Budget.apns.bytes,
            context.configuration.decoding.budget == nil
        else { return nil }
        push.verdict = .suppressed(TopicSize.lost)
        return TopicSize.lostFinding(at: push.place.string + "\(push.payloadPointer)")
    }

    private func send(
        _ message: DecodedMessage, to recipient: DeviceRegistry.Recipient, position: Int, _ context: DeliveryContext
    ) throws {
        var push = withQueued(context) {
            $0.copy(of: message, device: recipient.device, app: recipient.app, target: position)
        }
        let app = push.topic
        let adaptation = try adapt(&push, context) ?? lose(&push, context)
        if push.topic.isEmpty { push.topic = app }
        var answer = RegistryAnswer()
        if case .accepted = push.verdict {
            answer = try registry.decide(&push, seq: context.seq, at: context.at, isFannedOut: true)
        }
        var note = ReportNote()
        note.sentTo = message.device.string
        if case .held = push.verdict { note.reason = answer.delay?.name }
        try deliver(
            &push, answer.arrival, adaptation.map { [$0] } ?? [], note, LinePlace(context), context)
        for followUp in registry.takeFollowUps() { try take(followUp, after: push, context) }
        try deliverReleased(context)
    }
}

/// Lines of the journal about messages that do not reach the screen, and about what devices and apps do with them.
extension RegistryStage {
    /// Journals why a message does not reach its device.
    static func record(
        _ message: DecodedMessage, seq: UInt64, at: Int64, _ screens: any DeliverySession
    ) throws {
        let kind: JournalKind
        switch message.verdict {
        case .held: kind = .held
        case .suppressed, .withheld: kind = .suppressed
        case .expired: kind = .expired
        case .discarded: kind = .discarded
        case .accepted, .fannedOut, .rejected, .refused, .malformed, .event: return
        }
        try screens.record(kind, for: message, seq: seq, at: at)
    }

    /// Drops an update of a notification beyond those that the device takes within a second. Leaves a notification whose channel decides about
    /// it to the screen, which drops it, if that is full: Android counts before it looks whether the channel is off.
    ///
    /// Source: AOSP, `NotificationManagerService.checkDisqualifyingFeatures`.
    static func limit(
        _ arrival: inout Arrival, _ message: inout DecodedMessage, _ context: DeliveryContext
    ) throws {
        if let limit = arrival.updatesPerSecond, case .accepted = message.verdict, message.isShown,
            let identifier = message.identifier?.string,
            try context.store.screens.identifiers(for: message).contains(identifier),
            try !context.store.registry.admitsUpdate(of: message, limit: limit, at: context.at)
        {
            message.verdict = .suppressed("too-many-updates")
            arrival = Arrival()
            return
        }
        guard arrival.isByChannel, try context.store.screens.isFull(for: message) else { return }
        message.verdict = .accepted
        arrival.isByChannel = false
        arrival.steps = []
        arrival.quiet = nil
    }

    /// Journals what the device and the app do with a message, or why it does not reach them.
    ///
    /// - Returns: the number of notifications that the badge of a suppressed message removed.
    static func settle(
        _ arrival: inout Arrival, _ message: inout DecodedMessage, seq: UInt64, _ context: DeliveryContext
    ) throws -> Int {
        try limit(&arrival, &message, context)
        let screens = try context.store.screens
        try record(message, seq: seq, at: context.at, screens)
        return try record(arrival, message, seq: seq, at: context.at, screens)
    }

    /// Journals what the device and the app do with the message whose turn it is, and reports what its badge removed.
    static func journal(
        _ arrival: inout Arrival, _ message: inout DecodedMessage, _ context: DeliveryContext
    ) throws {
        let cleared = try settle(&arrival, &message, seq: context.seq, context)
        if cleared > 0 { context.report(RecordReport.cleared(cleared)) }
    }

    private static func record(
        _ arrival: Arrival, _ message: DecodedMessage, seq: UInt64, at: Int64, _ screens: any DeliverySession
    ) throws -> Int {
        var cleared = 0
        if arrival.quiet != nil { try screens.record(.quiet, for: message, seq: seq, at: at) }
        if let badge = arrival.badge {
            var number = message
            number.verdict = .accepted
            number.content = NotificationContent()
            number.content.badge = badge
            cleared = try screens.deliver(number, seq: seq, at: at).cleared
        }
        try record(arrival.steps, message, seq: seq, at: at, screens)
        return cleared
    }

    /// Presents a message that its service extension is done with, journals what the device and the app do, and notes it for the report.
    static func presentLater(_ message: inout DecodedMessage, _ context: DeliveryContext) throws {
        let registry = try context.store.registry
        guard context.presentsLater, !registry.isIdle, case .accepted = message.verdict else { return }
        var arrival = try registry.presentLater(&message, seq: context.seq, at: context.at)
        if !arrival.isEmpty { context.updateNote { $0.set(arrival) } }
        if let finding = arrival.finding { context.report(finding) }
        try journal(&arrival, &message, context)
    }

    /// Journals the app's actions: each with the screen or action that it is about, or else with the notification.
    static func record(
        _ steps: [AppStateMachine.Step], _ message: DecodedMessage, seq: UInt64, at: Int64,
        _ screens: any DeliverySession
    ) throws {
        for step in steps {
            // An event has no notification.
            guard let subject = step.subject ?? (message.verdict.isEvent ? "" : nil) else {
                try screens.record(step.kind, for: message, seq: seq, at: at)
                continue
            }
            try BorrowedText.with(subject) {
                try screens.record(step.kind, for: message, about: $0, seq: seq, at: at)
            }
        }
    }
}

/// The deeds of apps themselves: notifications that they post, and those that they remove.
extension RegistryStage {
    /// The place of the line of a message, for those that follow it.
    struct LinePlace {
        var index: Int
        /// The number of the record that has brought it about.
        var seq: UInt64
        /// The number of the record that the message came in, if it has been queued since.
        var original: UInt64?

        /// The place of lines that follow that of the context's message.
        init(_ context: DeliveryContext, original: UInt64? = nil) {
            index = context.index
            seq = context.seq
            self.original = original
        }

        /// The number of the record that the message came in.
        var messageSeq: UInt64 { original ?? seq }
    }

    /// Does what an app does with a message that has arrived, by its rules. Each notification that it removes or posts has a line of its own.
    func react(
        to message: DecodedMessage, _ place: LinePlace, _ context: DeliveryContext
    ) throws {
        guard registry.policy.messageRules != nil, case .accepted = message.verdict,
            let reaction = try registry.reaction(to: message)
        else { return }
        var standIn = message
        standIn.verdict = .event
        for identifier in reaction.withdrawn {
            let note = try withdraw(identifier, of: message, seq: place.messageSeq, context)
            append(Reported(note: note), about: standIn, as: .withdrawn, place, context)
        }
        guard let notification = reaction.post else { return }
        let reported = try show(notification, data: reaction.data, like: message, seq: place.messageSeq, context)
        append(reported, about: standIn, as: .posted, place, context)
    }

    func post(_ event: DeviceEvent, _ standIn: DecodedMessage, _ context: DeliveryContext) throws -> EventResult {
        let app = try registry.appName(of: event) ?? ""
        var message = withQueued(context) { $0.event(device: standIn.device.string, app: app) }
        // Only a token of APNs tells by itself what kind of device it is.
        let other = standIn.platform == .android ? context.configuration.decoding.platform : nil
        message.platform = try registry.platform(of: message.device) ?? other ?? standIn.platform
        var reported = try show(event.rare.post, data: "", like: message, seq: context.seq, context)
        reported.note.event = event.name.rawValue
        context.updateNote { $0 = reported.note }
        for var finding in reported.findings {
            if event.rare.post.channel != nil, finding.rule == "android.unknown-channel" {
                finding.pointer = standIn.place.string + "/channel"
            }
            context.report(finding)
        }
        return reported.note.reason == nil ? .applied : .ignored
    }

    /// A line about a notification; its reason is nil if the app could do what it wanted.
    private struct Reported {
        var note: ReportNote
        var findings: [Finding] = []
    }

    private func append(
        _ reported: Reported, about standIn: DecodedMessage, as reaction: DeviceEvent.Reaction, _ place: LinePlace,
        _ context: DeliveryContext
    ) {
        var note = reported.note
        note.event = reaction.rawValue
        note.isDerivedEvent = true
        note.original = place.original
        let result = LaneResult(outcome: note.reason == nil ? .applied : .ignored)
        append(result, standIn, reported.findings, note: note, at: place, context)
    }

    /// Takes the sound and the banner from a notification that is to make none.
    ///
    /// Sources: Android, `Notification.Builder.setOnlyAlertOnce` and `setGroupAlertBehavior`; home-assistant/android, pull request 1662.
    private func mute(
        _ notification: LocalNotification, _ arrival: inout Arrival, _ message: DecodedMessage,
        _ screens: any DeliverySession
    ) throws {
        if notification.isSilent == true {
            arrival.quiet = .silent
        } else if notification.alertsOnce == true, let identifier = message.identifier?.string,
            try screens.identifiers(for: message).contains(identifier)
        {
            arrival.quiet = .alertOnce
        } else {
            return
        }
        arrival.steps.removeAll { $0 == .banner || $0 == .sound }
    }

    private func withdraw(
        _ identifier: String, of message: DecodedMessage, seq: UInt64, _ context: DeliveryContext
    ) throws -> ReportNote {
        var note = ReportNote()
        note.identifier = identifier
        var app = message
        app.isLocal = true
        if try context.store.screens.remove([identifier], askedBy: app, seq: seq, at: context.at) == nil {
            note.reason = EventAnswer.Reason.noSuchNotification.name
        }
        return note
    }

    /// Shows a notification of an app, unless something keeps it from the screen. No push is behind it, so service extensions and stages of a
    /// library's user do not see it.
    private func show(
        _ notification: LocalNotification, data: String, like other: DecodedMessage, seq: UInt64,
        _ context: DeliveryContext
    ) throws -> Reported {
        var reported = Reported(note: ReportNote())
        guard notification.hasText else {
            reported.note.reason = EventAnswer.Reason.noAlert.name
            return reported
        }
        let identifier =
            notification.key(on: other.platform) ?? LocalNotification.identifier(seq: seq, target: other.target)
        var message = withQueued(context) {
            $0.message(posting: notification, as: identifier, data: data, like: other)
        }
        let screens = try context.store.screens
        try screens.record(.posted, for: message, seq: seq, at: context.at)
        var arrival = try registry.arrive(posted: &message, seq: seq, at: context.at)
        if message.platform == .android, case .accepted = message.verdict {
            try mute(notification, &arrival, message, screens)
        }
        _ = try Self.settle(&arrival, &message, seq: seq, context)
        reported.note.set(arrival)
        if let finding = arrival.finding { reported.findings.append(finding) }
        reported.note.identifier = identifier
        guard case .accepted = message.verdict else {
            if case .suppressed(let reason) = message.verdict { reported.note.reason = reason }
            return reported
        }
        let delivery = try screens.deliver(message, seq: seq, at: context.at)
        reported.note.replaces = delivery.replaces
        if delivery.outcome == .suppressed {
            reported.note.reason = Delivery.tooMany
            reported.findings.append(RecordReport.tooMany)
        }
        return reported
    }
}
