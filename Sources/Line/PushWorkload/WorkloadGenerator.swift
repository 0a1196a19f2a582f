import PushSystem

/// Generates realistic push traffic as NDJSON, with the same bytes for the same configuration on every machine.
///
/// Every choice is integer arithmetic on one xoshiro256** stream; no clock, locale or hash order affects it. Use a
/// generator on one thread at a time. Memory is constant: tokens are computed, not stored.
///
///     var generator = WorkloadGenerator(try WorkloadConfiguration(count: 1_000))
///     var chunk: [UInt8] = []
///     while generator.appendRecord(to: &chunk) {
///         if chunk.count >= 64 * 1024 { /* write it out */ chunk.removeAll(keepingCapacity: true) }
///     }
public struct WorkloadGenerator: Sendable {
    /// The configuration of the traffic.
    public let configuration: WorkloadConfiguration
    /// Number of records written so far.
    public private(set) var produced = 0

    let vocabulary = Vocabulary.shared
    let population: Population
    var random: Xoshiro256StarStar
    var apnsPosts = RecentPosts()
    var gcmPosts = RecentPosts()
    var fcmPosts = RecentPosts()
    /// The buffer of the caller while a record is appended to it.
    var output: [UInt8] = []

    /// Creates a generator at its first record. Equal configurations create equal generators.
    public init(_ configuration: WorkloadConfiguration) {
        self.configuration = configuration
        population = Population(devices: configuration.devices, mix: configuration.mix)
        random = Xoshiro256StarStar(seed: configuration.seed)
    }

    /// Appends the next record and a newline, and returns true. After ``WorkloadConfiguration/count`` records it
    /// appends nothing and returns false. The record itself contains no newline.
    ///
    /// A record has about 60 to 8000 bytes, and half of them have less than 430. Reserve capacity for a chunk, and keep
    /// it when you empty the buffer.
    /// - Complexity: O(record size), amortized over the buffer's growth.
    public mutating func appendRecord(to buffer: inout [UInt8]) -> Bool {
        guard produced < configuration.count else { return false }
        swap(&output, &buffer)
        defer { swap(&output, &buffer) }
        // Without events nothing is drawn for them, so that older workloads keep their bytes.
        if configuration.eventRate != .zero, hits(configuration.eventRate) {
            writeEvent()
        } else if hits(configuration.malformedRate) {
            writeMalformed()
        } else if let bytes = configuration.recordBytes {
            writeAlert(bytes: bytes)
        } else {
            writeWellFormed(drawPlan())
        }
        output.append(UInt8(ascii: "\n"))
        produced += 1
        return true
    }

    mutating func hits(_ rate: WorkloadRate) -> Bool {
        random.below(1_000_000) < rate.partsPerMillion
    }

    mutating func drawDevice(_ count: Int) -> Int {
        switch configuration.deviceChoice {
        case .skewed: random.skewedBelow(count)
        case .uniform: random.below(count)
        }
    }

    private mutating func drawPlan() -> RecordPlan {
        // One draw for both, so that the two rates exclude each other and neither dilutes the other.
        let position = random.below(1_000_000)
        if position >= configuration.replaceRate.partsPerMillion,
            position >= 1_000_000 - configuration.oversizeRate.partsPerMillion
        {
            return RecordPlan(long: 4097 + random.below(3000))
        }
        var plan = RecordPlan(replaces: position < configuration.replaceRate.partsPerMillion)
        // At most 3222, because up to 700 bytes surround the text, and the total must stay within 4 KiB.
        if hits(configuration.largeRate) { plan.long = 1024 + random.below(1100) + random.below(1100) }
        return plan
    }

    mutating func writeWellFormed(_ plan: RecordPlan) {
        let mix = configuration.mix
        let position = random.below(mix.apns + mix.gcm + mix.fcm)
        if position < mix.apns {
            writeAPNs(plan)
        } else if position < mix.apns + mix.gcm {
            writeGCM(plan)
        } else {
            writeFCM(plan)
        }
    }
}

/// The parts of a record that are decided before its provider.
struct RecordPlan {
    /// Length of its long text in bytes, or 0.
    var long = 0
    var replaces = false
    /// True if a later record may replace this one. False for oversize and damaged records.
    var arrives: Bool { long <= 4096 && !isDamaged }
    var isDamaged = false
    /// True if it is neither long nor a replacement, so that it can have a special form.
    var isFree: Bool { long == 0 && !replaces }
}

/// A notification that a later record can replace.
struct Post: Sendable {
    enum Kind: Sendable { case system, custom }

    var device: Int
    /// Index into ``Vocabulary/apps``.
    var app: Int
    /// `system`: `apns-collapse-id` or Android tag. `custom`: the app's own id, which a service extension compares.
    var kind: Kind
    /// 40 random bits: enough that no two posts share them by chance.
    var number: UInt64
}

/// The last 1024 notifications with an identifier. A replacing record picks one of them.
struct RecentPosts: Sendable {
    private static let capacity = 1024
    private var posts: [Post] = []
    private var oldest = 0

    mutating func remember(_ post: Post) {
        if posts.count < Self.capacity {
            posts.append(post)
        } else {
            posts[oldest] = post
            oldest = (oldest + 1) % Self.capacity
        }
    }

    func pick(_ random: inout Xoshiro256StarStar) -> Post? {
        posts.isEmpty ? nil : posts[random.below(posts.count)]
    }
}

/// The devices and their names. A device is an index within its group.
///
/// The first group has `apns` devices with hexadecimal tokens. The second has `registered` devices with registration
/// ids, each of which stands for one app installation: every eighth is an iOS app that uses FCM, if the mix has FCM.
struct Population: Sendable {
    let apns: Int
    let registered: Int
    private let hasIOS: Bool

    init(devices: Int, mix: WorkloadMix) {
        let others = mix.gcm + mix.fcm
        hasIOS = mix.fcm > 0
        if others == 0 || mix.apns == 0 {
            apns = devices
            registered = devices
        } else {
            let share = devices * mix.apns / (mix.apns + others)
            apns = max(1, min(share, devices - 1))
            registered = max(1, devices - apns)
        }
    }

    func isIOS(registered device: Int) -> Bool { hasIOS && device % 8 == 5 }

    /// The device, or its neighbor if the device is an iOS one.
    func android(_ device: Int) -> Int { isIOS(registered: device) ? device - 1 : device }

    /// A registration id belongs to one app.
    func app(registered device: Int) -> Int { device % Vocabulary.shared.apps.count }

    /// True if messages to this device name their package: either all do or none, so that its notifications have one
    /// app.
    func namesPackage(registered device: Int) -> Bool { device % 3 == 1 }

    /// 64 hexadecimal digits in quotes.
    static func token(_ device: Int) -> JSONText {
        var bits = SplitMix64(seed: 0x6170_6e73_0000_0000 ^ UInt64(truncatingIfNeeded: device))
        return #""\#(hex: bits.next())\#(hex: bits.next())\#(hex: bits.next())\#(hex: bits.next())""#
    }

    /// 152 characters in quotes, in the form of an FCM registration token: instance id, colon, `APA91b` and a body.
    static func registration(_ device: Int) -> JSONText {
        var bits = SplitMix64(seed: 0x6663_6d00_0000_0000 ^ UInt64(truncatingIfNeeded: device))
        return #""\#(characters(11, of: &bits)):APA91b\#(characters(134, of: &bits))""#
    }

    private static func characters(_ count: Int, of bits: inout SplitMix64) -> JSONText {
        var text = JSONText()
        var word: UInt64 = 0
        for index in 0..<count {
            word = index.isMultiple(of: 10) ? bits.next() : word >> 6
            text.bytes.append(registrationAlphabet[Int(truncatingIfNeeded: word & 63)])
        }
        return text
    }
}

private let registrationAlphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

/// xoshiro256** 1.0 by David Blackman and Sebastiano Vigna (public domain, prng.di.unimi.it/xoshiro256starstar.c).
package struct Xoshiro256StarStar: Sendable {
    private var s0: UInt64
    private var s1: UInt64
    private var s2: UInt64
    private var s3: UInt64

    /// The four words of state, which must not all be 0.
    package init(state: (UInt64, UInt64, UInt64, UInt64)) {
        (s0, s1, s2, s3) = state
    }

    /// Fills the state with four SplitMix64 outputs, as the authors advise. They are never all 0.
    package init(seed: UInt64) {
        var seeder = SplitMix64(seed: seed)
        self.init(state: (seeder.next(), seeder.next(), seeder.next(), seeder.next()))
    }

    package mutating func next() -> UInt64 {
        let product = s1 &* 5
        let result = ((product << 7) | (product >> 57)) &* 9
        let shifted = s1 << 17
        s2 ^= s0
        s3 ^= s1
        s1 ^= s2
        s0 ^= s3
        s2 ^= shifted
        s3 = (s3 << 45) | (s3 >> 19)
        return result
    }

    /// A number from 0 to `bound - 1`, or 0 for `bound` 0. `bound` is at most 2^32.
    ///
    /// By multiplication, without rejection: the bias is below 2^-32 times `bound`, and every draw takes one step.
    mutating func below(_ bound: Int) -> Int {
        Int(truncatingIfNeeded: ((next() >> 32) &* UInt64(truncatingIfNeeded: bound)) >> 32)
    }

    /// True in `percent` of 100 draws.
    mutating func chance(_ percent: Int) -> Bool {
        below(100) < percent
    }

    /// A number from 0 to `bound - 1` with a lean to the small ones: three draws of four are squared, which gives the
    /// first hundredth of the range a tenth of those. Every number can come up. `bound` is at most 2^32.
    mutating func skewedBelow(_ bound: Int) -> Int {
        let uniform = next()
        let high = uniform >> 32
        let position = uniform & 3 == 0 ? high : (high &* high) >> 32
        return Int(truncatingIfNeeded: (position &* UInt64(truncatingIfNeeded: bound)) >> 32)
    }
}

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

    /// The identifier of a notification, such as `"score-00c0ffee00"`. The name depends on the number, so that a repeated identifier is the same text.
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
