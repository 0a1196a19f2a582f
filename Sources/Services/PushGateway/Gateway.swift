import PushModel
package import PushServices
package import PushSystem

// In the first file of the module, whose errors come first.
#if !canImport(NIOCore)
    #error("PushpipeTesting needs a trait of its package: .package(url: …, from: …, traits: [\"Testing\"])")
#endif

/// A push endpoint: sockets on event loops of their own, and a pipeline on the thread that calls `run`.
///
/// Requests that arrive while a transaction is written go into the next one, and an answer leaves after its commit.
package final class Gateway: ListeningGateway {
    private let limits: GatewayLimits
    private let queue: GatewayQueue
    let server: GatewayServer
    package let authorityPath: String?

    /// Starts to accept connections. They wait until `run` is called.
    ///
    /// - Parameters:
    ///   - identity: for TLS; nil to take only connections without it.
    ///   - authorityPath: the file that clients have to trust; nil for none that is known.
    /// - Throws: `PlainError` if nothing can listen there.
    package init(
        _ ports: GatewayPorts, identity: (any GatewayTLS)? = nil, authorityPath: String? = nil,
        limits: GatewayLimits = GatewayLimits()
    ) throws(PlainError) {
        self.limits = limits
        self.authorityPath = authorityPath
        do { queue = try GatewayQueue(maximumBytes: limits.waitingBytes) } catch {
            throw PlainError("cannot make a pipe: \(error)")
        }
        server = try GatewayServer(ports, queue, limits, identity)
    }

    package var ports: GatewayPorts { server.ports }

    package var wakeUp: FileDescriptor { queue.wakeUp.writeEnd }

    package func run(_ session: GatewaySession, isStopped: () -> Bool, flush: () throws -> Void) throws {
        var (deadline, settled): (Double?, Double) = (nil, 0)
        var isEnding = false
        let unread = UnreadBytes(limit: limits.allUnreadBytes) { [queue] in queue.wake() }
        session.unread = unread
        var pending = PendingReplies(unread)
        var open: [Int: GatewayQueue.Waiting] = [:]
        session.traffic.load = { [queue, server] in (queue.bytes, server.connectionCount) }
        while true {
            if deadline == nil, isStopped() {
                let now = SystemClock.monotonicSeconds()
                deadline = now + Double(limits.secondsToFinish)
                settled = now + Self.secondsToSettle
                session.traffic.isStopping = true
                pending.advance(isStopping: true)
                server.stopAccepting()
            }
            if let note = server.takeNote() { session.note(note) }
            session.tellProblems()
            let waiting = queue.takeGroup()
            if !waiting.isEmpty || session.isBusy { try answer(waiting, &open, session, &pending, flush) }
            let now = SystemClock.monotonicSeconds()
            if let due = session.nextDue, due <= now, try session.runDue(now: now) { try flush() }
            pending.advance(isStopping: deadline != nil)
            let isOver = deadline.map { now >= $0 } ?? false
            guard isOver || (waiting.isEmpty && !pending.hasMore && !session.isBusy) else { continue }
            if let deadline {
                let isQuiet = now >= settled && server.isQuiet
                if server.connectionCount == 0 || now >= deadline || (isEnding && isQuiet) {
                    if try session.runDue(now: .infinity) { try flush() }
                    return
                }
                if isQuiet {
                    // Their clients have nothing to send, or do not look.
                    isEnding = true
                    settled = now + Self.secondsToSettle
                    server.endConnections()
                }
                queue.wait(milliseconds: Self.milliseconds(until: now < settled ? settled : deadline))
            } else {
                let due = [session.nextDue, pending.deadline].compactMap(\.self).min()
                queue.wait(milliseconds: Self.milliseconds(until: due))
            }
        }
    }

    /// How long requests may come that were sent before their clients learned of the end: the time of a way there and back, and some more.
    private static let secondsToSettle = 0.25

    /// How long to wait for a time, in milliseconds; negative for ever.
    private static func milliseconds(until due: Double?) -> Int32 {
        guard let due else { return -1 }
        let seconds = max(due - SystemClock.monotonicSeconds(), 0)
        return Int32(min(seconds, 3600) * 1000) + 1
    }

    /// - Parameter open: the requests that wait for another turn, by their numbers.
    private func answer(
        _ waiting: [GatewayQueue.Waiting], _ open: inout [Int: GatewayQueue.Waiting], _ session: GatewaySession,
        _ pending: inout PendingReplies, _ flush: () throws -> Void
    ) throws {
        let first = session.nextTicket
        do {
            let answers = try session.advance(adding: waiting.map(\.request))
            try flush()
            // Nearly always all are answered at once.
            if session.isBusy || answers.count < waiting.count {
                for (index, waiting) in waiting.enumerated() {
                    open[first + index] = waiting
                    queue.keep(waiting)
                }
            }
            var replies = ReplyBatch()
            var arrivals: [Int64] = []
            for (ticket, answer) in answers {
                let request: GatewayQueue.Waiting
                if let known = open.removeValue(forKey: ticket) {
                    request = known
                    queue.release(known)
                } else if waiting.indices.contains(ticket - first) {
                    request = waiting[ticket - first]
                } else {
                    continue
                }
                switch answer {
                case .now(let answer):
                    replies.append(request.reply, .whole(answer))
                    arrivals.append(request.arrivedAt)
                case .later(let answer): pending.add(answer, request.reply) { [queue] in queue.wake() }
                }
            }
            replies.send()
            session.traffic.didAnswer(arrivals: arrivals)
        } catch {
            pending.advance(isStopping: true)
            var unanswered = open.values + waiting
            while !unanswered.isEmpty {
                var replies = ReplyBatch()
                for request in unanswered {
                    replies.append(
                        request.reply, .whole(APNsAnswer.refusal(.internalServerError, of: request.request)))
                }
                replies.send()
                unanswered = queue.takeGroup()
            }
            throw error
        }
    }

    package func webhook(to address: WebhookAddress) -> MessageHook {
        MessageHook(didLose: { [queue] in queue.wake() }, WebhookClient(address: address, loop: server.loop).send)
    }

    package func shutDown() { server.shutDown() }
}
