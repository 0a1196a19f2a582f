// Limits and spellings follow the FCM legacy HTTP reference and the FCM HTTP v1 reference. Blocks for FCM on iOS follow
// Apple's rules.

extension WorkloadGenerator {
    /// GCM and FCM legacy: `{"to":…,"notification":{…},"data":{…}}`
    mutating func appendGCM(_ plan: RecordPlan, to buffer: inout [UInt8]) {
        let earlier = plan.replaces ? gcmPosts.pick(&random) : nil
        let device = earlier?.device ?? population.android(drawDevice(population.registered))
        let post = earlier ?? drawPost(plan, device: device, app: population.app(registered: device), customPercent: 0)
        if let post, earlier == nil, plan.arrives { gcmPosts.remember(post) }
        let variety = plan.isFree && post == nil ? random.below(100) : 100
        buffer.write("{")
        switch variety {
        case ..<6:
            buffer.write(#""to":"/topics/"#)
            writeName(to: &buffer)
            buffer.write("\"")
        case ..<8:
            writeCondition(to: &buffer)
        case ..<16:
            writeRegistrationList(from: device, to: &buffer)
        default:
            buffer.write(#""to":"#)
            Population.writeRegistration(device, to: &buffer)
            if population.namesPackage(registered: device) { writePackage(device, to: &buffer) }
        }
        if random.chance(35) { writeCollapseKey(to: &buffer) }
        if random.chance(60) { buffer.write(random.chance(75) ? #","priority":"high""# : #","priority":"normal""#) }
        if random.chance(40) {
            buffer.write(#","time_to_live":"#)
            buffer.write(number: random.chance(10) ? 0 : 60 * (1 + random.below(40_320)))
        }
        let voice = drawVoice(plan)
        let isDataOnly = post == nil && random.chance(35)
        let isLongBody = plan.long > 0 && !isDataOnly && random.chance(50)
        if !isDataOnly {
            buffer.write(#","notification":{"#)
            writeTitleAndBody(isLongBody ? plan.long : 0, voice, to: &buffer)
            if let post { writeIdentifier(post, as: #","tag":""#, to: &buffer) }
            writeAndroidLook(channel: #","android_channel_id":""#, to: &buffer)
            buffer.write("}")
        }
        if isDataOnly || random.chance(40) || (plan.long > 0 && !isLongBody) {
            buffer.write(",")
            writeData(isLongBody ? 0 : plan.long, voice, to: &buffer)
        }
        buffer.write("}")
    }

    /// FCM HTTP v1: `{"message":{"token":…,…}}`
    mutating func appendFCM(_ plan: RecordPlan, to buffer: inout [UInt8]) {
        let earlier = plan.replaces ? fcmPosts.pick(&random) : nil
        let device = earlier?.device ?? drawDevice(population.registered)
        let post = earlier ?? drawPost(plan, device: device, app: population.app(registered: device), customPercent: 0)
        if let post, earlier == nil, plan.arrives { fcmPosts.remember(post) }
        let isIOS = population.isIOS(registered: device)
        let variety = plan.isFree && post == nil && !isIOS ? random.below(100) : 100
        buffer.write(#"{"message":{"#)
        switch variety {
        case ..<5:
            buffer.write(#""topic":""#)
            writeName(to: &buffer)
            buffer.write("\"")
        case ..<7:
            writeCondition(to: &buffer)
        default:
            buffer.write(#""token":"#)
            Population.writeRegistration(device, to: &buffer)
        }
        let voice = drawVoice(plan)
        let isDataOnly = post == nil && random.chance(20)
        let isLongBody = plan.long > 0 && !isDataOnly && random.chance(50)
        if !isDataOnly {
            buffer.write(#","notification":{"#)
            writeTitleAndBody(isLongBody ? plan.long : 0, voice, to: &buffer)
            if random.chance(10) { buffer.write(#","image":"https://www.example.org/picture.png""#) }
            buffer.write("}")
        }
        if isDataOnly || random.chance(40) || (plan.long > 0 && !isLongBody) {
            buffer.write(",")
            writeData(isLongBody ? 0 : plan.long, voice, to: &buffer)
        }
        if !isIOS { writeAndroidBlock(variety < 7 ? nil : device, post, isDataOnly, to: &buffer) }
        if isIOS || random.chance(15) { writeAPNsBlock(isIOS ? post : nil, isDataOnly, to: &buffer) }
        if random.chance(10) { buffer.write(#","fcm_options":{"analytics_label":"spring_campaign"}"#) }
        buffer.write("}}")
    }

    private mutating func writeRegistrationList(from first: Int, to buffer: inout [UInt8]) {
        buffer.write(#""registration_ids":["#)
        Population.writeRegistration(first, to: &buffer)
        let size = min(1 + random.below(4), population.registered)
        for offset in 1..<max(size, 1) {
            let other = (first + offset) % population.registered
            guard !population.isIOS(registered: other) else { continue }
            buffer.write(",")
            Population.writeRegistration(other, to: &buffer)
        }
        buffer.write("]")
    }

    /// Two topics and one operator, within the limits of both services.
    private mutating func writeCondition(to buffer: inout [UInt8]) {
        buffer.write(#""condition":"'"#)
        writeName(to: &buffer)
        buffer.write(random.chance(50) ? "' in topics && '" : "' in topics || '")
        writeName(to: &buffer)
        buffer.write(#"' in topics""#)
    }

    /// One of four keys: FCM keeps no more for a device.
    private mutating func writeCollapseKey(to buffer: inout [UInt8]) {
        buffer.write(#","collapse_key":""#)
        buffer.append(contentsOf: vocabulary.names[random.below(4)].raw)
        buffer.write("\"")
    }

    private func writePackage(_ device: Int, to buffer: inout [UInt8]) {
        buffer.write(#","restricted_package_name":""#)
        buffer.append(contentsOf: vocabulary.apps[population.app(registered: device)].raw)
        buffer.write("\"")
    }

    private mutating func writeTitleAndBody(_ long: Int, _ voice: Voice, to buffer: inout [UInt8]) {
        buffer.write(#""title":""#)
        writeTitle(voice, to: &buffer)
        buffer.write(#"","body":""#)
        writeBody(long, voice, to: &buffer)
        buffer.write("\"")
    }

    /// `"data":{…}` with string values only, and no reserved keys.
    private mutating func writeData(_ long: Int, _ voice: Voice, to buffer: inout [UInt8]) {
        buffer.write(#""data":{"kind":""#)
        writeName(to: &buffer)
        buffer.write(#"","item":""#)
        buffer.write(number: random.below(10_000_000))
        buffer.write("\"")
        if random.chance(40) {
            buffer.write(#","url":"https://www.example.org/"#)
            writeName(to: &buffer)
            buffer.write("\"")
        }
        if random.chance(30) {
            buffer.write(#","sender":""#)
            writeTitle(voice, to: &buffer)
            buffer.write("\"")
        }
        if long > 0 || random.chance(30) {
            buffer.write(#","content":""#)
            writeBody(long, voice, to: &buffer)
            buffer.write("\"")
        }
        if random.chance(10) { buffer.write(#","state":"{\"unread\":true,\"pinned\":[1,2]}""#) }
        buffer.write("}")
    }

    /// The parts of a notification that only Android draws. `channel` is the start of that member: the two services
    /// spell it differently.
    private mutating func writeAndroidLook(channel: String, to buffer: inout [UInt8]) {
        buffer.write(channel)
        writeName(to: &buffer)
        buffer.write("\"")
        if random.chance(35) { buffer.write(#","icon":"ic_message""#) }
        if random.chance(25) {
            buffer.write(##","color":"#"##)
            buffer.write(hex: random.next() >> 40, digits: 6)
            buffer.write("\"")
        }
        if random.chance(35) { buffer.write(#","sound":"default""#) }
        if random.chance(15) { buffer.write(#","click_action":"OPEN_ITEM""#) }
    }

    private mutating func writeAndroidBlock(
        _ device: Int?, _ post: Post?, _ isDataOnly: Bool, to buffer: inout [UInt8]
    ) {
        buffer.write(#","android":{"ttl":""#)
        buffer.append(contentsOf: vocabulary.lifetimes[random.below(vocabulary.lifetimes.count)].raw)
        buffer.write("\"")
        if random.chance(35) { writeCollapseKey(to: &buffer) }
        if random.chance(60) { buffer.write(random.chance(75) ? #","priority":"HIGH""# : #","priority":"NORMAL""#) }
        if let device, population.namesPackage(registered: device) { writePackage(device, to: &buffer) }
        if !isDataOnly {
            buffer.write(#","notification":{"#)
            writeAndroidLook(channel: #""channel_id":""#, to: &buffer)
            if let post { writeIdentifier(post, as: #","tag":""#, to: &buffer) }
            if random.chance(15) { buffer.write(#","notification_priority":"PRIORITY_HIGH""#) }
            buffer.write("}")
        }
        buffer.write("}")
    }

    /// The block for iOS. Without a notification it is a background push, for which Apple requires priority 5.
    private mutating func writeAPNsBlock(_ post: Post?, _ isDataOnly: Bool, to buffer: inout [UInt8]) {
        if isDataOnly {
            buffer.write(#","apns":{"headers":{"apns-push-type":"background","apns-priority":"5"},"#)
            buffer.write(#""payload":{"aps":{"content-available":1}}}"#)
            return
        }
        buffer.write(#","apns":{"headers":{"apns-priority":"10""#)
        if let post { writeIdentifier(post, as: #","apns-collapse-id":""#, to: &buffer) }
        buffer.write(#"},"payload":{"aps":{"sound":"default""#)
        if random.chance(40) {
            buffer.write(#","badge":"#)
            buffer.write(number: max(1, random.below(30)))
        }
        if random.chance(25) { buffer.write(#","mutable-content":1"#) }
        buffer.write("}}}")
    }
}
