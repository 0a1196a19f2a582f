/// Counts pushes in a fixed window, which begins with the first push after the end of the previous one.
package struct RateWindow: BitwiseCopyable, Sendable, Equatable {
    /// In milliseconds.
    package static let minute: Int64 = 60_000
    package static let hour: Int64 = 60 * minute

    private var start = Int64.min
    private var count: Int32 = 0

    package init() {}

    /// Whether a push now falls into the current window.
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

    /// - Parameter length: of the windows, in milliseconds.
    package init(within length: Int64) { self.length = length }

    /// Counts one push for the name; see `RateWindow.admits`. Expected O(1).
    package mutating func admits(_ name: String, at: Int64, limit: Int) -> Bool {
        if windows.count >= sweepsAt {
            windows = windows.filter { $0.value.isOpen(at: at, within: length) }
            sweepsAt = max(2 * windows.count, Self.smallestSweep)
        }
        return windows[name, default: RateWindow()].admits(at: at, limit: limit, within: length)
    }

    /// When the name's window ends, in milliseconds since the epoch.
    package func end(of name: String) -> Int64 { (windows[name] ?? RateWindow()).end(within: length) }

    /// The number of windows.
    package var count: Int { windows.count }
}
