extension StreamOffset {
    /// The numbers of an offset: one, or the two of Redis.
    private var numbers: (UInt64, UInt64) {
        let parts = offset.split(separator: "-", maxSplits: 1).map { UInt64($0) ?? 0 }
        return (parts.first ?? 0, parts.count > 1 ? parts[1] : 0)
    }

    /// The offsets of several stores, by the names of the streams.
    ///
    /// - Parameter takingLast: of a stream that several stores have read, takes the last offset, or else the first.
    static func joined(_ offsets: [[StreamOffset]], takingLast: Bool) -> [StreamOffset] {
        var byStream: [String: StreamOffset] = [:]
        for offset in offsets.joined() {
            guard let known = byStream[offset.stream] else {
                byStream[offset.stream] = offset
                continue
            }
            if (known.numbers < offset.numbers) == takingLast { byStream[offset.stream] = offset }
        }
        return byStream.values.sorted { $0.stream.utf8.lexicographicallyPrecedes($1.stream.utf8) }
    }
}
