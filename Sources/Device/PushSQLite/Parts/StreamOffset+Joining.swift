import PushStore

extension StreamOffset {
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
            if known.isBefore(offset) == takingLast { byStream[offset.stream] = offset }
        }
        return byStream.values.sorted { $0.stream.utf8.lexicographicallyPrecedes($1.stream.utf8) }
    }
}
