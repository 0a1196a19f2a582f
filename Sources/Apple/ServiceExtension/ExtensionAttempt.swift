#if os(Linux)
    import Dispatch
    import Foundation
    import PushJSON
    import PushModel
    import Synchronization
    import UserNotifications

    /// One push, handled by one instance of an extension.
    ///
    /// `didReceive` is called on the thread that runs the pushes. If it calls the content handler before it returns, that thread goes on, so a push
    /// that takes microseconds needs no other thread. Otherwise the attempt ends on another thread, by the handler or because the time is up,
    /// so that an extension that blocks its thread ends too. The first call of the handler counts, with a copy of the content as it is at
    /// that moment. An attempt also lasts until `didReceive` has returned, so that a second call within it is noticed.
    final class ExtensionAttempt: Sendable {
        /// How the attempt ended.
        struct Ending: Sendable {
            /// Nil if the content handler was not called in time.
            var content: UNNotificationContent?
            var startedAt = Duration.zero
            var handledAt: Duration?
            var didExpire = false
            var findings: [Finding] = []
        }

        private struct State {
            var ending: Ending
            var hasReturned = false
            /// Nil when the attempt is closed. An extension that keeps its content handler, as Apple's template does, would keep itself otherwise.
            var instance: Instance?

            var isClosed: Bool { instance == nil }

            /// Closes the attempt. The caller releases the extension outside the lock, because that may call it.
            mutating func close() -> Closed { Closed(ending: ending, instance: instance.take()) }
        }

        private struct Closed {
            let ending: Ending
            let instance: Instance?
        }

        /// An extension is called from two threads, as on a device, and has to cope with that itself.
        private struct Instance: @unchecked Sendable {
            let value: UNNotificationServiceExtension
        }

        private let clock: any ExtensionClock
        private let grace: Duration
        /// The device's app groups, in tasks that the extension starts.
        private let scope: String
        private let willHandle: @Sendable () -> Void
        private let report: @Sendable (Finding) -> Void
        private let didEnd: @Sendable (Ending) -> Void
        private let state: Mutex<State>

        let startedAt: Duration

        /// - Parameters:
        ///   - willHandle: called when the content handler is called for the first time.
        ///   - report: receives findings that arise after the push is finished.
        ///   - didEnd: called on a background queue, unless `run` returns the ending.
        init(
            _ instance: UNNotificationServiceExtension, clock: any ExtensionClock, grace: Duration, scope: String,
            willHandle: @escaping @Sendable () -> Void, report: @escaping @Sendable (Finding) -> Void,
            didEnd: @escaping @Sendable (Ending) -> Void
        ) {
            self.clock = clock
            self.grace = grace
            self.scope = scope
            self.willHandle = willHandle
            self.report = report
            self.didEnd = didEnd
            startedAt = clock.now
            state = Mutex(State(ending: Ending(startedAt: startedAt), instance: Instance(value: instance)))
        }

        /// Runs `didReceive` on this thread. Returns the ending if the handler was called before it returned, else nil: then `didEnd` is
        /// called, or has been.
        func run(_ request: UNNotificationRequest) -> Ending? {
            AppGroupScope.$ofTask.withValue(scope) {
                state.withLock { $0.instance }?.value.didReceive(request) { [self] content in handle(content) }
            }
            let closed: Closed? = state.withLock { state in
                state.hasReturned = true
                guard !state.isClosed, state.ending.handledAt != nil else { return nil }
                return state.close()
            }
            return closed?.ending
        }

        private func handle(_ content: UNNotificationContent) {
            // A local value, because what is sent into the lock may not be used outside.
            let copy = Ending(content: content.copy() as? UNNotificationContent ?? content)
            let now = clock.now
            enum Call { case first, last, again, late }
            let call: Call = state.withLock { state in
                if state.ending.handledAt != nil { return .again }
                if state.isClosed { return .late }
                state.ending.content = copy.content
                state.ending.handledAt = now
                // Within the lock, so that the attempt cannot end before the device knows.
                willHandle()
                return state.hasReturned ? .last : .first
            }
            switch call {
            case .first: break
            case .last: close()
            case .again:
                note(
                    "extension.handler-called-twice", "the content handler was called again; only the first call counts"
                )
            case .late:
                note(
                    "extension.handler-too-late",
                    "the content handler was called after the time was up; the original content is shown")
            }
        }

        /// Tells the extension that its time is up. Not to be called on a thread that `didReceive` may block.
        func expire() {
            let (isClosed, isHandled) = state.withLock { state in
                if !state.isClosed, state.ending.handledAt == nil { state.ending.didExpire = true }
                return (state.isClosed, state.ending.handledAt != nil)
            }
            if isClosed { return }
            // It called its handler and is still in `didReceive`: there is nothing to wait for.
            if isHandled { return close() }
            DispatchQueue.global().async { [self] in
                state.withLock { $0.instance }?.value.serviceExtensionTimeWillExpire()
                if grace == .zero {
                    close()
                } else {
                    _ = clock.schedule(at: clock.now + grace) { [self] in close() }
                }
            }
        }

        /// Ends the attempt with the content so far, unless it has ended.
        private func close() {
            let closed: Closed? = state.withLock { state in state.isClosed ? nil : state.close() }
            if let ending = closed?.ending { DispatchQueue.global().async { [didEnd] in didEnd(ending) } }
        }

        private func note(_ rule: String, _ message: String) {
            let finding = Finding(rule: rule, severity: .warning, pointer: "", message: message)
            let isOpen = state.withLock { state in
                if !state.isClosed { state.ending.findings.append(finding) }
                return !state.isClosed
            }
            if !isOpen { report(finding) }
        }
    }

    /// Pushes that arrive one right after another.
    ///
    /// They run on one thread of a background queue as long as the extension calls its handler within `didReceive`. When it does not, that
    /// thread is released, and ending the attempt runs the rest on another one. One timer serves all of them: when it fires, it is set again
    /// for the limit of the attempt that is running then.
    final class ExtensionTurn: Sendable {
        private struct State {
            var results: [ServiceExtensionResult] = []
            var attempt: ExtensionAttempt?
            var isWatched = false
            var watch: ScheduledCall?
            var continuation: CheckedContinuation<Void, Never>?
        }

        private let harness: ServiceExtensionHarness
        private let pushes: [Push]
        private let state = Mutex(State())

        private init(_ pushes: [Push], of harness: ServiceExtensionHarness) {
            self.pushes = pushes
            self.harness = harness
        }

        static func run(_ pushes: [Push], of harness: ServiceExtensionHarness) async -> [ServiceExtensionResult] {
            let turn = ExtensionTurn(pushes, of: harness)
            await withCheckedContinuation { continuation in
                turn.state.withLock { state in
                    state.continuation = continuation
                    state.results.reserveCapacity(pushes.count)
                }
                DispatchQueue.global().async { turn.work(from: 0) }
            }
            // Through the lock and not through the continuation, which the thread sanitizer does not understand.
            return turn.state.withLock { $0.results }
        }

        private func work(from first: Int) {
            for index in first..<pushes.count {
                let push = pushes[index]
                if let reason = harness.whyNotStarted(push) {
                    add(harness.showUnchanged(push, reason))
                    continue
                }
                let attempt = harness.begin { [self] ending in
                    add(harness.finish(push.request, ending))
                    work(from: index + 1)
                }
                watch(attempt)
                guard let ending = attempt.run(push.request) else { return }
                add(harness.finish(push.request, ending))
            }
            let (watch, continuation) = state.withLock { state in
                defer { (state.watch, state.continuation, state.attempt) = (nil, nil, nil) }
                return (state.watch, state.continuation)
            }
            watch?.cancel()
            continuation?.resume()
        }

        private func add(_ result: ServiceExtensionResult) { state.withLock { $0.results.append(result) } }

        /// Ends the attempt when its time is up.
        private func watch(_ attempt: ExtensionAttempt) {
            let isWatched = state.withLock { state in
                state.attempt = attempt
                defer { state.isWatched = true }
                return state.isWatched
            }
            if !isWatched { setWatch(at: attempt.startedAt + harness.options.timeLimit) }
        }

        private func setWatch(at deadline: Duration) {
            let call = harness.clock.schedule(at: deadline) { [self] in look() }
            state.withLock { $0.watch = call }
        }

        private func look() {
            let now = harness.clock.now
            let (attempt, next): (ExtensionAttempt?, Duration?) = state.withLock { state in
                let next = state.attempt.map { $0.startedAt + harness.options.timeLimit }.flatMap {
                    $0 > now ? $0 : nil
                }
                state.isWatched = next != nil
                return (state.attempt, next)
            }
            if let next { setWatch(at: next) } else { attempt?.expire() }
        }
    }

    /// A push as a device sees it: its content, and what decides whether an extension runs for it.
    struct Push: Sendable {
        let request: UNNotificationRequest
        /// True if `mutable-content` is 1.
        let isMutable: Bool
        /// True if the push type is one that the system shows.
        let isShownType: Bool
    }

    /// Reads payloads as a device does.
    struct PushReader {
        private let collapseID: String?
        private let isShownType: Bool
        private let bundle: Bundle
        private let language: String?

        /// - Parameters:
        ///   - headers: the headers of all pushes; names are case-insensitive.
        ///   - options: with the bundle and the language of localized texts.
        init(headers: [String: String], options: ServiceExtensionHarness.Options) {
            let headers = Dictionary(headers.map { ($0.lowercased(), $1) }, uniquingKeysWith: { $1 })
            collapseID = headers[APNsHeader.collapseID.name.description].flatMap { $0.isEmpty ? nil : $0 }
            bundle = options.bundle ?? .main
            language = options.language
            let row = headers[APNsHeader.pushType.name.description].flatMap { type in
                PushType.table.first { $0.wireName.description == type }
            }
            isShownType = row?.isShown ?? true
        }

        /// - Throws: `ServiceExtensionHarness.ImpossibleInput`.
        func read(_ payload: String) throws -> (content: UNNotificationContent, isMutable: Bool) {
            var text = payload
            let isMutable = try text.withUTF8 { try Self.isMutable(UnsafeRawBufferPointer($0)) }
            guard let object = try? JSONSerialization.jsonObject(with: Data(payload.utf8)) as? [String: Any] else {
                throw ServiceExtensionHarness.ImpossibleInput(description: "Foundation cannot read the payload")
            }
            let content = UNMutableNotificationContent(apnsPayload: object) { key in
                LocalizedText.text(forKey: key, table: nil, bundle: bundle, language: language)
            }
            return (content, isMutable)
        }

        /// True if `mutable-content` is 1.
        ///
        /// - Throws: `ServiceExtensionHarness.ImpossibleInput`, with the place of the error.
        private static func isMutable(_ bytes: UnsafeRawBufferPointer) throws -> Bool {
            var scanner = JSONScanner()
            var tape = JSONTape()
            if let fault = scanner.scan(bytes, into: &tape) {
                throw ServiceExtensionHarness.ImpossibleInput(
                    description: "not JSON at byte \(fault.offset): \(fault.message(in: bytes))")
            }
            guard let root = tape.root(of: bytes), root.isObject else {
                throw ServiceExtensionHarness.ImpossibleInput(description: "a payload is a JSON object")
            }
            return root["aps"]?["mutable-content"]?.isOne ?? false
        }

        /// The pushes of payloads.
        ///
        /// - Parameter makeIdentifier: makes the identifier of a push without a collapse id; not called if a payload is invalid.
        /// - Throws: `ServiceExtensionHarness.ImpossibleInput` if one is invalid.
        func pushes(_ payloads: [String], makeIdentifier: () -> String) throws -> [Push] {
            try payloads.map(read).map { content, isMutable in
                Push(
                    request: UNNotificationRequest(
                        identifier: collapseID ?? makeIdentifier(), content: content,
                        trigger: UNPushNotificationTrigger()),
                    isMutable: isMutable, isShownType: isShownType)
            }
        }
    }
#endif
