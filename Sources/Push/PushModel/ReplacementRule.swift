package import PayloadJSON

/// How an emulated extension finds what it removes: the notifications of its app whose payloads have
/// the same id as the new one.
///
/// The defaults are those of an extension that compares ids with care. `first`, `equal` and `string` together are one that
/// calls `first(where:)` on the delivered notifications, with `userInfo[key] as? String` of both on either side of `==`.
package struct ReplacementRule: Sendable, Equatable {
    /// Which of the notifications with the same id are removed.
    package enum Match: String, Sendable, CaseIterable {
        /// All of them, as with `filter`.
        case all
        /// The first one, as with `first(where:)`: the oldest. Apple does not document the order of the delivered
        /// notifications; here it is that of delivery, as your own extension sees it.
        case first
    }

    /// The comparison of two notifications without an id.
    package enum Missing: String, Sendable, CaseIterable {
        /// No: the extension looks for nothing when there is no id.
        case never
        /// Yes, as `nil == nil` in Swift.
        case equal
    }

    /// When two ids are the same.
    package enum Comparison: String, Sendable, CaseIterable {
        /// Strings, numbers and booleans by their text: `17` is `"17"`, and not `17.0`.
        case text
        /// By type and value: `17` is `17.0`, and not `"17"`.
        case typed
        /// Strings only, as with `as? String`: any other value counts as missing.
        case string
    }

    /// The member of the payload that has the id: a name, or a JSON Pointer if it begins with `/`.
    package var key: String
    /// Which of the notifications with the same id are removed.
    package var match: Match
    /// The comparison of missing ids.
    package var missing: Missing
    /// When two ids are the same.
    package var comparison: Comparison
    /// When removals take effect, by the run's clock.
    package var removal = RemovalTiming.immediate
    /// How long the extension waits after a removal before it calls its content handler, by the run's clock: the longest
    /// time that neither notification is on the screen.
    package var wait = Duration.zero

    /// By default, the rule that removes all notifications with the same text as id.
    package init(
        key: String, match: Match = .all, missing: Missing = .never, comparison: Comparison = .text
    ) {
        self.key = key
        self.match = match
        self.missing = missing
        self.comparison = comparison
    }
}

extension ReplacementRule {
    /// The id of a payload that has none, under a rule by which those are equal: a byte that no UTF-8 text contains, so that
    /// it equals no other id.
    package static var missingID: BorrowedText {
        // SOUND: the text is never changed or freed.
        unsafe missingText
    }

    // SOUND: one byte, initialized once, and never changed or freed.
    private nonisolated(unsafe) static let missingText: BorrowedText = {
        let byte = UnsafeMutablePointer<UInt8>.allocate(capacity: 1)
        unsafe byte.initialize(to: 0xFF)
        return unsafe BorrowedText(start: byte, count: 1)
    }()
}
