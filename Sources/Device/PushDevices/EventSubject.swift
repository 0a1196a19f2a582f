package import PushModel

/// The members of an event that say which notification it is about. The event itself is large, and each copy of it counts dozens of references.
package struct EventSubject {
    package let name: DeviceEvent.Name
    package let device: String?
    /// Nil for all apps on the device.
    package let app: String?
    /// Number of the record of its notification, and the identifier; nil for the newest one.
    package let seq: UInt64?
    package let identifier: String?

    package init(_ event: borrowing DeviceEvent) {
        name = event.name
        device = event.device
        app = event.app
        seq = event.seq
        identifier = event.identifier
    }
}
