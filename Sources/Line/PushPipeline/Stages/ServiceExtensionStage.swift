package import ExtensionHosting
import PushDecoding
import PushDevices
package import PushModel
import PushStore

/// Runs the app's service extension for pushes that request it, in separate processes.
///
/// Extensions start ahead of a push's turn, up to the first push whose app and device still wait for an earlier one. Their effects are
/// applied in turn, so reports, journal and screens do not depend on how far ahead they start.
package final class ServiceExtensionStage: DeliveryStage {
    /// `extension`.
    package var name: String { "extension" }
    /// True: an extension is slow.
    package var worksAhead: Bool { true }
    /// True: local notifications of the app may be due whatever the outcome of a push.
    package var seesUndelivered: Bool { true }
    /// True.
    package var notesExtensionObstacles: Bool { true }

    private let host: ExtensionHost
    /// How much later than a push its journal lines may be, in milliseconds.
    package var longestDelay: Int64 { host.longestDelay }

    /// True if removals may come after the notification.
    package var removesLate: Bool { host.removesLate }

    /// Creates a stage that runs the extension of a host. The creator of the host finishes it.
    package init(_ host: ExtensionHost) { self.host = host }

    /// Drops work started for an earlier chunk.
    package func beginChunk(_ context: DeliveryContext) throws {
        host.traces = context.configuration.traces
        host.beginChunk()
    }

    /// Starts the extension for a message.
    package func begin(_ message: DecodedMessage, _ context: DeliveryContext) throws -> Bool {
        try host.begin(
            message, index: context.index, seq: context.seq, at: context.at, device: Self.device(of: message, context))
    }

    private static func device(of message: DecodedMessage, _ context: DeliveryContext) throws -> ExtensionDevice {
        var device = ExtensionDevice()
        let registry = try context.store.registry
        if registry.isIdle { return device }
        device.categories = try registry.categories(of: message.app.string, on: message.device)
        device.lock = try registry.lock(of: message.device)
        device.previews = try registry.previews(of: message.app, on: message.device)
        return device
    }

    /// Waits for the extension, and applies what it did before it returned its content. Sets the context's time to when the
    /// notification appears, and has it presented then.
    package func process(_ message: inout DecodedMessage, _ context: DeliveryContext) throws {
        var findings: [Finding] = []
        context.at = try host.process(
            &message, index: context.index, seq: context.seq, at: context.at, to: try context.store.screens,
            findings: &findings)
        for finding in findings { context.report(finding) }
        try registerCategories(of: message, context)
        try RegistryStage.presentLater(&message, context)
    }

    /// Applies what the extension did afterwards.
    package func didDeliver(
        _ message: DecodedMessage, _ result: inout DeliveryResult?, _ context: DeliveryContext
    ) throws {
        let removed = try host.didDeliver(message, seq: context.seq, to: try context.store.screens)
        try registerCategories(of: message, context)
        if let removed, let delivered = result {
            result = DeliveryResult(outcome: .reposted, replaces: max(removed, delivered.replaces ?? 0))
        }
        let trace = host.lastTrace
        context.updateTrace {
            $0.serviceExtension = trace.map { .started($0) } ?? message.reasonForNoExtension.map { .notStarted($0) }
        }
    }

    /// Has the registry keep the categories that the extension has registered, as those of an event.
    private func registerCategories(of message: DecodedMessage, _ context: DeliveryContext) throws {
        guard let categories = host.registeredCategories else { return }
        try context.store.registry.setCategories(categories, of: message.app.string, on: message.device)
    }
}
