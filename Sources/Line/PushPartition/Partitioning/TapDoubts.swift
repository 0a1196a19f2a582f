import PushDecoding
import PushDevices
import PushModel

/// Thrown for a record that is for another part or app, or has another outcome, depending on what only a run knows.
package struct UnknownOutcome: Error, Equatable, CustomStringConvertible {
    /// The number of the record; 0 in a file of devices.
    package var seq: UInt64 = 0
    /// The number of the record that it depends on: a tap, whose effect depends on what screens show; nil if it is not one record.
    package let cause: UInt64?
    /// A clause about it.
    package let text: String

    /// Completes "record 7: ".
    package var description: String {
        guard let cause else { return "\(text), which only a run knows" }
        return "\(text), and only a run knows if record \(cause) has made another app known; "
            + "name the device and its app in an event before that"
    }
}

/// The devices on which a tap may have made an app known. A tap opens the app of a notification that is shown, so screens decide.
/// O(devices) memory, of those with taps and without an event before.
struct TapDoubts {
    private struct Doubt {
        /// The record of the tap.
        var seq: UInt64
        /// True if the app would be the device's first one.
        var isFirst: Bool
        /// True if an event that named no app came later.
        var hasUnnamedEvent = false
        /// True if one of these has registered or unregistered an app: the tap decides which one.
        var isRegistrationUnknown = false
    }

    private var doubts: [String: Doubt] = [:]
    /// True if a notification may be shown that is for no app: a tap on it adds the entry for every app, though its device has others.
    var mayShowForNone = false

    /// True if a later event has left open which apps of a device are registered.
    private(set) var areRegistrationsUnknown = false

    var isEmpty: Bool { doubts.isEmpty }

    /// The record of the tap.
    func seq(of device: String) -> UInt64? { doubts[DeviceToken.canonical(device)]?.seq }

    /// The same, if the app would be the device's first one.
    func seqOfFirstApp(of device: String) -> UInt64? {
        doubts[DeviceToken.canonical(device)].flatMap { $0.isFirst ? $0.seq : nil }
    }

    /// A tap may have made an app known.
    mutating func note(_ addition: DeviceRegistry.Addition, on device: String, seq: UInt64) {
        let doubt = Doubt(seq: seq, isFirst: addition == .first)
        if doubts[DeviceToken.canonical(device)] == nil { doubts[DeviceToken.canonical(device)] = doubt }
    }

    /// Throws if an event is for one app or another, or has an effect or none, depending on the tap.
    ///
    /// - Parameter needsKnownDevice: true if the runs ignore what is about a device that is unknown, and this one is without the tap.
    mutating func check(_ event: DeviceEvent, needsKnownDevice: (_ device: String) -> Bool) throws(UnknownOutcome) {
        guard !doubts.isEmpty, let device = event.device.map(DeviceToken.canonical), let doubt = doubts[device],
            doubt.isFirst || mayShowForNone
        else { return }
        switch event.name {
        case .device, .subscribe, .unsubscribe, .preference, .focus, .summary: break
        default: return
        }
        if doubt.isFirst, event.name != .device, needsKnownDevice(device) {
            throw UnknownOutcome(cause: doubt.seq, text: "the event is ignored if its device is unknown")
        }
        let hasAddress =
            event.topic != nil || event.topics != nil || event.startToken != nil || event.activityTokens != nil
            || event.expoToken != nil
        if hasAddress, event.app == nil {
            let owner = doubt.isFirst ? "the device's first one" : "the entry for every app, if there is one"
            throw UnknownOutcome(cause: doubt.seq, text: "the event names no app, so it is for \(owner)")
        }
        if hasAddress, doubt.hasUnnamedEvent {
            throw UnknownOutcome(cause: doubt.seq, text: "the app begins with what is known of every app of its device")
        }
        guard event.app == nil else { return }
        doubts[device]?.hasUnnamedEvent = true
        if event.isUnregistered != nil || event.unregisteredAt != nil {
            doubts[device]?.isRegistrationUnknown = true
            areRegistrationsUnknown = true
        }
    }

    /// Throws if only the tap says whether a subscriber to a topic is registered.
    func check(subscriber device: String) throws(UnknownOutcome) {
        guard let doubt = doubts[DeviceToken.canonical(device)], doubt.isRegistrationUnknown else { return }
        throw UnknownOutcome(
            cause: doubt.seq, text: "a subscriber's registration was changed by an event that names no app")
    }
}
