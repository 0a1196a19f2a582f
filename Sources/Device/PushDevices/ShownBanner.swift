/// A notification that the app in the foreground presents as a banner and not in the list: it can be tapped for a moment.
package struct ShownBanner: Equatable, Sendable {
    /// How long it stays, in milliseconds. Apple's Human Interface Guidelines say "a few seconds", and no figure is
    /// published.
    package static let lifetime: Int64 = 5000

    /// Identifier of the request.
    package var identifier: String
    /// Number of the record that it came in.
    package var seq: UInt64
    /// In milliseconds since the epoch.
    package var shownAt: Int64
    /// Its payload, for a tap that leads somewhere by the content; nil when taps do not.
    package var payload: String?

    /// True if it is still there. A clock that was set back does not hide it.
    package func isShown(at: Int64) -> Bool { at &- shownAt < Self.lifetime }
}
