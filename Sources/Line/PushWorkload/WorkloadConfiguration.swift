import PushSystem

/// The traffic to generate. Every value of this type is valid, so a ``WorkloadGenerator`` cannot fail.
public struct WorkloadConfiguration: Sendable, Equatable {
    /// The largest number of ``devices``, far below where dividing them among providers would overflow.
    public static let maxDevices = 100_000_000
    /// The range of ``recordBytes``: room for all parts of such a record, and no payload over 4096 bytes.
    public static let recordBytesRange = 400...4096

    /// The number of records, 0 or more. With otherwise equal arguments, a longer run begins with the bytes of a
    /// shorter one.
    public let count: Int
    /// Determines every choice. Tokens are the exception: they depend only on the device's index, so that two runs with
    /// different seeds reach the same devices.
    public let seed: UInt64
    /// The number of different devices, `1...maxDevices`, divided between APNs tokens and registration ids by the
    /// weights of ``mix``. If the mix has both, each gets at least one, even when this is 1.
    public let devices: Int
    /// The weights of the providers.
    public let mix: WorkloadMix
    /// Fraction of the well-formed records that replace an earlier one: they repeat its device, its app and its
    /// `apns-collapse-id`, `custom-payload-id` (with `mutable-content`) or Android `tag`. Until a provider has had a
    /// record with an identifier there is nothing to replace, so a very short run falls below the fraction.
    public let replaceRate: WorkloadRate
    /// Fraction of all records that are broken on purpose, in one of the ways of ``WorkloadDefect``.
    public let malformedRate: WorkloadRate
    /// Fraction of the well-formed records with a payload of 1 to 4 KiB.
    public let largeRate: WorkloadRate
    /// Fraction of the well-formed records with a payload over 4096 bytes: as sent for APNs, in keys and values for the
    /// others. Such a record replaces nothing; ``replaceRate`` takes precedence when the two add up to more than 1.
    public let oversizeRate: WorkloadRate
    /// Fraction of all records that are device events.
    public let eventRate: WorkloadRate
    /// Makes every well-formed record an APNs alert of that many bytes, not counting its newline: the same work per
    /// record, for benchmarks. ``mix`` and the rates of large and oversize records are ignored then. Nil generates
    /// varied records.
    public let recordBytes: Int?
    /// How a record that replaces nothing chooses its device.
    public let deviceChoice: WorkloadDeviceChoice

    /// - Throws: for a count, a number of devices or a number of bytes that is out of range, with a sentence for people.
    public init(
        count: Int,
        seed: UInt64 = 1,
        devices: Int = 1000,
        mix: WorkloadMix = .standard,
        replaceRate: WorkloadRate = .replaceDefault,
        malformedRate: WorkloadRate = .zero,
        largeRate: WorkloadRate = .largeDefault,
        oversizeRate: WorkloadRate = .oversizeDefault,
        eventRate: WorkloadRate = .zero,
        recordBytes: Int? = nil,
        deviceChoice: WorkloadDeviceChoice = .skewed
    ) throws {
        guard count >= 0 else {
            throw PlainError("the number of records must be 0 or more, not \(count)")
        }
        guard devices >= 1, devices <= Self.maxDevices else {
            throw PlainError("the number of devices must be from 1 to \(Self.maxDevices), not \(devices)")
        }
        if let recordBytes, !Self.recordBytesRange.contains(recordBytes) {
            let least = Self.recordBytesRange.lowerBound
            let most = Self.recordBytesRange.upperBound
            throw PlainError("the bytes of a record must be from \(least) to \(most), not \(recordBytes)")
        }
        self.count = count
        self.seed = seed
        self.devices = devices
        self.recordBytes = recordBytes
        self.mix = recordBytes == nil ? mix : .apnsOnly
        self.replaceRate = replaceRate
        self.malformedRate = malformedRate
        self.largeRate = largeRate
        self.oversizeRate = oversizeRate
        self.eventRate = eventRate
        self.deviceChoice = deviceChoice
    }
}

/// How likely each device is.
public enum WorkloadDeviceChoice: String, Sendable, CaseIterable {
    /// Some devices get many more records than others, as some users get more mail: the first hundredth of them gets about
    /// a tenth. What is needed to deliver is often in the processor's cache.
    case skewed
    /// Every device is as likely as any other: the worst case for caches.
    case uniform
}

/// A fraction of the records, from 0 to 1, in parts per million, so that no floating-point comparison affects the
/// output.
public struct WorkloadRate: Sendable, Hashable, CustomStringConvertible {
    /// 0 to 1,000,000.
    public let partsPerMillion: Int

    /// No records.
    public static let zero = WorkloadRate(unchecked: 0)
    /// Every record.
    public static let all = WorkloadRate(unchecked: 1_000_000)
    /// One in five.
    public static let replaceDefault = WorkloadRate(unchecked: 200_000)
    /// Eight in a hundred.
    public static let largeDefault = WorkloadRate(unchecked: 80_000)
    /// One in a hundred.
    public static let oversizeDefault = WorkloadRate(unchecked: 10_000)

    private init(unchecked partsPerMillion: Int) {
        self.partsPerMillion = partsPerMillion
    }

    /// Part and whole are numbers of devices, so nothing overflows.
    init(part: Int, of whole: Int) { partsPerMillion = whole > 0 ? min(part * 1_000_000 / whole, 1_000_000) : 0 }

    /// - Throws: outside `0...1_000_000`.
    public init(partsPerMillion: Int) throws {
        guard partsPerMillion >= 0, partsPerMillion <= 1_000_000 else {
            throw PlainError("a share must be from 0 to 1000000 parts per million, not \(partsPerMillion)")
        }
        self.partsPerMillion = partsPerMillion
    }

    /// Parses a decimal number from 0 to 1 with at most six decimals, such as `0.2`, `.05` or `1`.
    /// - Throws: for any other text.
    public init(parsing text: String) throws {
        let failure = PlainError("a share is a number from 0 to 1 with at most six decimals, not '\(text)'")
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard text.utf8.allSatisfy({ $0.isDigit || $0 == UInt8(ascii: ".") }), 1...2 ~= parts.count else {
            throw failure
        }
        let decimals = parts.count == 2 ? parts[1] : ""
        guard parts[0].count <= 6, decimals.count <= 6, parts[0].count + decimals.count > 0,
            let value = Int(parts[0] + decimals + String(repeating: "0", count: 6 - decimals.count)), value <= 1_000_000
        else { throw failure }
        partsPerMillion = value
    }

    /// The number in the format of `init(parsing:)`, without trailing zeros: `0.2`.
    public var description: String {
        guard partsPerMillion > 0, partsPerMillion < 1_000_000 else { return partsPerMillion == 0 ? "0" : "1" }
        var digits = String(partsPerMillion + 1_000_000).dropFirst()
        while digits.last == "0" { digits.removeLast() }
        return "0." + digits
    }
}

/// Weights of the three providers. `apns=5,gcm=2,fcm=1` makes five of eight records APNs envelopes.
public struct WorkloadMix: Sendable, Hashable, CustomStringConvertible {
    /// The largest single weight.
    public static let maxWeight = 1_000_000
    /// `apns=5,gcm=2,fcm=1`
    public static let standard = WorkloadMix(uncheckedAPNs: 5, gcm: 2, fcm: 1)
    static let apnsOnly = WorkloadMix(uncheckedAPNs: 1, gcm: 0, fcm: 0)

    // At least one of the three weights is above 0.

    /// Weight of APNs envelopes, from 0 to ``maxWeight``.
    public let apns: Int
    /// Weight of GCM and FCM legacy messages, from 0 to ``maxWeight``.
    public let gcm: Int
    /// Weight of FCM HTTP v1 messages, from 0 to ``maxWeight``.
    public let fcm: Int

    private init(uncheckedAPNs apns: Int, gcm: Int, fcm: Int) {
        self.apns = apns
        self.gcm = gcm
        self.fcm = fcm
    }

    /// - Throws: for a weight out of range, or when all are 0.
    public init(apns: Int = 0, gcm: Int = 0, fcm: Int = 0) throws {
        for (name, weight) in [("apns", apns), ("gcm", gcm), ("fcm", fcm)] {
            guard weight >= 0, weight <= Self.maxWeight else {
                throw PlainError("the weight of \(name) must be from 0 to \(Self.maxWeight), not \(weight)")
            }
        }
        guard apns + gcm + fcm > 0 else {
            throw PlainError("a mix needs at least one weight above 0")
        }
        self.init(uncheckedAPNs: apns, gcm: gcm, fcm: fcm)
    }

    /// Parses comma-separated `name=weight` pairs. A provider that is not named gets weight 0.
    /// - Throws: for an unknown or repeated name, a weight that is not a whole number in range, and when nothing is above 0.
    public init(parsing text: String) throws {
        var weights: [Substring: Int] = [:]
        for pair in text.split(separator: ",", omittingEmptySubsequences: false) {
            let sides = pair.split(separator: "=", omittingEmptySubsequences: false)
            guard sides.count == 2, let weight = Int(sides[1]) else {
                throw PlainError("'\(pair)' is not name=weight with a whole number; a mix looks like \(Self.standard)")
            }
            guard ["apns", "gcm", "fcm"].contains(sides[0]) else {
                throw PlainError("'\(sides[0])' in a mix is not one of apns, gcm and fcm")
            }
            guard weights.updateValue(weight, forKey: sides[0]) == nil else {
                throw PlainError("'\(sides[0])' stands twice in a mix")
            }
        }
        try self.init(apns: weights["apns"] ?? 0, gcm: weights["gcm"] ?? 0, fcm: weights["fcm"] ?? 0)
    }

    /// The weights in the format of `init(parsing:)`: `apns=5,gcm=2,fcm=1`.
    public var description: String { "apns=\(apns),gcm=\(gcm),fcm=\(fcm)" }
}
