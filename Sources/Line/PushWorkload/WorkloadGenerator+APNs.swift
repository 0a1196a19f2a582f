// Each function draws the contents of a record and writes it in one pass. Every member after the first writes the comma
// before it. Limits and spellings follow Apple's documentation (UserNotifications, "Generating a remote notification"
// and "Sending notification requests to APNs").

extension WorkloadGenerator {
    /// `{"device":…,"headers":{…},"payload":{…}}`
    mutating func appendAPNs(_ plan: RecordPlan, to buffer: inout [UInt8]) {
        var device = drawDevice(population.apns)
        // A device has some of the apps.
        var app = (device + random.below(3)) % vocabulary.apps.count
        let variety = plan.isFree ? random.below(100) : 100
        let isBackground = variety < 8
        let isBare = variety >= 8 && variety < 12
        let earlier = plan.replaces ? apnsPosts.pick(&random) : nil
        var post = earlier
        if let earlier {
            device = earlier.device
            app = earlier.app
        } else if !isBackground, !isBare {
            post = drawPost(plan, device: device, app: app, customPercent: 30)
        }
        if let post, earlier == nil, plan.arrives { apnsPosts.remember(post) }

        buffer.write(#"{"device":"#)
        Population.writeToken(device, to: &buffer)
        buffer.write(",")
        if !isBare {
            buffer.write(#""headers":{"apns-topic":""#)
            buffer.append(contentsOf: vocabulary.apps[app].raw)
            if isBackground {
                buffer.write(#"","apns-push-type":"background","apns-priority":"5""#)
            } else {
                buffer.write(#"","apns-push-type":"alert""#)
                if random.chance(85) {
                    buffer.write(random.chance(88) ? #","apns-priority":"10""# : #","apns-priority":"5""#)
                }
            }
            writeDeliveryHeaders(to: &buffer)
            if let post, post.kind == .system { writeIdentifier(post, as: #","apns-collapse-id":""#, to: &buffer) }
            buffer.write("},")
        }
        if !isBackground, random.chance(3) {
            // Taken out and put back, because writing the payload also uses the generator.
            var payload: [UInt8] = []
            swap(&payload, &scratch)
            payload.removeAll(keepingCapacity: true)
            writePayload(plan, post, isShort: isBare, to: &payload)
            buffer.write(#""payload":""#)
            buffer.write(escaping: payload)
            buffer.write(#""}"#)
            swap(&payload, &scratch)
        } else {
            buffer.write(#""payload":"#)
            if isBackground {
                writeBackgroundPayload(to: &buffer)
            } else {
                writePayload(plan, post, isShort: isBare, to: &buffer)
            }
            buffer.write("}")
        }
    }

    /// A new identifier for some of the notifications, and for all that had nothing to replace.
    mutating func drawPost(_ plan: RecordPlan, device: Int, app: Int, customPercent: Int) -> Post? {
        guard plan.replaces || random.chance(45) else { return nil }
        let kind: Post.Kind = random.chance(customPercent) ? .custom : .system
        return Post(device: device, app: app, kind: kind, number: random.next() >> 24)
    }

    /// For example `score-00c0ffee00`. The name depends on the number, so that a repeated identifier is the same text.
    func writeIdentifier(_ post: Post, as start: String, to buffer: inout [UInt8]) {
        buffer.write(start)
        buffer.append(contentsOf: vocabulary.names[Int(truncatingIfNeeded: post.number) % vocabulary.names.count].raw)
        buffer.write("-")
        buffer.write(hex: post.number, digits: 10)
        buffer.write("\"")
    }

    private mutating func writeDeliveryHeaders(to buffer: inout [UInt8]) {
        if random.chance(25) {
            let high = random.next()
            let low = random.next()
            buffer.write(#","apns-id":""#)
            buffer.write(hex: high >> 32, digits: 8)
            buffer.write("-")
            buffer.write(hex: high >> 16, digits: 4)
            // Version 4, variant 1 (RFC 9562, section 5.4).
            buffer.write("-4")
            buffer.write(hex: high, digits: 3)
            buffer.write("-")
            buffer.write(hex: (low >> 48) & 0x3fff | 0x8000, digits: 4)
            buffer.write("-")
            buffer.write(hex: low, digits: 12)
            buffer.write("\"")
        }
        if random.chance(40) {
            // A fixed time in 2033, because no clock is read here: valid for years.
            buffer.write(#","apns-expiration":""#)
            buffer.write(number: random.chance(20) ? 0 : 2_000_000_000 + random.below(2_419_200))
            buffer.write("\"")
        }
    }

    private mutating func writeBackgroundPayload(to buffer: inout [UInt8]) {
        buffer.write(#"{"aps":{"content-available":1}"#)
        if random.chance(50) { writeCustomKeys(to: &buffer) }
        buffer.write("}")
    }

    /// The APNs payload: `aps` and the app's own keys next to it.
    private mutating func writePayload(_ plan: RecordPlan, _ post: Post?, isShort: Bool, to buffer: inout [UInt8]) {
        let voice = drawVoice(plan)
        let isLongBody = plan.long > 0 && random.chance(60)
        let isCustom = post?.kind == .custom
        buffer.write(#"{"aps":{"#)
        writeAlert(isLongBody ? plan.long : 0, voice, isText: isShort || random.chance(12), to: &buffer)
        if !isShort {
            if random.chance(35) {
                buffer.write(#","badge":"#)
                buffer.write(number: max(1, random.below(30)))
            }
            if random.chance(60) { buffer.write(random.chance(85) ? #","sound":"default""# : #","sound":"chime.caf""#) }
            if random.chance(35) {
                buffer.write(#","thread-id":""#)
                writeName(to: &buffer)
                buffer.write("-")
                buffer.write(number: random.below(40))
                buffer.write("\"")
            }
            if isCustom || random.chance(15) { buffer.write(#","mutable-content":1"#) }
            if random.chance(15) {
                buffer.write(#","category":""#)
                writeName(to: &buffer)
                buffer.write("\"")
            }
            if random.chance(6) {
                buffer.write(#","interruption-level":""#)
                buffer.append(contentsOf: vocabulary.levels[random.below(vocabulary.levels.count)].raw)
                buffer.write(#"","relevance-score":0.75"#)
            }
        }
        buffer.write("}")
        if let post, isCustom { writeIdentifier(post, as: #","custom-payload-id":""#, to: &buffer) }
        if !isShort { writeCustomKeys(to: &buffer) }
        if plan.long > 0, !isLongBody {
            buffer.write(#","content":""#)
            writeBody(plan.long, voice, to: &buffer)
            buffer.write("\"")
        }
        buffer.write("}")
    }

    /// `"alert":…`, as an object or a string.
    private mutating func writeAlert(_ long: Int, _ voice: Voice, isText: Bool, to buffer: inout [UInt8]) {
        if isText {
            buffer.write(#""alert":""#)
            writeBody(long, voice, to: &buffer)
            buffer.write("\"")
            return
        }
        if long == 0, random.chance(3) {
            buffer.write(#""alert":{"loc-key":"MESSAGE_FROM","loc-args":[""#)
            writeTitle(voice, to: &buffer)
            buffer.write(#""]}"#)
            return
        }
        buffer.write(#""alert":{"title":""#)
        writeTitle(voice, to: &buffer)
        if random.chance(20) {
            buffer.write(#"","subtitle":""#)
            writeTitle(voice, to: &buffer)
        }
        buffer.write(#"","body":""#)
        writeBody(long, voice, to: &buffer)
        buffer.write(#""}"#)
    }

    /// Up to three of the app's own members, of every JSON kind that Apple allows. Each writes the comma before it.
    private mutating func writeCustomKeys(to buffer: inout [UInt8]) {
        if random.chance(30) {
            buffer.write(#","url":"https://www.example.org/"#)
            writeName(to: &buffer)
            buffer.write("/")
            buffer.write(number: random.below(1_000_000))
            buffer.write("\"")
        }
        if random.chance(20) {
            buffer.write(#","article":{"id":"#)
            buffer.write(number: random.below(10_000_000))
            buffer.write(#","tags":[""#)
            writeName(to: &buffer)
            buffer.write(#"",""#)
            writeName(to: &buffer)
            buffer.write(#""],"premium":"#)
            buffer.write(random.chance(50) ? "true}" : "false}")
        }
        if random.chance(15) {
            buffer.write(#","place":{"lat":-"#)
            buffer.write(number: random.below(90))
            buffer.write(".")
            buffer.write(number: random.below(10_000))
            buffer.write(#","lon":"#)
            buffer.write(number: random.below(180))
            buffer.write(#".25,"accuracy":1.5e2}"#)
        }
        if random.chance(10) {
            buffer.write(#","score":["#)
            buffer.write(number: random.below(6))
            buffer.write(",")
            buffer.write(number: random.below(6))
            buffer.write("]")
        }
    }
}
