extension WorkloadGenerator {
    /// Something that happens at a device: it goes away or comes back, its app changes its state, its user taps or clears, time goes by.
    mutating func appendEvent(to buffer: inout [UInt8]) {
        let kind = random.below(100)
        if kind < 5 {
            // Up to half an hour, so that some of what is held expires and most does not.
            buffer.write("{\"event\":\"clock\",\"advance\":\"")
            buffer.write(number: random.below(1800))
            return buffer.write("s\"}")
        }
        buffer.write("{\"event\":\"")
        buffer.write(kind < 75 ? "device" : kind < 90 ? "tap" : kind < 95 ? "dismiss" : "clear")
        buffer.write("\",\"device\":")
        let isAPNs = hits(apnsShare)
        let device = random.below(isAPNs ? population.apns : population.registered)
        writeDevice(device, isAPNs: isAPNs, to: &buffer)
        if kind < 75 { appendChange(kind, isIOS: isAPNs || population.isIOS(registered: device), to: &buffer) }
        buffer.write("}")
    }

    private mutating func appendChange(_ kind: Int, isIOS: Bool, to buffer: inout [UInt8]) {
        buffer.write(isIOS ? ",\"platform\":\"ios\"" : ",\"platform\":\"android\"")
        switch kind {
        case ..<25: buffer.write(",\"online\":false")
        case ..<55: buffer.write(",\"online\":true")
        case ..<65:
            let states = ["foreground", "background", "terminated", "force-quit"]
            buffer.write(",\"state\":\"")
            buffer.write(states[random.below(states.count)])
            buffer.write("\"")
        case ..<70:
            buffer.write(random.below(4) == 0 ? ",\"authorization\":\"denied\"" : ",\"authorization\":\"authorized\"")
        default: buffer.write(random.below(4) == 0 ? ",\"unregistered\":true" : ",\"unregistered\":false")
        }
    }

    /// Appends what registers the device with this number, from 0, and a newline: a line of a file of devices. False when there is none.
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

    /// The share of the devices that are APNs' own.
    private var apnsShare: WorkloadRate {
        let mix = configuration.mix
        if mix.apns == 0 { return .zero }
        if mix.gcm + mix.fcm == 0 { return .all }
        return WorkloadRate(part: population.apns, of: population.apns + population.registered)
    }
}
