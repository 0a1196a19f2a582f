/// Counts pushes in a fixed window, which begins with the first push after the end of the previous one.
package struct RateWindow: BitwiseCopyable, Sendable, Equatable {
    /// In milliseconds.
    package static let minute: Int64 = 60_000
    package static let hour: Int64 = 60 * minute

    /// When it began, in milliseconds since the epoch.
    package private(set) var start = Int64.min
    /// Pushes counted.
    package private(set) var count: Int32 = 0

    package init() {}

    /// Restores a window from a store.
    package init(start: Int64, count: Int32) {
        self.start = start
        self.count = count
    }

    /// True if a push now falls into the current window.
    package func isOpen(at: Int64, within length: Int64) -> Bool {
        // A start in the future means that the clock was set back.
        let (age, overflowed) = at.subtractingReportingOverflow(start)
        return !overflowed && age >= 0 && age < length
    }

    /// When it ends, in milliseconds since the epoch.
    package func end(within length: Int64) -> Int64 {
        let (end, overflowed) = start.addingReportingOverflow(length)
        return overflowed ? .max : end
    }

    /// Counts one push. False when it is over the limit; it counts all the same, so a sender that does not stop stays
    /// over it.
    package mutating func admits(at: Int64, limit: Int, within length: Int64) -> Bool {
        if !isOpen(at: at, within: length) {
            start = at
            count = 0
        }
        count = count == .max ? .max : count + 1
        return Int(count) <= limit
    }
}

/// Windows by name: of a token, a sender, an app on a device. Closed windows are removed from time to time, so that it
/// holds at most about twice as many as are open.
package struct RateTable: Sendable {
    private static let smallestSweep = 65_536

    private let length: Int64
    private var windows: [String: RateWindow] = [:]
    private var sweepsAt = RateTable.smallestSweep
    /// Names of windows that have changed since `takeChanges`; nil when nobody asks for them.
    private var changed: Set<String>?
    /// The last time at which closed windows were removed, since `takeChanges`.
    private var sweptAt: Int64?

    /// - Parameter length: of the windows, in milliseconds.
    package init(within length: Int64) { self.length = length }

    /// Counts one push for the name; see `RateWindow.admits`. Expected O(1).
    package mutating func admits(_ name: String, at: Int64, limit: Int) -> Bool {
        if windows.count >= sweepsAt {
            windows = windows.filter { $0.value.isOpen(at: at, within: length) }
            sweepsAt = max(2 * windows.count, Self.smallestSweep)
            sweptAt = at
        }
        changed?.insert(name)
        return windows[name, default: RateWindow()].admits(at: at, limit: limit, within: length)
    }

    /// When the name's window ends, in milliseconds since the epoch.
    package func end(of name: String) -> Int64 { (windows[name] ?? RateWindow()).end(within: length) }

    package var count: Int { windows.count }

    // MARK: - Persistence

    /// Sets a window that a store has kept.
    package mutating func restore(_ window: RateWindow, of name: String) { windows[name] = window }

    /// Notes from now on which windows change.
    package mutating func noteChanges() { if changed == nil { changed = [] } }

    /// Removes and returns what has changed since the last call, ordered by name: windows, and the latest start of those
    /// that may be forgotten.
    package mutating func takeChanges() -> RateChanges {
        guard let names = changed, !names.isEmpty || sweptAt != nil else { return RateChanges() }
        defer {
            changed = []
            sweptAt = nil
        }
        return RateChanges(
            windows: names.sorted().compactMap { name in windows[name].map { (name, $0) } },
            closedSince: sweptAt.map { $0 &- length })
    }
}

/// The windows of one kind that a store has to write.
package struct RateChanges {
    package var windows: [(name: String, window: RateWindow)] = []
    /// Windows that began then or earlier are closed; nil when none need be removed.
    package var closedSince: Int64?
}

/// The subjects of windows. The names are those in stores.
package enum RateKind: String, CaseIterable, Sendable {
    case token, sender, background
}
