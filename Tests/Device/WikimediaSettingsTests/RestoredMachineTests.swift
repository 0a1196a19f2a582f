import AppSimulation
import PushModel
import Testing
import WikimediaSettings

/// A machine that begins with what a file has of its device.
struct RestoredMachineTests {
    @Test func `a machine goes on where a device was left`() {
        var device = DevicePreferences()
        device.account = "Anna"
        device.permission = .authorized
        device.alertsAreOn = false
        device.registration = .registered
        device.accounts["Anna"] = NotificationPreferences(
            primarySite: "en", typesOn: ["en": ["mention", "cx"], "de": []])
        device.accounts["a/b~\u{e9}"] = NotificationPreferences(primarySite: "fr")
        var machine = Machine(restoring: device)
        #expect(machine.isUpToDate)
        #expect(machine.device.typesOn == ["mention", "cx"])
        #expect(machine.shown.filter(\.value).count == 2)
        let effects = machine.handle(.toggled("reverted", true))
        guard case .fetchToken(_, wiki: "en")? = effects.first else {
            Issue.record("\(effects)")
            return
        }
    }
}
