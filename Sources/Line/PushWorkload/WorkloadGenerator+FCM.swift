// Limits and spellings follow the FCM legacy HTTP reference and the FCM HTTP v1 reference. Blocks for FCM on iOS follow
// Apple's rules.

extension WorkloadGenerator {
    /// GCM and FCM legacy: `{"to":…,"notification":{…},"data":{…}}`
    mutating func writeGCM(_ plan: RecordPlan) {
        let earlier = plan.replaces ? gcmPosts.pick(&random) : nil
        let device = earlier?.device ?? population.android(drawDevice(population.registered))
        let post = earlier ?? drawPost(plan, device: device, app: population.app(registered: device), customPercent: 0)
        if let post, earlier == nil, plan.arrives { gcmPosts.remember(post) }
        let variety = plan.isFree && post == nil ? random.below(100) : 100
        write("{")
        switch variety {
        case ..<6: write(#""to":"/topics/\#(name())""#)
        case ..<8: writeCondition()
        case ..<16: writeRegistrationList(from: device)
        default:
            write(#""to":\#(Population.registration(device))"#)
            if population.namesPackage(registered: device) { writePackage(device) }
        }
        if random.chance(35) { writeCollapseKey() }
        if random.chance(60) { write(random.chance(75) ? #","priority":"high""# : #","priority":"normal""#) }
        if random.chance(40) {
            let seconds = random.chance(10) ? 0 : 60 * (1 + random.below(40_320))
            write(#","time_to_live":\#(seconds)"#)
        }
        _ = writeContents(plan, post, dataOnlyPercent: 35) { generator in
            if let post { generator.write(#","tag":\#(generator.identifier(post))"#) }
            // The two services spell this member differently.
            generator.write(#","android_channel_id":"#)
            generator.writeAndroidLook()
        }
        write("}")
    }

    /// FCM HTTP v1: `{"message":{"token":…,…}}`
    mutating func writeFCM(_ plan: RecordPlan) {
        let earlier = plan.replaces ? fcmPosts.pick(&random) : nil
        let device = earlier?.device ?? drawDevice(population.registered)
        let post = earlier ?? drawPost(plan, device: device, app: population.app(registered: device), customPercent: 0)
        if let post, earlier == nil, plan.arrives { fcmPosts.remember(post) }
        let isIOS = population.isIOS(registered: device)
        let variety = plan.isFree && post == nil && !isIOS ? random.below(100) : 100
        write(#"{"message":{"#)
        switch variety {
        case ..<5: write(#""topic":"\#(name())""#)
        case ..<7: writeCondition()
        default: write(#""token":\#(Population.registration(device))"#)
        }
        let isDataOnly = writeContents(plan, post, dataOnlyPercent: 20) { generator in
            guard generator.random.chance(10) else { return }
            generator.write(#","image":"https://www.example.org/picture.png""#)
        }
        if !isIOS { writeAndroidBlock(variety < 7 ? nil : device, post, isDataOnly) }
        if isIOS || random.chance(15) { writeAPNsBlock(isIOS ? post : nil, isDataOnly) }
        if random.chance(10) { write(#","fcm_options":{"analytics_label":"spring_campaign"}"#) }
        write("}}")
    }

    private mutating func writeRegistrationList(from first: Int) {
        write(#""registration_ids":[\#(Population.registration(first))"#)
        let size = min(1 + random.below(4), population.registered)
        for offset in 1..<max(size, 1) {
            let other = (first + offset) % population.registered
            if !population.isIOS(registered: other) { write(",\(Population.registration(other))") }
        }
        write("]")
    }

    /// Two topics and one operator, within the limits of both services.
    private mutating func writeCondition() {
        write(#""condition":"'\#(name())' in topics "#)
        write(random.chance(50) ? "&& " : "|| ")
        write(#"'\#(name())' in topics""#)
    }

    /// One of four keys: FCM keeps no more for a device.
    private mutating func writeCollapseKey() { write(#","collapse_key":"\#(vocabulary.names[random.below(4)])""#) }

    private mutating func writePackage(_ device: Int) {
        write(#","restricted_package_name":"\#(vocabulary.apps[population.app(registered: device)])""#)
    }

    /// Writes a notification, which `ending` completes, and data. Returns true if there is only data.
    private mutating func writeContents(
        _ plan: RecordPlan, _ post: Post?, dataOnlyPercent: Int, ending: (inout WorkloadGenerator) -> Void
    ) -> Bool {
        let voice = drawVoice(plan)
        let isDataOnly = post == nil && random.chance(dataOnlyPercent)
        let isLongBody = plan.long > 0 && !isDataOnly && random.chance(50)
        if !isDataOnly {
            write(#","notification":{"title":"\#(title(voice))","body":"\#(body(isLongBody ? plan.long : 0, voice))""#)
            ending(&self)
            write("}")
        }
        if isDataOnly || random.chance(40) || (plan.long > 0 && !isLongBody) {
            writeData(isLongBody ? 0 : plan.long, voice)
        }
        return isDataOnly
    }

    /// `"data":{…}` with string values only, and no reserved keys.
    private mutating func writeData(_ long: Int, _ voice: Voice) {
        write(#","data":{"kind":"\#(name())","item":"\#(random.below(10_000_000))""#)
        if random.chance(40) { write(#","url":"https://www.example.org/\#(name())""#) }
        if random.chance(30) { write(#","sender":"\#(title(voice))""#) }
        if long > 0 || random.chance(30) { write(#","content":"\#(body(long, voice))""#) }
        if random.chance(10) { write(#","state":"{\"unread\":true,\"pinned\":[1,2]}""#) }
        write("}")
    }

    /// The channel, and the parts of a notification that only Android draws.
    private mutating func writeAndroidLook() {
        write(#""\#(name())""#)
        if random.chance(35) { write(#","icon":"ic_message""#) }
        if random.chance(25) { write(##","color":"#\##(hex: random.next() >> 40, 6)""##) }
        if random.chance(35) { write(#","sound":"default""#) }
        if random.chance(15) { write(#","click_action":"OPEN_ITEM""#) }
    }

    private mutating func writeAndroidBlock(_ device: Int?, _ post: Post?, _ isDataOnly: Bool) {
        write(#","android":{"ttl":"\#(pick(vocabulary.lifetimes))""#)
        if random.chance(35) { writeCollapseKey() }
        if random.chance(60) { write(random.chance(75) ? #","priority":"HIGH""# : #","priority":"NORMAL""#) }
        if let device, population.namesPackage(registered: device) { writePackage(device) }
        if !isDataOnly {
            write(#","notification":{"channel_id":"#)
            writeAndroidLook()
            if let post { write(#","tag":\#(identifier(post))"#) }
            if random.chance(15) { write(#","notification_priority":"PRIORITY_HIGH""#) }
            write("}")
        }
        write("}")
    }

    /// The block for iOS. Without a notification it is a background push, for which Apple requires priority 5.
    private mutating func writeAPNsBlock(_ post: Post?, _ isDataOnly: Bool) {
        if isDataOnly {
            write(#","apns":{"headers":{"apns-push-type":"background","apns-priority":"5"},"#)
            return write(#""payload":{"aps":{"content-available":1}}}"#)
        }
        write(#","apns":{"headers":{"apns-priority":"10""#)
        if let post { write(#","apns-collapse-id":\#(identifier(post))"#) }
        write(#"},"payload":{"aps":{"sound":"default""#)
        if random.chance(40) { write(#","badge":\#(max(1, random.below(30)))"#) }
        if random.chance(25) { write(#","mutable-content":1"#) }
        write("}}}")
    }
}
