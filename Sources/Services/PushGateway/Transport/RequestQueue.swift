import PushServices
import PushSystem
import Synchronization

/// Requests that wait for the pipeline. Event loops put them in; the pipeline's thread takes them out, many at once.
final class RequestQueue<Reply: Sendable>: Sendable {
    struct Waiting: Sendable {
        var request: GatewayRequest
        var reply: Reply
        /// The time at which it was put in, in nanoseconds of `SystemClock.monotonicNanoseconds`.
        var arrivedAt: Int64
    }

    private struct State {
        var waiting: [Waiting] = []
        var bytes = 0
        /// Bytes of those that were taken out, and are not answered.
        var keptBytes = 0
    }

    private let state = Mutex(State())
    private let maximumBytes: Int
    /// The cost in bytes of a request apart from its texts, and of a header apart from its name and value.
    private static var overhead: Int { 512 }
    private static var fieldOverhead: Int { 64 }
    /// A byte in this pipe wakes the pipeline's thread. A pipe, because a signal handler can write to it too.
    let wakeUp: (readEnd: FileDescriptor, writeEnd: FileDescriptor)

    /// - Throws: `SystemError`.
    init(maximumBytes: Int) throws(SystemError) {
        self.maximumBytes = maximumBytes
        wakeUp = try FileDescriptor.pipe()
        wakeUp.readEnd.setNonBlocking()
        wakeUp.writeEnd.setNonBlocking()
    }

    deinit {
        wakeUp.readEnd.close()
        wakeUp.writeEnd.close()
    }

    /// Puts a request in, on any thread. False if too much is waiting.
    func submit(_ request: GatewayRequest, _ reply: Reply) -> Bool {
        let now = SystemClock.monotonicNanoseconds()
        let (isTaken, isFirst) = state.withLock { state in
            let bytes = Self.bytes(request)
            guard state.bytes + state.keptBytes + bytes <= maximumBytes else { return (false, false) }
            state.bytes += bytes
            state.waiting.append(Waiting(request: request, reply: reply, arrivedAt: now))
            return (true, state.waiting.count == 1)
        }
        if isFirst { wake() }
        return isTaken
    }

    /// Bytes of what waits.
    var bytes: Int { state.withLock { $0.bytes + $0.keptBytes } }

    /// Has a request that was taken out, and waits for another turn, count until its release.
    func keep(_ waiting: Waiting) { state.withLock { $0.keptBytes += Self.bytes(waiting.request) } }

    func release(_ waiting: Waiting) { state.withLock { $0.keptBytes -= Self.bytes(waiting.request) } }

    /// Has `wait` return, on any thread.
    func wake() { wakeUp.writeEnd.writeWakeUp() }

    /// Takes what waits, in the order in which it came: everything, or as much as makes a group of `groupBytes`. Empty only if nothing
    /// waits.
    func takeGroup() -> [Waiting] {
        state.withLock { state in
            guard state.bytes > Self.groupBytes else {
                defer {
                    state.waiting = []
                    state.bytes = 0
                }
                return state.waiting
            }
            var count = 0
            var bytes = 0
            for waiting in state.waiting where count == 0 || bytes < Self.groupBytes {
                bytes += Self.bytes(waiting.request)
                count += 1
            }
            defer {
                state.waiting.removeFirst(count)
                state.bytes -= bytes
            }
            return Array(state.waiting.prefix(count))
        }
    }

    /// 8 MiB, which bounds the memory for the records of a group: written out, a byte of a body can take six.
    private static var groupBytes: Int { 8 << 20 }

    /// The memory of a waiting request.
    private static func bytes(_ request: GatewayRequest) -> Int {
        let headers = request.headers.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count + fieldOverhead }
        return request.body.count + request.path.utf8.count + headers + overhead
    }

    /// Waits for `wake`, a signal, or the end of the time.
    ///
    /// - Parameter milliseconds: negative for no limit.
    func wait(milliseconds: Int32) {
        _ = FileDescriptor.poll([.init(wakeUp.readEnd, .readable)], milliseconds: milliseconds)
        // What is left only has the next wait return at once. SOUND: the buffer lives until the closure returns.
        unsafe withUnsafeTemporaryAllocation(byteCount: 64, alignment: 1) { bytes in
            _ = try? unsafe wakeUp.readEnd.read(into: bytes, retriesOnInterrupt: false)
        }
    }
}
