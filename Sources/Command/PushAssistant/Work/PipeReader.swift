import PushSystem

/// Reads several descriptors to their ends, with a limit of time and one of bytes.
struct PipeReader {
    /// What was read of each.
    private(set) var bytes: [[UInt8]]
    private var open: [FileDescriptor?]
    /// Of all together, in bytes.
    private let limit: Int

    init(_ descriptors: [FileDescriptor], limit: Int) {
        bytes = descriptors.map { _ in [] }
        open = descriptors
        self.limit = limit
    }

    /// Reads until all have ended, or until something holds.
    ///
    /// - Returns: false if the time is over, or there are more bytes than the limit.
    mutating func read(
        milliseconds: Int, until isEnough: (PipeReader) -> Bool = { _ in false }
    ) throws(SystemError) -> Bool {
        let end = SystemClock.monotonicNanoseconds() + Int64(milliseconds) * 1_000_000
        while open.contains(where: { $0 != nil }) {
            let left = (end - SystemClock.monotonicNanoseconds()) / 1_000_000
            guard left > 0 else { return false }
            let places = open.indices.filter { open[$0] != nil }
            let requests = places.compactMap { open[$0].map { FileDescriptor.PollRequest($0, .readable) } }
            for position in FileDescriptor.poll(requests, milliseconds: Int32(clamping: left)) {
                let place = places[position]
                if try !requests[position].descriptor.appendPiece(to: &bytes[place], atMost: 64 << 10) {
                    open[place] = nil
                }
            }
            guard bytes.reduce(0, { $0 + $1.count }) <= limit else { return false }
            if isEnough(self) { return true }
        }
        return true
    }
}
