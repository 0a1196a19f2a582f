package import PushStore

extension SummaryText {
    package static func line(_ counts: ImportCounts) -> String {
        var parts = [counted(counts.notifications, "notification")]
        if counts.screens > 0 { parts.append(counted(counts.screens, "app") + " on devices") }
        if counts.devices > 0 { parts.append(counted(counts.devices, "record") + " of devices") }
        if counts.activities > 0 { parts.append(count(ofActivities: counts.activities)) }
        if counts.events > 0 { parts.append(counted(counts.events, "line") + " of the journal") }
        return "imported " + parts.joined(separator: ", ") + "\n"
    }

    package static func line(_ counts: MergeCounts, seconds: Double) -> String {
        var parts = [counted(counts.notifications, "notification")]
        if counts.screens > 0 { parts.append(counted(counts.screens, "app") + " on devices") }
        if counts.held > 0 { parts.append(counted(counts.held, "queued message")) }
        if counts.activities > 0 { parts.append(count(ofActivities: counts.activities)) }
        if counts.events > 0 { parts.append(counted(counts.events, "line") + " of the journal") }
        let what = "merged \(counted(counts.parts, "part")) in \(rounded(seconds)) s"
        return "\(what): \(parts.joined(separator: ", "))\n"
    }

    /// The summary of a prune, or of its dry run.
    package static func line(_ summary: Pruning.Summary, of pruning: Pruning, isRehearsal: Bool) -> String {
        (isRehearsal ? "would remove " : "removed ") + what(summary, pruning) + "\n"
    }

    /// A line that says how much a prune had removed when it failed.
    package static func failedLine(_ summary: Pruning.Summary, of pruning: Pruning) -> String {
        "pushpipe: removed \(what(summary, pruning)), then failed; the same command removes the rest\n"
    }

    private static func what(_ summary: Pruning.Summary, _ pruning: Pruning) -> String {
        var parts = [counted(summary.notifications, "notification")]
        if summary.activities > 0 { parts.append(count(ofActivities: summary.activities)) }
        if pruning.includesEvents { parts.append(counted(summary.events, "line") + " of the journal") }
        return parts.joined(separator: " and ")
    }

    private static func count(ofActivities count: Int) -> String {
        count == 1 ? "1 Live Activity" : "\(grouped(UInt64(count.magnitude))) Live Activities"
    }
}
