import AppSimulation
import PushModel
import Testing

struct SuppressionReasonTests {
    private func device(_ change: (inout DevicePreferences) -> Void = { _ in }) -> DevicePreferences {
        var device = DevicePreferences()
        device.permission = .authorized
        device.registration = .registered
        device.account = "Anna"
        device.accounts["Anna"] = NotificationPreferences(
            primarySite: "en", typesOn: ["en": ["mention"], "de": ["cx"]])
        change(&device)
        return device
    }

    @Test func `the table has each reason once, in the order of the cases`() {
        #expect(SuppressionReason.table.map(\.reason) == SuppressionReason.allCases)
        #expect(Set(SuppressionReason.allCases.map(\.name)).count == SuppressionReason.allCases.count)
    }

    @Test func `each reason has its state`() {
        let states: [(SuppressionReason, (inout DevicePreferences) -> Void)] = [
            (.loggedOut, { $0.account = nil }), (.notDetermined, { $0.permission = .notDetermined }),
            (.denied, { $0.permission = .denied }), (.notRegistered, { $0.registration = .none }),
            (.notRegistered, { $0.registration = .underWay }),
            (.registrationFailed, { $0.registration = .failed(reason: "x") }),
            (.subscriptionFailed, { $0.registration = .subscriptionFailed(reason: "x") }),
            (.alertsOff, { $0.alertsAreOn = false }), (.typeOff, { $0.accounts["Anna"]?.primarySite = "de" }),
        ]
        for (reason, change) in states {
            #expect(device(change).obstacle(toPushOf: "mention") == reason)
        }
    }

    @Test func `a type that is on is delivered, also to whoever was not asked`() {
        #expect(device().obstacle(toPushOf: "mention") == nil)
        #expect(device { $0.permission = .provisional }.obstacle(toPushOf: "mention") == nil)
    }

    @Test func `what has no type is delivered when anything is`() {
        #expect(device { $0.accounts = [:] }.obstacle(toPushOf: nil) == nil)
        #expect(device { $0.permission = .denied }.obstacle(toPushOf: nil) == .denied)
    }

    @Test func `a device on which nobody has logged in gets nothing`() {
        #expect(DevicePreferences().obstacle(toPushOf: nil) == .loggedOut)
    }

    @Test func `the settings of another account do not count`() {
        let other = device {
            $0.account = "Bela"
            $0.accounts["Bela"] = NotificationPreferences(primarySite: "en")
        }
        #expect(other.obstacle(toPushOf: "mention") == .typeOff)
    }
}
