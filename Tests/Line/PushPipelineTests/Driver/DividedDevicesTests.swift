import PushDevices
import PushModel
import PushStore
import TestSupport
import Testing

@testable import PushPipeline

/// Each lane has its own devices, and all have the clock. What they report is put in the order that it has without lanes.
struct DividedDevicesTests {
    /// Runs records, several chunks at a time, with a store whose devices can be divided.
    ///
    /// - Parameter jobs: the number of lanes; nil for a store with a journal, which has none.
    private func run(_ parts: [[String]], jobs: Int?) throws -> (
        reports: [Reported], store: MemoryStore, lanes: StageTimes.LaneUse
    ) {
        let store = MemoryStore(keepsJournal: jobs == nil)
        let pipeline = Pipeline(configuration { $0.jobs = jobs ?? 1 }, store: store)
        let reports = try parts.flatMap { records in
            try pipeline.reports(Array((records.joined(separator: "\n") + "\n").utf8), pieces: [])
        }
        return (reports, store, pipeline.stageTimes.lanes)
    }

    private func expectSame(_ parts: [[String]]) throws -> [Reported] {
        let oneByOne = try run(parts, jobs: nil)
        for jobs in [2, 3, 8] {
            let lanes = try run(parts, jobs: jobs)
            #expect(lanes.reports == oneByOne.reports, "\(jobs) lanes")
            #expect(try lanes.store.notifications() == oneByOne.store.notifications())
            #expect(lanes.lanes.chunksInOrder == 0)
        }
        return oneByOne.reports
    }

    private let devices = (0..<24).map { "d\($0)" }

    /// The clock begins at 1000 seconds, and a record takes a millisecond.
    @Test func `messages that expire at one moment have their lines in the order of their records`() throws {
        let pushes = devices.reversed().map { data(to: $0, ttl: 60) }
        let parts = [devices.map { away($0, platform: .android) }, pushes, [advance("2m")], [data(to: "other")]]
        let reports = try expectSame(parts)
        let expired = reports.filter { $0.outcome == .expired }
        #expect(expired.count == devices.count)
        #expect(expired.allSatisfy { $0.seq == UInt64(2 * devices.count + 1) })
    }

    @Test func `what expires between the records of other lanes stands before the line of the next record`() throws {
        // Each is due a second after it has come, which is a thousand records later.
        let pushes = devices.map { data(to: $0, ttl: 1) }
        let others = (0..<1100).map { data(to: "other-\($0)") }
        let reports = try expectSame([devices.map { away($0, platform: .android) } + pushes + others])
        let expired = reports.filter { $0.outcome == .expired }
        #expect(expired.map(\.seq) == pushes.indices.map { UInt64(devices.count + $0 + 1001) })
    }

    @Test func `clock events among the records of all lanes take effect in their order`() throws {
        var records = devices.map { away($0, platform: .android) }
        for round in 0..<12 {
            records += devices.map { data(to: $0, key: "k\(round % 3)", ttl: 100 + 40 * round) }
            records.append(advance("\(45 + round)s"))
            records.append(back(devices[round]))
            records.append(#"{"event":"tap","device":"\#(devices[round])"}"#)
            records.append(away(devices[round], platform: .android))
        }
        let reports = try expectSame([records, records])
        #expect(Set(reports.map(\.outcome)).isSuperset(of: [.expired, .held, .discarded, .applied]))
    }

    @Test func `a clock at its end is ignored once`() throws {
        let reports = try expectSame([[away("d1")] + Array(repeating: advance("1000000d"), count: 3) + [push(to: "d1")]]
        )
        #expect(reports.map(\.outcome) == [.applied, .applied, .applied, .ignored, .held])
    }

    @Test func `devices come together when something concerns several, and are divided again`() throws {
        let parts = [
            devices.map { away($0, platform: .android) } + devices.map { data(to: $0, ttl: 600) },
            // A token of Expo's leads nowhere, and whose it is has to be known.
            [#"{"to":"ExponentPushToken[a]","title":"Text"}"#], devices.map { data(to: $0, ttl: 600) },
            [advance("5m")] + devices.map { back($0) }, devices.map { device(#""unregistered":true"#, of: "\($0)b") },
            [
                #"{"event":"subscribe","device":"d3","app":"org.example.news","topic":"n"}"#, data(to: "/topics/n"),
                away("late", platform: .android),
            ],
            devices.map { data(to: $0) } + [data(to: "late", ttl: 1), advance("1h")],
        ]
        let oneByOne = try run(parts, jobs: nil)
        for jobs in [2, 8] {
            let lanes = try run(parts, jobs: jobs)
            #expect(lanes.reports == oneByOne.reports)
            #expect(lanes.lanes.chunksInLanes > 0)
            #expect(lanes.lanes.reasons == ["registry", "events"])
            var names: [[String]] = []
            for store in [lanes.store, oneByOne.store] { names.append(store.registry.names().map(\.device)) }
            #expect(names[0] == names[1])
            var dead: [[DeadToken]] = []
            for store in [lanes.store, oneByOne.store] {
                var tokens: [DeadToken] = []
                try store.forEachDeadToken(since: .min) { tokens.append($0) }
                dead.append(tokens)
            }
            #expect(dead[0].count == devices.count)
            #expect(dead[0] == dead[1])
        }
    }

    @Test func `apps are listed in the order in which they were first seen in any lane`() throws {
        func badge(_ device: String) -> String {
            #"{"device":"\#(device)","headers":{"apns-topic":"org.example.news"},"payload":{"aps":{"badge":3}}}"#
        }
        func badges(_ prefix: String) -> [String] { (10..<34).map { badge("\(prefix)\($0)") } }
        let parts = [
            badges("dd"), [away("away")] + badges("ee") + [push(to: "away")],
            [#"{"event":"subscribe","device":"dd13","topic":"n"}"#] + badges("ff"),
        ]
        func apps(jobs: Int?) throws -> [String] {
            var found: [String] = []
            try run(parts, jobs: jobs).store.forEachBadge { device, _, badge in found.append("\(device) \(badge ?? 0)")
            }
            return found
        }
        let oneByOne = try apps(jobs: nil)
        #expect(oneByOne.count == 72)
        for jobs in [2, 8] {
            #expect(try apps(jobs: jobs) == oneByOne)
        }
    }

    @Test func `devices from a file are divided with what is known of them`() throws {
        func reports(jobs: Int?) throws -> [Reported] {
            let store = MemoryStore(keepsJournal: jobs == nil)
            let pipeline = Pipeline(configuration { $0.jobs = jobs ?? 1 }, store: store)
            try pipeline.registerDevices(
                devices.enumerated().map { number, name in
                    #"{"device":"\#(name)","platform":"android","online":\#(number.isMultiple(of: 3))}"#
                }.joined(separator: "\n"))
            let records = devices.map { data(to: $0) } + devices.map { back($0) } + devices.map { data(to: $0) }
            return try pipeline.reports(Array(records.joined(separator: "\n").utf8 + [10]), pieces: [])
        }
        let oneByOne = try reports(jobs: nil)
        #expect(oneByOne.filter { $0.outcome == .held }.count == 16)
        for jobs in [2, 4] { #expect(try reports(jobs: jobs) == oneByOne) }
    }

    /// An Android message with a block for Apple devices becomes a push to a Live Activity when its device is one of these.
    @Test func `a block for Apple devices may be about a Live Activity`() throws {
        let message =
            #"{"message":{"token":"phone","android":{"priority":"HIGH"},"notification":{"title":"Text"},"apns":{"headers":"#
            + #"{"apns-push-type":"liveactivity","apns-topic":"org.example.news.push-type.liveactivity"},"payload":"#
            + #"{"aps":{"event":"start","timestamp":1,"content-state":{},"attributes-type":"A","attributes":{},"#
            + #""alert":{"title":"Text","body":"Text"}}}}}}"#
        let parts = [[device(#""platform":"ios""#, of: "phone"), message], [message, back("phone")]]
        let oneByOne = try run(parts, jobs: nil)
        let lanes = try run(parts, jobs: 2)
        #expect(lanes.reports == oneByOne.reports)
        #expect(lanes.lanes.reasons == ["events"])
        #expect(oneByOne.reports[1].outcome == .started)
    }
}
