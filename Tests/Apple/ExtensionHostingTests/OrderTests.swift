#if os(Linux)
    import PushDevices
    import ExtensionHosting
    import Foundation
    import PushModel
    import PushPipeline
    import TestSupport
    import Testing

    /// Prefetching pushes in several processes does not change the result.
    @Suite struct OrderTests {
        /// A token: hexadecimal digits.
        static func device(_ number: Int) -> String { String(format: "%04x", number % 40) }

        private static let count = Effort.rounds(1500, fast: 280)
        static let input = (0..<count).map { number in
            switch number % 7 {
            case 3:
                #"{"device":"\#(device(number))","payload":{"aps":{"alert":"plain \#(number)"},"custom-payload-id":"c\#(number % 3)"}}"#
                    + "\n"
            case 5: "no JSON \(number)\n"
            default: Push.line("\(number)", device: device(number), id: "c\(number % 3)")
            }
        }.joined()

        @Test(arguments: Effort.some([(3, 2), (1, 2), (3, 1), (2, 4)], fast: 1))
        func `the outcome is the same for every number of processes and cores`(instances: Int, jobs: Int) throws {
            let reference = try Run("custom-id", input: Self.input)
            let run = try Run("custom-id", jobs: jobs, input: Self.input) { $0.instances = instances }
            #expect(run.outcomes == reference.outcomes)
            #expect(run.lines.map(\.replaces) == reference.lines.map(\.replaces))
            #expect(try run.events() == reference.events())
            #expect(try run.shown() == reference.shown())
        }

        /// A model of what the extension does.
        @Test func `the screens match a model`() throws {
            let run = try Run("custom-id", input: Self.input) { $0.instances = 2 }
            var screens: [String: [(body: String, id: String)]] = [:]
            for number in 0..<Self.count where number % 7 != 5 {
                let (device, id) = (Self.device(number), "c\(number % 3)")
                let isPlain = number % 7 == 3
                if !isPlain { screens[device]?.removeAll { $0.id == id } }
                screens[device, default: []].append((isPlain ? "plain \(number)" : "\(number)", id))
            }
            for (device, screen) in screens {
                #expect(try run.store.notifications(device: device).map(\.content.body) == screen.map(\.body))
            }
        }

        @Test func `a crash among many pushes affects only its own`() throws {
            let bodies = (0..<300).map { $0 % 41 == 40 ? "bad" : "\($0)" }
            let input = bodies.enumerated().map { Push.line($1, device: Self.device($0)) }.joined()
            let run = try Run("crash-on-bad", input: input) { $0.instances = 2 }
            #expect(run.extensions == bodies.map { $0 == "bad" ? .original : .modified })
            #expect(run.rules == bodies.map { $0 == "bad" ? ["extension.crashed"] : [] })
        }
    }
#endif
