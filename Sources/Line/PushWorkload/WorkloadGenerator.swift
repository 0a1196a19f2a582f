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

    /// One of so many devices.
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
