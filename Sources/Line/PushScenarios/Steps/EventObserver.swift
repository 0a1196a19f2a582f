import PushModel
import PushPipeline

/// Notes the device events that a pipeline handles, and leaves them to the stages after it.
final class EventObserver: DeliveryStage {
    private var events: [DeviceEvent] = []

    /// True: it looks at events only.
    var isIdle: Bool { true }

    func process(_ message: inout DecodedMessage, _ context: DeliveryContext) {}

    func handle(_ event: DeviceEvent, standIn: DecodedMessage, _ context: DeliveryContext) -> EventResult? {
        if event.device != nil { events.append(event) }
        return nil
    }

    /// Removes and returns the events since the last call, oldest first.
    func takeEvents() -> [DeviceEvent] {
        defer { events.removeAll() }
        return events
    }
}
