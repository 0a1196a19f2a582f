import Dispatch
import NIOCore
import NIOHTTP1
import NIOPosix
import PushServices
import PushSystem
import Synchronization

/// Posts messages over HTTP/1.1, a connection for each, on an event loop of the gateway.
final class WebhookClient: Webhook {
    private struct State {
        var queue = WebhookQueue()
        var problem: String?
        var isProblemTaken = false
    }

    private static let timeout = TimeAmount.seconds(5)

    private let address: WebhookAddress
    private let loop: any EventLoop
    private let state = Mutex(State())
    /// Signaled whenever nothing waits any more.
    private let isIdle = DispatchSemaphore(value: 0)

    init(_ address: WebhookAddress, on loop: any EventLoop) {
        self.address = address
        self.loop = loop
    }

    func post(_ message: [UInt8]) {
        let first = state.withLock { state in
            state.queue.add(message)
            return state.queue.begin()
        }
        if let first { send(first) }
    }

    func takeProblem() -> String? {
        state.withLock { state in
            guard !state.isProblemTaken, let problem = state.problem else { return nil }
            state.isProblemTaken = true
            return problem
        }
    }

    func finish(seconds: Int) -> Int {
        let deadline = DispatchTime.now() + .seconds(seconds)
        state.withLock { $0.queue.isEnding = true }
        while state.withLock({ $0.queue.count > 0 }), isIdle.wait(timeout: deadline) == .success {}
        return state.withLock { $0.queue.close() }
    }

    // MARK: - One message

    private func send(_ message: [UInt8]) {
        let answer = loop.makePromise(of: UInt.self)
        answer.futureResult.whenComplete { self.didEnd($0) }
        let bootstrap = ClientBootstrap(group: loop).connectTimeout(Self.timeout).channelInitializer { channel in
            channel.eventLoop.makeCompletedFuture {
                try channel.pipeline.syncOperations.addHTTPClientHandlers()
                try channel.pipeline.syncOperations.addHandler(AnswerStatusHandler(answer))
            }
        }
        bootstrap.connect(host: address.host.host, port: address.host.port).whenComplete { result in
            switch result {
            case .success(let channel): self.write(message, to: channel)
            case .failure(let error): answer.fail(error)
            }
        }
    }

    private func write(_ message: [UInt8], to channel: any Channel) {
        let timeout = loop.scheduleTask(in: Self.timeout) { channel.close(promise: nil) }
        channel.closeFuture.whenComplete { _ in timeout.cancel() }
        let headers: HTTPHeaders = [
            "host": "\(address.host)", "user-agent": "pushpipe", "content-type": "application/json",
            "content-length": "\(message.count)", "connection": "close",
        ]
        let head = HTTPRequestHead(version: .http1_1, method: .POST, uri: address.target, headers: headers)
        channel.write(HTTPClientRequestPart.head(head), promise: nil)
        channel.write(HTTPClientRequestPart.body(.byteBuffer(ByteBuffer(bytes: message))), promise: nil)
        channel.writeAndFlush(HTTPClientRequestPart.end(nil), promise: nil)
    }

    private func didEnd(_ result: Result<UInt, any Error>) {
        let problem: String? =
            switch result {
            case .success(let status): 200..<300 ~= status ? nil : "it answers with status \(status)"
            case .failure(let error): Self.cause(error)
            }
        let pause = state.withLock { state in
            let lost = state.queue.lost
            let pause = state.queue.end(isTaken: problem == nil)
            if state.queue.lost > lost, state.problem == nil { state.problem = problem }
            return pause
        }
        guard pause > 0 else { return goOn() }
        loop.scheduleTask(in: .milliseconds(pause)) { self.goOn() }
    }

    private func goOn() {
        if let next = state.withLock({ $0.queue.goOn() }) { send(next) } else { isIdle.signal() }
    }

    /// NIO's descriptions name the function that failed, too.
    private static func cause(_ error: any Error) -> String {
        switch error {
        case let error as NIOConnectionError: error.connectionErrors.first.map { cause($0.error) } ?? "\(error)"
        case let error as IOError: "\(SystemError(code: error.errnoCode))"
        default: "\(error)"
        }
    }
}

/// Takes the status of an answer, and closes the connection.
private final class AnswerStatusHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPClientResponsePart

    /// Nil once there is a result.
    private var answer: EventLoopPromise<UInt>?

    init(_ answer: EventLoopPromise<UInt>) { self.answer = answer }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        // Those below 200 are followed by another.
        guard case .head(let head) = unwrapInboundIn(data), head.status.code >= 200 else { return }
        finish(.success(head.status.code))
        context.close(promise: nil)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        finish(.failure(error))
        context.close(promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) {
        finish(.failure(SystemError.connectionAborted))
        context.fireChannelInactive()
    }

    private func finish(_ result: Result<UInt, any Error>) {
        answer?.completeWith(result)
        answer = nil
    }
}

/// The messages that wait for a webhook, one posted after the other.
///
/// A message is tried a few times, and what does not fit is lost: a receiver that is slow or gone costs a bounded amount of memory.
struct WebhookQueue {
    static let maximumCount = 1000
    static let maximumBytes = 8 << 20  // 8 MiB
    /// Milliseconds before the second attempt, and before the third, which is the last.
    static let pauses: [Int64] = [250, 1000]

    private var waiting = CircularBuffer<[UInt8]>()
    private var bytes = 0
    /// Attempts to post the first one that failed.
    private var failures = 0
    /// True while the first one is on its way, and in the pause before another attempt.
    private var isBusy = false
    /// True if each message has one more attempt, because the gateway ends.
    var isEnding = false
    private(set) var lost = 0

    var count: Int { waiting.count }

    mutating func add(_ message: [UInt8]) {
        guard waiting.count < Self.maximumCount, bytes + message.count <= Self.maximumBytes else {
            lost += 1
            return
        }
        waiting.append(message)
        bytes += message.count
    }

    /// The message to post now; nil if none waits, or one is on its way.
    mutating func begin() -> [UInt8]? {
        guard !isBusy, let first = waiting.first else { return nil }
        isBusy = true
        return first
    }

    /// Takes the result of an attempt.
    ///
    /// - Returns: the milliseconds to wait before `goOn`.
    mutating func end(isTaken: Bool) -> Int64 {
        if !isTaken {
            failures += 1
            if !isEnding, failures <= Self.pauses.count { return Self.pauses[failures - 1] }
            lost += 1
        }
        failures = 0
        if let first = waiting.popFirst() { bytes -= first.count }
        return 0
    }

    /// Drops what waits, so that nothing more is posted.
    ///
    /// - Returns: the number of messages that were lost.
    mutating func close() -> Int {
        lost += waiting.count
        waiting.removeAll()
        bytes = 0
        return lost
    }

    /// The next message to post; nil if none waits.
    mutating func goOn() -> [UInt8]? {
        isBusy = false
        return begin()
    }
}
