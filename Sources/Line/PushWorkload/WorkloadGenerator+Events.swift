/// Device events by frequency: an event has the numbers below its limit and not below the previous one, out of a
/// hundred.
private let eventShares: [(below: Int, name: String)] = [
    (5, "clock"), (66, "device"), (79, "tap"), (83, "dismiss"), (86, "clear"), (90, "open"), (92, "back"),
    (93, "close"),
    (95, "edit"), (96, "save"), (97, "confirm"), (98, "read"), (100, "preference"),
]
private let states = ["foreground", "background", "terminated", "force-quit"]
private let screens = [
    (name: "article", kind: "plain"), (name: "settings", kind: "plain"), (name: "draft", kind: "editor"),
    (name: "notifications", kind: "centre"),
]
private let types = ["mention", "edit-user-talk", "edit-thank", "login-fail"]

extension WorkloadGenerator {
    /// A device event: the device goes offline or comes back, its app changes state, its user taps, dismisses, or does
    /// something in the app, time passes.
    mutating func writeEvent() {
        let position = random.below(100)
        let event = eventShares.first { position < $0.below }?.name ?? "device"
        // Up to half an hour, so that some queued messages expire and most do not.
        if event == "clock" { return write(#"{"event":"clock","advance":"\#(random.below(1800))s"}"#) }
        let isAPNs = hits(apnsShare)
        let device = random.below(isAPNs ? population.apns : population.registered)
        write(#"{"event":"\#(event)","device":\#(name(of: device, isAPNs: isAPNs))"#)
        switch event {
        case "device": writeChange(isAPNs: isAPNs, isIOS: isAPNs || population.isIOS(registered: device))
        case "open":
            let screen = screens[random.below(screens.count)]
            write(#","screen":"\#(screen.name)","kind":"\#(screen.kind)""#)
            if random.below(3) == 0 { write(#","modal":true"#) }
        case "confirm": write(random.below(3) == 0 ? #","answer":"cancel""# : #","answer":"discard""#)
        case "preference":
            write(#","type":"\#(types[random.below(types.count)])""#)
            write(random.below(2) == 0 ? #","on":false"# : #","on":true"#)
        default: break
        }
        write("}")
    }

    private mutating func writeChange(isAPNs: Bool, isIOS: Bool) {
        write(isIOS ? #","platform":"ios""# : #","platform":"android""#)
        switch random.below(60) {
        case ..<18: write(#","online":false"#)
        case ..<42: write(#","online":true"#)
        case ..<50: write(#","state":"\#(states[random.below(states.count)])""#)
        case ..<54: write(random.below(4) == 0 ? #","authorization":"denied""# : #","authorization":"authorized""#)
        case ..<57: write(random.below(4) == 0 ? #","unregistered":true"# : #","unregistered":false"#)
        case 57: write(random.below(2) == 0 ? #","confirmed":false"# : #","confirmed":true"#)
        case 58:
            // A random subset of the types, possibly empty or complete.
            let chosen = random.below(1 << types.count)
            let names = types.indices.filter { chosen >> $0 & 1 == 1 }.map { #""\#(types[$0])""# }
            write(#","types":[\#(names.joined(separator: ","))]"#)
        case _ where isAPNs: write(random.below(4) == 0 ? #","alerts":false"# : #","alerts":true"#)
        // Of the three services, only GCM has canonical tokens.
        default: write(#","canonical":\#(Population.registration(random.below(population.registered)))"#)
        }
    }

    /// Appends a record that registers the device with this number, from 0, and a newline: a line of a file of devices.
    /// False if there is no such device.
    public func appendRegistration(of number: Int, to buffer: inout [UInt8]) -> Bool {
        let isAPNs = number < population.apns && configuration.mix.apns > 0
        let device = isAPNs ? number : number - (configuration.mix.apns > 0 ? population.apns : 0)
        guard device >= 0,
            isAPNs || (device < population.registered && configuration.mix.gcm + configuration.mix.fcm > 0)
        else { return false }
        let platform = isAPNs || population.isIOS(registered: device) ? "ios" : "android"
        let record: JSONText = "{\"device\":\(name(of: device, isAPNs: isAPNs)),\"platform\":\"\(platform)\"}\n"
        buffer += record.bytes
        return true
    }

    private func name(of device: Int, isAPNs: Bool) -> JSONText {
        isAPNs ? Population.token(device) : Population.registration(device)
    }

    /// The fraction of the devices with APNs tokens.
    private var apnsShare: WorkloadRate {
        let mix = configuration.mix
        if mix.apns == 0 { return .zero }
        if mix.gcm + mix.fcm == 0 { return .all }
        return WorkloadRate(part: population.apns, of: population.apns + population.registered)
    }
}
