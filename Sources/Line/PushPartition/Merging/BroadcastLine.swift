import PayloadJSON

/// The line of a broadcast to Live Activities that has changed activities in several parts.
enum BroadcastLine {
    /// The line of the first part whose activities it has changed, with the number of all activities. If it has changed none: that of the
    /// first part with an activity that still runs, because its reason is that of one run. Of a rejection, which reports of earlier versions
    /// have in every part, the line of the first part.
    ///
    /// - Parameters:
    ///   - parts: at their lines about the broadcast, in ascending order. At least one.
    ///   - overlaps: the groups of those that are about the same records, by position. Of a group, the most activities count.
    /// - Returns: nil if a line is not about a broadcast.
    static func joined(_ parts: [ReportPart], _ overlaps: [Int: Int]) -> String? {
        let rejections = Set(parts.map { $0.withLine(rejection) })
        if rejections.count == 1, rejections != [nil] { return parts[0].line.string }
        guard parts.allSatisfy({ $0.withLine(isAboutActivities) }) else { return nil }
        let counts = parts.map { $0.withLine { activities(in: $0) } }
        var most: [Int: Int] = [:]
        for (part, count) in zip(parts, counts) {
            let group = overlaps[part.position] ?? part.position
            most[group] = max(most[group] ?? 0, count.count)
        }
        let best = counts.firstIndex { $0.count > 0 } ?? parts.firstIndex { !$0.withLine(hasEnded) } ?? 0
        let line = parts[best].line.string
        let total = most.values.reduce(0) { total, next in
            let sum = total.addingReportingOverflow(next)
            return sum.overflow ? .max : sum.partialValue
        }
        guard total > counts[best].count, let range = counts[best].member else { return line }
        let bytes = Array(line.utf8)
        let member = Array("\"activities\":\(total)".utf8)
        return String(decoding: bytes[..<range.lowerBound] + member + bytes[range.upperBound...], as: UTF8.self)
    }

    /// True if a line says that activities were changed, or why none was. No broadcast starts one.
    private static func isAboutActivities(_ line: JSONView?) -> Bool {
        guard let line, !(line["outcome"]?.string.map { $0 == "started" } ?? false) else { return false }
        if line["activity"] != nil || line["activities"] != nil { return true }
        return line["outcome"]?.string.map { $0.raw == BorrowedText("suppressed") } ?? false
    }

    /// The reason for which a push to Live Activities was rejected; nil for any other line.
    private static func rejection(_ line: JSONView?) -> String? {
        guard let line, line["outcome"]?.string.map({ $0 == "rejected" }) ?? false,
            line["topic"]?.string?.string.hasSuffix(".push-type.liveactivity") ?? false
        else { return nil }
        return line["reason"]?.string?.string
    }

    private static func hasEnded(_ line: JSONView?) -> Bool {
        guard let reason = line?["reason"]?.string else { return false }
        return reason.raw == BorrowedText("activity-ended")
    }

    /// How many activities a line says were changed, and where it says so.
    private static func activities(in line: JSONView?) -> (count: Int, member: Range<Int>?) {
        guard let line else { return (0, nil) }
        if let one = line["activity"] { return (1, one.keyOffset..<one.offset + one.text.count) }
        guard let several = line["activities"], let count = several.int64 else { return (0, nil) }
        return (Int(clamping: count), several.keyOffset..<several.offset + several.text.count)
    }
}
