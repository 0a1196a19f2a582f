package import PushModel

/// The screens as a service extension uses them while its push is delivered.
package protocol ScreenSession: AnyObject {
    /// Delivers an accepted message to its device.
    ///
    /// - Parameter at: milliseconds since the epoch.
    func deliver(_ message: DecodedMessage, seq: UInt64, at: Int64) throws -> Delivery

    /// Calls `body` for each notification of the app that a push is for, oldest first.
    func forEachShown(for message: DecodedMessage, _ body: (ShownNotification) throws -> Void) throws

    /// Removes notifications of the app that a push was for, at the request of its service extension. Nil removes all
    /// of them.
    ///
    /// - Returns: `seq` of the newest one removed; nil when there was none.
    func remove(_ identifiers: [String]?, askedBy message: DecodedMessage, seq: UInt64, at: Int64) throws -> UInt64?

    /// Takes note of a removal that is not done when its extension's notification appears; see `NotificationCenters.removeLate`.
    func removeLate(
        _ identifiers: [String]?, askedBy message: DecodedMessage, seq: UInt64, shownAt: Int64, due: Int64?) throws
}

extension ScreenSession {
    package func removeLate(
        _ identifiers: [String]?, askedBy message: DecodedMessage, seq: UInt64, shownAt: Int64, due: Int64?
    ) throws {}
}
