import PushSystem

/// Reads several descriptors to their ends, with a limit of time and one of bytes.
struct PipeReader {
    /// The bytes that were read of each.
    private(set) var bytes: [[UInt8]]
    private var open: [FileDescriptor?]
    /// Of all together, in bytes.
    private let limit: Int
    /// The client's stream, and what is done when there is something to read; nil when nothing is heard.
    private var client: (descriptor: FileDescriptor, hear: () -> Heard)?
    /// True if the client has cancelled the call.
    private(set) var isCancelled = false

    init(
        _ descriptors: [FileDescriptor], limit: Int, client: (descriptor: FileDescriptor, hear: () -> Heard)? = nil
    ) {
        bytes = descriptors.map { _ in [] }
        open = descriptors
        self.limit = limit
        self.client = client
    }

    /// Reads until all have ended, or until something holds.
    ///
    /// - Returns: false if the time is over, there are more bytes than the limit, or the call is cancelled.
    mutating func read(
        milliseconds: Int, until isEnough: (PipeReader) -> Bool = { _ in false }
    ) throws(SystemError) -> Bool {
        let end = SystemClock.monotonicNanoseconds() + Int64(milliseconds) * 1_000_000
        while open.contains(where: { $0 != nil }) {
            let left = (end - SystemClock.monotonicNanoseconds()) / 1_000_000
            guard left > 0 else { return false }
            let places = open.indices.filter { open[$0] != nil }
            var requests = places.compactMap { open[$0].map { FileDescriptor.PollRequest($0, .readable) } }
            if let client { requests.append(FileDescriptor.PollRequest(client.descriptor, .readable)) }
            for position in FileDescriptor.poll(requests, milliseconds: Int32(clamping: left)) {
                guard position < places.count else {
                    switch client?.hear() {
                    case .cancellation: isCancelled = true
                    case .end: client = nil
                    case .other, nil: break
                    }
                    continue
                }
                let place = places[position]
                if try !requests[position].descriptor.appendPiece(to: &bytes[place], atMost: 64 << 10) {
                    open[place] = nil
                }
            }
            guard !isCancelled, bytes.reduce(0, { $0 + $1.count }) <= limit else { return false }
            if isEnough(self) { return true }
        }
        return true
    }
}
