// Each function draws the contents of a record and writes it in one pass. Every member after the first writes the comma
// before it. Limits and spellings follow Apple's documentation (UserNotifications, "Generating a remote notification"
// and "Sending notification requests to APNs").

extension WorkloadGenerator {
    /// `{"device":…,"headers":{…},"payload":{…}}`
    mutating func writeAPNs(_ plan: RecordPlan) {
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

        write(#"{"device":\#(Population.token(device)),"#)
        if !isBare {
            write(#""headers":{"apns-topic":"\#(vocabulary.apps[app])""#)
            if isBackground {
                write(#","apns-push-type":"background","apns-priority":"5""#)
            } else {
                write(#","apns-push-type":"alert""#)
                if random.chance(85) { write(#","apns-priority":"\#(random.chance(88) ? 10 : 5)""#) }
            }
            writeDeliveryHeaders()
            if let post, post.kind == .system { write(#","apns-collapse-id":\#(identifier(post))"#) }
            write("},")
        }
        let isString = !isBackground && random.chance(3)
        write(#""payload":"#)
        let start = output.count
        if isBackground {
            write(#"{"aps":{"content-available":1}"#)
            if random.chance(50) { writeCustomKeys() }
            write("}")
        } else {
            writePayload(plan, post, isShort: isBare)
        }
        if isString { quote(from: start) }
        write("}")
    }

    /// Makes a JSON string of the JSON at the end, which has no control characters.
    private mutating func quote(from start: Int) {
        let quotation = UInt8(ascii: "\"")
        let backslash = UInt8(ascii: "\\")
        let quoted = output[start...].flatMap { $0 == quotation || $0 == backslash ? [backslash, $0] : [$0] }
        output.replaceSubrange(start..., with: [quotation] + quoted + [quotation])
    }

    /// A new identifier for some of the notifications, and for all that had nothing to replace.
    mutating func drawPost(_ plan: RecordPlan, device: Int, app: Int, customPercent: Int) -> Post? {
        guard plan.replaces || random.chance(45) else { return nil }
        let kind: Post.Kind = random.chance(customPercent) ? .custom : .system
        return Post(device: device, app: app, kind: kind, number: random.next() >> 24)
    }

    /// For example `"score-00c0ffee00"`. The name depends on the number, so that a repeated identifier is the same text.
    func identifier(_ post: Post) -> JSONText {
        let name = vocabulary.names[Int(truncatingIfNeeded: post.number) % vocabulary.names.count]
        return #""\#(name)-\#(hex: post.number, 10)""#
    }

    private mutating func writeDeliveryHeaders() {
        if random.chance(25) {
            let high = random.next()
            let low = random.next()
            // Version 4, variant 1 (RFC 9562, section 5.4).
            write(#","apns-id":"\#(hex: high >> 32, 8)-\#(hex: high >> 16, 4)-4\#(hex: high, 3)-"#)
            write(#"\#(hex: (low >> 48) & 0x3fff | 0x8000, 4)-\#(hex: low, 12)""#)
        }
        if random.chance(40) {
            // A fixed time in 2033, because no clock is read here: valid for years.
            let expiration = random.chance(20) ? 0 : 2_000_000_000 + random.below(2_419_200)
            write(#","apns-expiration":"\#(expiration)""#)
        }
    }

    /// The APNs payload: `aps` and the app's own keys next to it.
    private mutating func writePayload(_ plan: RecordPlan, _ post: Post?, isShort: Bool) {
        let voice = drawVoice(plan)
        let isLongBody = plan.long > 0 && random.chance(60)
        let isCustom = post?.kind == .custom
        write(#"{"aps":{"#)
        writeAlert(isLongBody ? plan.long : 0, voice, isText: isShort || random.chance(12))
        if !isShort {
            if random.chance(35) { write(#","badge":\#(max(1, random.below(30)))"#) }
            if random.chance(60) { write(random.chance(85) ? #","sound":"default""# : #","sound":"chime.caf""#) }
            if random.chance(35) { write(#","thread-id":"\#(name())-\#(random.below(40))""#) }
            if isCustom || random.chance(15) { write(#","mutable-content":1"#) }
            if random.chance(15) { write(#","category":"\#(name())""#) }
            if random.chance(6) {
                write(#","interruption-level":"\#(pick(vocabulary.levels))","relevance-score":0.75"#)
            }
        }
        write("}")
        if let post, isCustom { write(#","custom-payload-id":\#(identifier(post))"#) }
        if !isShort { writeCustomKeys() }
        if plan.long > 0, !isLongBody { write(#","content":"\#(body(plan.long, voice))""#) }
        write("}")
    }

    /// `"alert":…`, as an object or a string.
    private mutating func writeAlert(_ long: Int, _ voice: Voice, isText: Bool) {
        if isText { return write(#""alert":"\#(body(long, voice))""#) }
        if long == 0, random.chance(3) {
            return write(#""alert":{"loc-key":"MESSAGE_FROM","loc-args":["\#(title(voice))"]}"#)
        }
        write(#""alert":{"title":"\#(title(voice))""#)
        if random.chance(20) { write(#","subtitle":"\#(title(voice))""#) }
        write(#","body":"\#(body(long, voice))"}"#)
    }

    /// Up to three of the app's own members, of every JSON kind that Apple allows. Each writes the comma before it.
    private mutating func writeCustomKeys() {
        if random.chance(30) { write(#","url":"https://www.example.org/\#(name())/\#(random.below(1_000_000))""#) }
        if random.chance(20) {
            write(#","article":{"id":\#(random.below(10_000_000)),"tags":["\#(name())","\#(name())"],"premium":"#)
            write(random.chance(50) ? "true}" : "false}")
        }
        if random.chance(15) {
            write(#","place":{"lat":-\#(random.below(90)).\#(random.below(10_000)),"lon":\#(random.below(180))"#)
            write(#".25,"accuracy":1.5e2}"#)
        }
        if random.chance(10) { write(#","score":[\#(random.below(6)),\#(random.below(6))]"#) }
    }

    /// An APNs envelope of exactly `bytes` bytes, with an alert that is shown and the headers and members that most
    /// senders set. The length of the body makes all records equally long.
    mutating func writeAlert(bytes: Int) {
        let start = output.count
        let earlier = hits(configuration.replaceRate) ? apnsPosts.pick(&random) : nil
        let device = earlier?.device ?? drawDevice(population.apns)
        let app = earlier?.app ?? (device + random.below(3)) % vocabulary.apps.count
        let post = earlier ?? Post(device: device, app: app, kind: .system, number: random.next() >> 24)
        if earlier == nil { apnsPosts.remember(post) }
        write(#"{"device":\#(Population.token(device)),"headers":{"apns-topic":"\#(vocabulary.apps[app])","#)
        write(#""apns-push-type":"alert","apns-priority":"10","apns-collapse-id":\#(identifier(post))},"#)
        let script = vocabulary.scripts[drawVoice(RecordPlan()).script]
        write(#""payload":{"aps":{"alert":{"title":"\#(pick(script.phrases))","body":""#)
        let badge = max(1, random.below(30))
        let ending: JSONText = #"""
            "},"badge":\#(badge),"sound":"default","mutable-content":1},"article":\#(random.below(1_000_000))}}
            """#
        writeText(exactly: bytes - (output.count - start) - ending.bytes.count, script)
        write(ending)
    }

    /// Writes whole phrases of the script while they fit, and fills the rest with English ones, which can be cut at any
    /// byte.
    private mutating func writeText(exactly count: Int, _ script: Script) {
        var left = count
        while true {
            let sentence = pick(script.phrases).raw + script.joint.raw
            guard sentence.count <= left else { break }
            output += sentence
            left -= sentence.count
        }
        while left > 0 {
            let part = pick(vocabulary.scripts[0].phrases).raw.prefix(left)
            output += part
            left -= part.count
        }
    }
}
