import PushWorkload
import TestSupport
import Testing

@Suite struct WorkloadGeneratorTests {
    @Test func `the same seed gives the same bytes`() throws {
        let configuration = try WorkloadConfiguration(count: 2000, seed: 7)
        #expect(bytes(configuration) == bytes(configuration))
        #expect(bytes(configuration) != bytes(try WorkloadConfiguration(count: 2000, seed: 8)))
    }

    /// One machine cannot test "the same bytes on every machine". A pinned digest can: every machine that runs this
    /// test compares its bytes with those of the first. A deliberate change of the generator or its phrases changes the
    /// digests. The changelog must mention it, because measurements on generated input are then no longer comparable.
    @Test func `ten thousand records have the pinned digest`() throws {
        #expect(fnv1a(bytes(try WorkloadConfiguration(count: 10_000))) == 0x087f_233a_c861_09e0)
        let damaged = try WorkloadConfiguration(
            count: 10_000, seed: 2013, devices: 50, mix: WorkloadMix(apns: 1, gcm: 1, fcm: 1),
            malformedRate: WorkloadRate(parsing: "0.25"))
        #expect(fnv1a(bytes(damaged)) == 0x77b4_27b1_4c50_62c6)
    }

    @Test func `devices chosen uniformly are equally likely, and skewed ones are not`() throws {
        var shares: [WorkloadDeviceChoice: Int] = [:]
        for choice in WorkloadDeviceChoice.allCases {
            let configuration = try WorkloadConfiguration(
                count: Effort.rounds(20_000, fast: 8000), devices: 100, mix: WorkloadMix(apns: 1), replaceRate: .zero,
                deviceChoice: choice)
            var counts: [String: Int] = [:]
            for line in lines(configuration) {
                let device = try #require(GeneratedRecord(line)).content["device"] as? String
                counts[try #require(device), default: 0] += 1
            }
            #expect(counts.count == 100)
            shares[choice] = counts.values.max()
            // Seven standard deviations of a binomial distribution around 200, or 80.
            let usual = Effort.rounds(100, fast: 18)...Effort.rounds(300, fast: 142)
            if choice == .uniform { #expect(counts.values.allSatisfy { usual.contains($0) }) }
        }
        // The first device gets a hundredth of a quarter of the draws, and a tenth of the squared rest: 1550 or 620, give or take five
        // standard deviations.
        #expect(
            (Effort.rounds(1360, fast: 500)...Effort.rounds(1740, fast: 740)).contains(try #require(shares[.skewed])))
    }

    @Test func `a longer run begins with the shorter one`() throws {
        let short = bytes(try WorkloadConfiguration(count: 300))
        #expect(bytes(try WorkloadConfiguration(count: 900)).starts(with: short))
    }

    @Test func `a record does not depend on the buffer it is appended to`() throws {
        let configuration = try WorkloadConfiguration(count: 500, malformedRate: WorkloadRate(parsing: "0.5"))
        var generator = WorkloadGenerator(configuration)
        var joined: [UInt8] = []
        var record: [UInt8] = []
        while generator.appendRecord(to: &record) {
            #expect(record.last == UInt8(ascii: "\n"))
            #expect(record.dropLast().allSatisfy { $0 != UInt8(ascii: "\n") })
            joined += record
            record.removeAll(keepingCapacity: true)
        }
        #expect(joined == bytes(configuration))
    }

    @Test func `after the last record nothing is appended`() throws {
        var generator = WorkloadGenerator(try WorkloadConfiguration(count: 1))
        var buffer: [UInt8] = []
        let first = generator.appendRecord(to: &buffer)
        let size = buffer.count
        let second = generator.appendRecord(to: &buffer)
        let third = generator.appendRecord(to: &buffer)
        #expect(first && !second && !third)
        #expect(buffer.count == size)
        #expect(generator.produced == 1)
        #expect(bytes(try WorkloadConfiguration(count: 0)).isEmpty)
    }

    @Test func `the providers share the records by their weights`() throws {
        var counts: [GeneratedRecord.Provider: Int] = [:]
        for line in lines(try WorkloadConfiguration(count: Effort.rounds(16_000, fast: 4000))) {
            counts[try #require(GeneratedRecord(line)).provider, default: 0] += 1
        }
        // Five standard deviations are 306, 274 and 209, or 153, 137 and 105.
        #expect(abs(counts[.apns, default: 0] - Effort.rounds(10_000, fast: 2500)) < Effort.rounds(310, fast: 155))
        #expect(abs(counts[.gcm, default: 0] - Effort.rounds(4000, fast: 1000)) < Effort.rounds(280, fast: 140))
        #expect(abs(counts[.fcm, default: 0] - Effort.rounds(2000, fast: 500)) < Effort.rounds(210, fast: 107))
    }

    @Test(arguments: [("apns=1", GeneratedRecord.Provider.apns), ("gcm=3", .gcm), ("fcm=2,gcm=0", .fcm)])
    func `a provider without weight gets nothing`(mix: String, provider: GeneratedRecord.Provider) throws {
        for line in lines(try WorkloadConfiguration(count: 500, mix: WorkloadMix(parsing: mix))) {
            #expect(try #require(GeneratedRecord(line)).provider == provider)
        }
    }

    @Test func `the sizes are spread as documented`() throws {
        let records = lines(try WorkloadConfiguration(count: Effort.rounds(20_000, fast: 6000)))
        let sizes = records.map(\.count).sorted()
        #expect((390...440).contains(sizes[sizes.count / 2]))
        #expect((50...150).contains(sizes.first ?? 0))
        #expect((4097...9000).contains(sizes.last ?? 0))
        let payloads = try records.map { try #require(GeneratedRecord($0)).payloadBytes }
        #expect((Effort.rounds(140, fast: 22)...Effort.rounds(260, fast: 98)).contains(payloads.count { $0 > 4096 }))
        #expect(
            (Effort.rounds(1400, fast: 375)...Effort.rounds(1800, fast: 585)).contains(
                payloads.count { (1024...4096).contains($0) }))
        // No record is near the budget by chance: it is either over it on purpose, or well within it.
        #expect(payloads.allSatisfy { $0 > 4096 || $0 < 3900 })
    }

    @Test func `without large and oversize records a payload has less than a kibibyte`() throws {
        let configuration = try WorkloadConfiguration(
            count: Effort.rounds(5000, fast: 2000), largeRate: .zero, oversizeRate: .zero)
        for line in lines(configuration) { #expect(try #require(GeneratedRecord(line)).payloadBytes < 1024) }
    }

    @Test(arguments: [(0, 0...0), (200_000, 1850...2150), (1_000_000, 9950...10_000)])
    func `the wanted share of records replaces an earlier one`(
        partsPerMillion: Int, expected: ClosedRange<Int>
    ) throws {
        let configuration = try WorkloadConfiguration(
            count: 10_000, replaceRate: WorkloadRate(partsPerMillion: partsPerMillion))
        var seen: Set<String> = []
        var replacing = 0
        for line in lines(configuration) {
            let record = try #require(GeneratedRecord(line))
            // A record over the budget never arrives, so it neither replaces another nor can be replaced.
            guard record.payloadBytes <= 4096, let key = record.replacementKey else { continue }
            if !seen.insert(key).inserted { replacing += 1 }
        }
        #expect(expected.contains(replacing))
    }

    @Test(arguments: [1, 2, 3, 16, 100])
    func `every device is reached and there are no others`(devices: Int) throws {
        let configuration = try WorkloadConfiguration(count: 5000, devices: devices)
        var seen: Set<String> = []
        for line in lines(configuration) {
            let record = try #require(GeneratedRecord(line))
            let names = record.content["registration_ids"] as? [String] ?? record.device.map { [$0] } ?? []
            seen.formUnion(names.filter { !$0.hasPrefix("/topics/") })
        }
        // With one device, each group of the mix still needs one.
        #expect(seen.count == max(devices, 2))
    }

    @Test func `another seed reaches the same devices`() throws {
        func devices(seed: UInt64) throws -> Set<String> {
            let configuration = try WorkloadConfiguration(
                count: 3000, seed: seed, devices: 20, mix: WorkloadMix(apns: 1), oversizeRate: .zero)
            return Set(lines(configuration).compactMap { GeneratedRecord($0)?.device })
        }
        #expect(try devices(seed: 1) == devices(seed: 2))
    }
}
