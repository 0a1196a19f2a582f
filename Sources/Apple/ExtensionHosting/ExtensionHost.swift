package import PushDevices
import PushJSON
package import PushModel
import PushSystem

/// The state of a device as a service extension on it notices it.
package struct ExtensionDevice: Sendable {
    /// The categories that the app has registered; nil when nothing is known of them.
    package var categories: [ActionCategory]?
    package var lock = DeviceEvent.Lock.unlocked
    package var previews = DeviceEvent.Previews.always

    /// A device that is not locked and always shows previews.
    package init() {}
}

/// Runs a service extension in child processes, and applies what it does to its device.
///
/// It speaks the protocol of `Documentation/reference/extension-protocol.md` with them. When a process crashes, hangs, writes garbage or
/// uses too much memory, only the push that it is working on loses its changes.
///
/// Not thread-safe. Called in input order: `begin` as many pushes as it accepts, then `deliver` each in turn. The result does not depend
/// on how far ahead pushes are begun.
public final class ExtensionHost {
    private let configuration: ExtensionConfiguration
    private let sandbox: ExtensionSandbox
    private let calls: CenterCalls
    private let processes: [ExtensionProcess]
    private let changes = ChangesReader()

    private var lastID: UInt64 = 0
    /// Pushes that were begun and not yet delivered, by their index in the chunk.
    private var pushes: [Int: PendingPush] = [:]
    /// How many messages were seen and not yet delivered, by app on a device.
    private var waiting: [Int: Int] = [:]

    /// True to keep `lastTrace`.
    package var traces = false
    /// The trace of the most recently delivered message; nil if the extension did not run.
    package private(set) var lastTrace: ExtensionTrace?
    /// The categories that the extension has registered for the app of the message that is being delivered; nil if it has not.
    package private(set) var registeredCategories: [ActionCategory]?

    /// Starts no process yet. Ignores `SIGPIPE` from now on, unless the program handles it: an extension that exits must not end its host.
    ///
    /// - Throws: an error that prints its reason, if the folders for extensions cannot be created.
    public init(_ configuration: ExtensionConfiguration) throws {
        self.configuration = configuration
        if Signal.brokenPipe.hasDefaultAction { Signal.brokenPipe.ignore() }
        let sandbox = try ExtensionSandbox(configuration)
        self.sandbox = sandbox
        HostCleanup.begin(sandbox)
        let calls = CenterCalls(removal: configuration.removal)
        self.calls = calls
        processes = (0..<max(configuration.instances, 1)).map { _ in
            ExtensionProcess(configuration, environment: sandbox.environment, calls: calls)
        }
    }

    /// Stops the processes and deletes temporary folders.
    public func finish() {
        for process in processes { process.stop() }
        HostCleanup.end(sandbox)
        sandbox.remove()
    }

    /// How much later than a push its journal lines may be, in milliseconds.
    package var longestDelay: Int64 { max(configuration.removal.delay, configuration.removalWait.milliseconds) }

    /// True if removals may come after the notification, or never.
    package var removesLate: Bool { configuration.removal != .immediate }

    // MARK: - Looking ahead

    /// Forgets pushes that were begun: the chunk is finished, or has failed.
    package func beginChunk() {
        changes.reset()
        pushes.removeAll(keepingCapacity: true)
        waiting.removeAll(keepingCapacity: true)
        finished = nil
    }

    /// Begins a message in its extension, if it starts one and no earlier message for the device is pending.
    ///
    /// - Parameters:
    ///   - index: its index in the chunk. Messages are begun in order.
    ///   - device: what is known of its device; evaluated if the extension is started.
    /// - Returns: false if the caller has to try again after delivering another message.
    package func begin(
        _ message: DecodedMessage, index: Int, seq: UInt64, at: Int64,
        device: @autoclosure () throws -> ExtensionDevice = ExtensionDevice()
    ) rethrows -> Bool {
        let center = Self.center(of: message)
        let isBusy = waiting[center] != nil
        guard case .accepted = message.verdict, !message.isDryRun, message.startsServiceExtension else {
            waiting[center, default: 0] += 1
            return true
        }
        let process = processes[Int(UInt(bitPattern: center) % UInt(processes.count))]
        guard !isBusy, process.hasRoom else { return false }
        let device = try device()
        waiting[center] = 1
        lastID += 1
        let push = PendingPush(
            id: lastID, center: center, message: message, at: at,
            line: ExtensionMessages.didReceive(message, id: lastID, seq: seq, at: at, on: device),
            categories: device.categories)
        for (time, local) in calls.takeDue(for: message, at: at) {
            push.actions.append((0, .show(local, at: time)))
        }
        if traces { push.trace = ExtensionTrace() }
        pushes[index] = push
        process.submit(push)
        return true
    }

    /// A number for the app on the device. Two of them may share a number; then one waits for the other.
    private static func center(of message: DecodedMessage) -> Int {
        // SOUND: the message is valid during the call.
        // Not `Hasher`, so that a device gets the same process in every run.
        var hash = FNV1a()
        unsafe hash.addPart(message.device.buffer, separator: 0xFF)
        unsafe hash.add(message.app.buffer)
        return Int(bitPattern: UInt(hash.value ^ hash.value >> 32))
    }

    // MARK: - Delivering

    /// The work that is left for a push whose extension is done.
    private struct Finished {
        /// `seq` of the newest notification that the extension removed before it handed its content over.
        var removed: UInt64?
        /// Identifiers of removals that take effect later than that, or never; nil for all notifications.
        var late: [[String]?] = []
        /// The actions that were requested after the content handler was called.
        var lateActions: [PendingPush.Action] = []
        /// When the notification appears, in milliseconds since the epoch.
        var shownAt: Int64 = 0
        /// When late removals take effect, in milliseconds since the epoch; nil for never.
        var due: Int64?
    }

    /// The result of `process`, kept until `didDeliver` takes it.
    private var finished: Finished?

    /// Processes a message whose turn it is: waits for its extension when one was begun, and carries out what that did.
    ///
    /// - Parameter findings: takes what there is to say about the extension.
    /// - Returns: when its notification appears: later than `at` if the extension has removed others and waits for that.
    package func process(
        _ message: inout DecodedMessage, index: Int, seq: UInt64, at: Int64, to session: any DeliverySession,
        findings: inout [Finding]
    ) throws -> Int64 {
        lastTrace = nil
        registeredCategories = nil
        var finished = Finished()
        defer { self.finished = finished }
        let delay = configuration.removal.delay
        let wait = configuration.removalWait.milliseconds
        guard let push = pushes.removeValue(forKey: index) else {
            for (time, local) in calls.takeDue(for: message, at: at) {
                try show(local, at: time, for: message, seq: seq, session)
            }
            return at
        }
        while !push.isFinished { try work(session) }
        findings += push.findings
        decide(&message, push, &findings)
        defer {
            lastTrace = push.trace
            lastTrace?.changes = push.changes
            lastTrace?.wasHandled = push.handledAt != nil
        }

        let end = push.handledAt ?? SystemClock.monotonicNanoseconds()
        var shownAt = at
        if case .delayed = configuration.removal { finished.due = at &+ max(delay, wait) }
        for (due, action) in push.actions.sorted(by: { $0.due < $1.due }) {
            guard due <= end else {
                push.trace?.addLate(action, configuration.removal)
                // An extension that has found nothing may still ask for the removal of nothing.
                if case .remove(let identifiers) = action {
                    guard identifiers?.isEmpty != true else { continue }
                    finished.late.append(identifiers)
                    shownAt = max(shownAt, at &+ wait)
                } else if case .delayed = configuration.removal {
                    finished.lateActions.append(action)
                }
                continue
            }
            if let newest = try perform(action, for: message, seq: seq, at: at, session) {
                finished.removed = max(finished.removed ?? 0, newest)
            }
        }
        if finished.removed != nil { shownAt = max(shownAt, at &+ max(delay, wait)) }
        finished.shownAt = shownAt
        return shownAt
    }

    /// Ends a message that was processed, once it is delivered or kept from its device: carries out what takes effect only now.
    ///
    /// - Returns: `seq` of the newest notification that its extension removed before it was delivered.
    package func didDeliver(
        _ message: DecodedMessage, seq: UInt64, to session: any DeliverySession
    ) throws -> UInt64? {
        guard let finished else { return nil }
        self.finished = nil
        registeredCategories = nil
        let center = Self.center(of: message)
        defer {
            let count = (waiting[center] ?? 1) - 1
            waiting[center] = count > 0 ? count : nil
        }
        guard case .accepted = message.verdict else { return nil }
        for action in finished.lateActions {
            _ = try perform(action, for: message, seq: seq, at: finished.shownAt, session)
        }
        for identifiers in finished.late {
            try session.removeLate(
                identifiers, askedBy: message, seq: seq, shownAt: finished.shownAt, due: finished.due)
        }
        return finished.removed
    }

    private func decide(_ message: inout DecodedMessage, _ push: PendingPush, _ findings: inout [Finding]) {
        guard push.failure == nil, let handledAt = push.handledAt else {
            message.serviceExtension = .original
            return
        }
        findings += push.removalWatch.findings(handledAt: .nanoseconds(handledAt))
        guard !push.changes.isEmpty else {
            message.serviceExtension = .modified
            return
        }
        var handed = sandbox.takeOverAttachments(push.changes, &findings)
        if configuration.mayCommunicate == false { handed = ContentCheck.withoutSender(handed, &findings) }
        let content = changes.content(handed, over: message.content)
        guard content.content.hasAlert else {
            if configuration.mayFilter {
                message.serviceExtension = .filtered
                message.verdict = .suppressed("extension-filtered")
            } else {
                message.serviceExtension = .original
                findings.append(
                    Finding(
                        rule: "extension.empty-text", severity: .warning, pointer: "",
                        message: "the extension returned no title, subtitle or body; the original content is shown"))
            }
            return
        }
        message.serviceExtension = .modified
        message.content = content.content
        message.changes = content.text
    }

    /// Returns `seq` of the newest notification that a removal removed.
    private func perform(
        _ action: PendingPush.Action, for message: DecodedMessage, seq: UInt64, at: Int64,
        _ session: any DeliverySession
    ) throws -> UInt64? {
        switch action {
        case .remove(let identifiers):
            return try session.remove(identifiers, askedBy: message, seq: seq, at: at &+ configuration.removal.delay)
        case .show(let local, let time):
            try show(local, at: time, for: message, seq: seq, session)
        case .setBadge(let count):
            var badge = message
            badge.isLocal = true
            badge.content = NotificationContent()
            badge.content.badge = count
            _ = try session.deliver(badge, seq: seq, at: at)
        case .setCategories(let categories): registeredCategories = categories
        }
        return nil
    }

    /// Delivers a local notification of the app that a message is for.
    private func show(
        _ local: PendingPush.Local, at: Int64, for message: DecodedMessage, seq: UInt64, _ session: any DeliverySession
    ) throws {
        var notification = message
        notification.isLocal = true
        let content = changes.content(local.content, over: NotificationContent())
        notification.headers = PushHeaders()
        notification.headers.collapseID = changes.copy(local.identifier)
        notification.payload = BorrowedText("{}")
        notification.content = content.content
        notification.changes = content.text
        notification.serviceExtension = nil
        notification.verdict = .accepted
        _ = try session.deliver(notification, seq: seq, at: at)
    }

    // MARK: - Waiting

    /// Waits until a process has output or a deadline passes, and handles it.
    private func work(_ session: any DeliverySession) throws {
        var requests: [FileDescriptor.PollRequest] = []
        var owners: [ExtensionProcess] = []
        var deadline = Int64.max
        for process in processes {
            process.flush()
            deadline = min(deadline, process.nextDeadline)
            for request in process.pollRequests {
                requests.append(request)
                owners.append(process)
            }
        }
        // Rounded up, so that no deadline is checked just before it passes; at most one second.
        let rest = deadline == .max ? 1000 : max(deadline &- SystemClock.monotonicNanoseconds(), 0) / 1_000_000 + 1
        for position in FileDescriptor.poll(requests, milliseconds: Int32(min(rest, 1000))) {
            try owners[position].receive(session)
            owners[position].flush()
        }
        let now = SystemClock.monotonicNanoseconds()
        for process in processes { try process.checkDeadlines(now, session) }
    }
}

/// Parses changed content, and keeps its texts until the end of the chunk.
private final class ChangesReader {
    private var scanner = JSONScanner()
    private var tape = JSONTape()
    private var scratch = ScratchArena()

    func reset() { scratch.reset() }

    func copy(_ text: String) -> BorrowedText {
        // SOUND: the bytes live until they are copied.
        var text = text
        return text.withUTF8 { unsafe scratch.copy(UnsafeRawBufferPointer($0)) }
    }

    /// The content with changes applied, and the changes as they are stored.
    func content(
        _ changes: [UInt8], over original: NotificationContent
    ) -> (content: NotificationContent, text: BorrowedText) {
        // SOUND: the arena keeps a copy, and the tape was just made of it.
        let text = unsafe changes.withUnsafeBytes { unsafe scratch.copy($0) }
        var content = original
        if unsafe scanner.scan(text.bytes, into: &tape) == nil, let root = unsafe tape.root(of: text.bytes) {
            content.apply(root)
        }
        return (content, text)
    }
}

/// Removes what hosts would leave in a process that is pushpipe's own (`ChildProcesses.claim`): processes that extensions have started, and
/// temporary folders. Also when a signal ends the process at once.
enum HostCleanup {
    /// The sandboxes of all hosts, by their folders.
    private static let sandboxes = Monitor<[String: ExtensionSandbox]>([:])

    static func begin(_ sandbox: ExtensionSandbox) {
        guard ChildProcesses.areClaimed else { return }
        sandboxes.withLock { $0[sandbox.root] = sandbox }
        ChildProcesses.adoptOrphans()
        // Without descriptors no extension starts either.
        try? StopSignal.beforeEnd { end in
            ChildProcesses.endMarked {
                for sandbox in sandboxes.withLock({ Array($0.values) }) { sandbox.remove() }
                end()
            }
        }
    }

    static func end(_ sandbox: ExtensionSandbox) {
        guard sandboxes.withLock({ $0.removeValue(forKey: sandbox.root) }) != nil else { return }
        ChildProcesses.releaseOrphans()
    }
}

extension Duration {
    /// Nanoseconds, capped at 10 years.
    var nanoseconds: Int64 {
        let (seconds, attoseconds) = components
        return min(max(seconds, 0), 315_360_000) * 1_000_000_000 + attoseconds / 1_000_000_000
    }
}
