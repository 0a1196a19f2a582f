import PushSystem
import PushWorkload
import Testing

@Suite struct WorkloadConfigurationTests {
    @Test func `the defaults are those of the documentation`() throws {
        let configuration = try WorkloadConfiguration(count: 10)
        #expect(configuration.seed == 1)
        #expect(configuration.devices == 1000)
        #expect(configuration.mix.description == "apns=5,gcm=2,fcm=1")
        #expect(configuration.replaceRate.description == "0.2")
        #expect(configuration.malformedRate.description == "0")
        #expect(configuration.largeRate.description == "0.08")
        #expect(configuration.oversizeRate.description == "0.01")
    }

    @Test(arguments: [-1, Int.min]) func `a negative count is refused`(count: Int) {
        let error = #expect(throws: PlainError.self) { try WorkloadConfiguration(count: count) }
        #expect(error?.description == "the number of records must be 0 or more, not \(count)")
    }

    @Test(arguments: [0, -5, WorkloadConfiguration.maxDevices + 1, Int.max])
    func `a number of devices out of range is refused`(devices: Int) {
        #expect(throws: PlainError.self) { try WorkloadConfiguration(count: 1, devices: devices) }
    }

    @Test func `the extremes that are allowed are generated without a trap`() throws {
        let heavy = try WorkloadMix(apns: WorkloadMix.maxWeight, gcm: WorkloadMix.maxWeight, fcm: WorkloadMix.maxWeight)
        let configuration = try WorkloadConfiguration(
            count: Int.max, seed: .max, devices: WorkloadConfiguration.maxDevices, mix: heavy)
        var generator = WorkloadGenerator(configuration)
        var buffer: [UInt8] = []
        while generator.produced < 1000, generator.appendRecord(to: &buffer) {}
        #expect(generator.produced == 1000)
    }

    @Test(arguments: [
        ("0", 0), ("1", 1_000_000), ("1.0", 1_000_000), ("0.2", 200_000), (".05", 50_000), ("0.000001", 1),
        ("00.5", 500_000), ("1.", 1_000_000),
    ])
    func `a rate is read exactly`(text: String, expected: Int) throws {
        #expect(try WorkloadRate(parsing: text).partsPerMillion == expected)
    }

    @Test(arguments: [
        "", ".", "2", "1.000001", "-0.1", "0.0000001", "1e-3", "0,5", "0.5.", "20%", " 0.2", "999999999999",
    ])
    func `text that is no rate is refused`(text: String) {
        let error = #expect(throws: PlainError.self) { try WorkloadRate(parsing: text) }
        #expect(error?.description.contains("'\(text)'") == true)
    }

    @Test(arguments: [0, 1, 50_000, 200_000, 123_456, 999_999, 1_000_000])
    func `a rate reads what it writes`(partsPerMillion: Int) throws {
        let rate = try WorkloadRate(partsPerMillion: partsPerMillion)
        #expect(try WorkloadRate(parsing: rate.description) == rate)
    }

    @Test(arguments: [-1, 1_000_001, Int.min, Int.max])
    func `parts per million out of range are refused`(partsPerMillion: Int) {
        #expect(throws: PlainError.self) { try WorkloadRate(partsPerMillion: partsPerMillion) }
    }

    @Test func `a mix is read in any order and what is not named gets nothing`() throws {
        #expect(try WorkloadMix(parsing: "apns=5,gcm=2,fcm=1") == .standard)
        #expect(try WorkloadMix(parsing: "fcm=1,apns=5,gcm=2") == .standard)
        #expect(try WorkloadMix(parsing: "gcm=3") == WorkloadMix(gcm: 3))
        #expect(try WorkloadMix(parsing: WorkloadMix.standard.description) == .standard)
    }

    @Test(arguments: [
        ("wns=1", "'wns' in a mix is not one of apns, gcm and fcm"),
        ("APNS=1", "'APNS' in a mix is not one of apns, gcm and fcm"),
        ("apns=-1", "the weight of apns must be from 0 to 1000000, not -1"),
        ("gcm=1000001", "the weight of gcm must be from 0 to 1000000, not 1000001"),
        ("apns=0,gcm=0", "a mix needs at least one weight above 0"),
        ("apns=1,apns=2", "'apns' stands twice in a mix"),
        ("", "'' is not name=weight with a whole number; a mix looks like apns=5,gcm=2,fcm=1"),
        ("apns=1,", "'' is not name=weight with a whole number; a mix looks like apns=5,gcm=2,fcm=1"),
        ("apns", "'apns' is not name=weight with a whole number; a mix looks like apns=5,gcm=2,fcm=1"),
        ("apns=1=2", "'apns=1=2' is not name=weight with a whole number; a mix looks like apns=5,gcm=2,fcm=1"),
        ("apns=0.5", "'apns=0.5' is not name=weight with a whole number; a mix looks like apns=5,gcm=2,fcm=1"),
        (
            "apns=99999999999999999999",
            "'apns=99999999999999999999' is not name=weight with a whole number; a mix looks like apns=5,gcm=2,fcm=1"
        ),
    ])
    func `a wrong mix is refused with a reason`(text: String, reason: String) {
        let error = #expect(throws: PlainError.self) { try WorkloadMix(parsing: text) }
        #expect(error?.description == reason)
    }

    @Test func `records are as long as they are asked to be, and differ`() throws {
        for recordBytes in [400, 415, 1000, 4096] {
            let configuration = try WorkloadConfiguration(count: 2000, recordBytes: recordBytes)
            let records = lines(configuration)
            #expect(records.count == 2000)
            #expect(records.allSatisfy { $0.count == recordBytes })
            #expect(Set(records).count > 1900)
            #expect(records.allSatisfy { String(validating: $0, as: UTF8.self) != nil })
        }
    }

    @Test(arguments: [0, 399, 4097])
    func `a length that no record can have is refused`(recordBytes: Int) {
        let error = #expect(throws: PlainError.self) {
            try WorkloadConfiguration(count: 1, recordBytes: recordBytes)
        }
        #expect(error?.description == "the bytes of a record must be from 400 to 4096, not \(recordBytes)")
    }
}
