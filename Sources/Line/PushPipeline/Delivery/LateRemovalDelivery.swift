import DeviceScreens
import PayloadJSON
import PushDecoding
import PushModel
import PushStore

/// Carries out removals that come after their extension's notification, at their own times by the run's clock.
///
/// A removal is done before the first record whose time is not earlier; its journal line has its own time, and the number of the
/// record whose extension asked for it. What is due after the last record stays pending in the store.
final class LateRemovalDelivery {
    /// True if a delivery may have late removals.
    private let mayCome: Bool
    /// Those of the store, within a transaction.
    private var removals = LateRemovals()

    init(_ configuration: PipelineConfiguration, _ stages: [any DeliveryStage]) {
        let emulated = configuration.decoding.replacement
        mayCome =
            emulated.map { $0.removal.effect(waiting: $0.wait.milliseconds) != .before } ?? false
            || stages.contains(where: \.removesLate)
    }

    /// True if deliveries have to be looked at one after the other.
    var isActive: Bool { mayCome || !removals.isEmpty }

    /// When the next removal takes effect; `Int64.max` if there is none.
    var due: Int64 { removals.due }

    func beginChunk(_ store: StoreTransaction) { removals = store.removals }

    /// Carries out what is due at a time.
    func advance(to time: Int64, _ screens: any DeliverySession) throws {
        guard removals.due <= time else { return }
        for removal in removals.takeDue(at: time) {
            try BorrowedText.with(removal.device) { device in
                try BorrowedText.with(removal.app) { app in
                    var message = DecodedMessage(record: 0, device: device)
                    message.topic = app
                    message.verdict = .event
                    _ = try screens.remove(
                        removal.identifier.map { [$0] }, askedBy: message, seq: removal.seq, at: removal.due)
                }
            }
        }
    }

    /// Keeps the removals that a delivered message has asked for and that come later.
    ///
    /// - Returns: the notifications that became stale duplicates.
    func collect(
        _ message: borrowing DecodedMessage, seq: UInt64, _ screens: any DeliverySession
    ) -> [StaleNotification] {
        let late = screens.takeLateRemovals()
        guard !late.isEmpty else { return [] }
        let device = message.device.string
        let app = message.app.string
        for request in late {
            guard let due = request.due else { continue }
            let identifiers = request.identifiers.map { $0.map { Optional($0) } } ?? [nil]
            for identifier in identifiers {
                removals.add(
                    LateRemovals.Removal(seq: seq, due: due, device: device, app: app, identifier: identifier))
            }
        }
        return late.flatMap(\.stale)
    }
}
