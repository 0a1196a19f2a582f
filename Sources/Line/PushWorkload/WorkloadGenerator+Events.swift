/// Device events by frequency: an event has the numbers below its limit and not below the previous one, out of a
/// hundred.
private let eventShares: [(below: Int, name: String)] = [
    (5, "clock"), (66, "device"), (79, "tap"), (83, "dismiss"), (86, "clear"), (90, "open"), (92, "back"),
    (93, "close"),
    (95, "edit"), (96, "save"), (97, "confirm"), (98, "read"), (100, "preference"),
]
private let types = ["mention", "edit-user-talk", "edit-thank", "login-fail"]

extension WorkloadGenerator {
    /// A device event: the device goes offline or comes back, its app changes state, its user taps, dismisses, or does
    /// something in the app, time passes.
    mutating func appendEvent(to buffer: inout [UInt8]) {
        let position = random.below(100)
        let name = eventShares.first { position < $0.below }?.name ?? "device"
        buffer.write("{\"event\":\"")
        buffer.write(name)
        if name == "clock" {
            // Up to half an hour, so that some queued messages expire and most do not.
            buffer.write("\",\"advance\":\"")
            buffer.write(number: random.below(1800))
            return buffer.write("s\"}")
        }
        buffer.write("\",\"device\":")
        let isAPNs = hits(apnsShare)
        let device = random.below(isAPNs ? population.apns : population.registered)
        writeDevice(device, isAPNs: isAPNs, to: &buffer)
        switch name {
        case "device": appendChange(isAPNs: isAPNs, isIOS: isAPNs || population.isIOS(registered: device), to: &buffer)
        case "open": appendScreen(to: &buffer)
        case "confirm": buffer.write(random.below(3) == 0 ? ",\"answer\":\"cancel\"" : ",\"answer\":\"discard\"")
        case "preference":
            buffer.write(",\"type\":\"")
            buffer.write(types[random.below(types.count)])
            buffer.write(random.below(2) == 0 ? "\",\"on\":false" : "\",\"on\":true")
        default: break
        }
        buffer.write("}")
    }

    private mutating func appendChange(isAPNs: Bool, isIOS: Bool, to buffer: inout [UInt8]) {
        buffer.write(isIOS ? ",\"platform\":\"ios\"" : ",\"platform\":\"android\"")
        switch random.below(60) {
        case ..<18: buffer.write(",\"online\":false")
        case ..<42: buffer.write(",\"online\":true")
        case ..<50:
            let states = ["foreground", "background", "terminated", "force-quit"]
            buffer.write(",\"state\":\"")
            buffer.write(states[random.below(states.count)])
            buffer.write("\"")
        case ..<54:
            buffer.write(random.below(4) == 0 ? ",\"authorization\":\"denied\"" : ",\"authorization\":\"authorized\"")
        case ..<57: buffer.write(random.below(4) == 0 ? ",\"unregistered\":true" : ",\"unregistered\":false")
        case 57: buffer.write(random.below(2) == 0 ? ",\"confirmed\":false" : ",\"confirmed\":true")
        case 58: appendTypes(to: &buffer)
        default:
            if isAPNs {
                // Of the three services, only GCM has canonical tokens.
                buffer.write(random.below(4) == 0 ? ",\"alerts\":false" : ",\"alerts\":true")
            } else {
                buffer.write(",\"canonical\":")
                Population.writeRegistration(random.below(population.registered), to: &buffer)
            }
        }
    }

    /// A random subset of the types, possibly empty or complete.
    private mutating func appendTypes(to buffer: inout [UInt8]) {
        buffer.write(",\"types\":[")
        let chosen = random.below(1 << types.count)
        var isFirst = true
        for (position, type) in types.enumerated() where chosen >> position & 1 == 1 {
            buffer.write(isFirst ? "\"" : ",\"")
            buffer.write(type)
            buffer.write("\"")
            isFirst = false
        }
        buffer.write("]")
    }

    private mutating func appendScreen(to buffer: inout [UInt8]) {
        let screens = [
            (name: "article", kind: "plain"), (name: "settings", kind: "plain"), (name: "draft", kind: "editor"),
            (name: "notifications", kind: "centre"),
        ]
        let screen = screens[random.below(screens.count)]
        buffer.write(",\"screen\":\"")
        buffer.write(screen.name)
        buffer.write("\",\"kind\":\"")
        buffer.write(screen.kind)
        buffer.write(random.below(3) == 0 ? "\",\"modal\":true" : "\"")
    }

    /// Appends a record that registers the device with this number, from 0, and a newline: a line of a file of devices.
    /// False if there is no such device.
    public func appendRegistration(of number: Int, to buffer: inout [UInt8]) -> Bool {
        let isAPNs = number < population.apns && configuration.mix.apns > 0
        let device = isAPNs ? number : number - (configuration.mix.apns > 0 ? population.apns : 0)
        guard device >= 0,
            isAPNs || (device < population.registered && configuration.mix.gcm + configuration.mix.fcm > 0)
        else { return false }
        buffer.write("{\"device\":")
        writeDevice(device, isAPNs: isAPNs, to: &buffer)
        buffer.write(
            isAPNs || population.isIOS(registered: device) ? ",\"platform\":\"ios\"}\n" : ",\"platform\":\"android\"}\n"
        )
        return true
    }

    private func writeDevice(_ device: Int, isAPNs: Bool, to buffer: inout [UInt8]) {
        if isAPNs {
            Population.writeToken(device, to: &buffer)
        } else {
            Population.writeRegistration(device, to: &buffer)
        }
    }

    /// The fraction of the devices with APNs tokens.
    private var apnsShare: WorkloadRate {
        let mix = configuration.mix
        if mix.apns == 0 { return .zero }
        if mix.gcm + mix.fcm == 0 { return .all }
        return WorkloadRate(part: population.apns, of: population.apns + population.registered)
    }
}
