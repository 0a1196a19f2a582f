import PushDecoding
import PushDevices
import PushFaults
import PushJSON
import PushModel
import PushPipeline
import PushRuns
import ServiceTestSupport
import Testing

@testable import PushServices

/// Apple (archived), "Binary Provider API": statuses, and what becomes of notifications after an error.
struct BinaryServiceTests {
    private static func trial(
        _ traffic: GatewayTraffic? = nil, _ configure: (inout PipelineConfiguration) -> Void = { _ in }
    ) -> SessionTrial {
        SessionTrial(services: [BinaryService(), FeedbackService()], traffic: traffic, configure)
    }

    private static func text(of bytes: Int) -> String {
        #"{"aps":{"alert":"\#(String(repeating: "x", count: bytes - 20))"}}"#
    }

    @Test func `nothing is answered to what is accepted`() throws {
        let trial = Self.trial()
        let answers = try trial.session.answers(
            to: BinaryFrames.requests(BinaryFrames.simple() + BinaryFrames.enhanced(1) + BinaryFrames.items(2)))
        #expect(answers == [GatewayAnswer(status: 0), GatewayAnswer(status: 0), GatewayAnswer(status: 0)])
        #expect(trial.pipeline.summary.count(.delivered) == 3)
        #expect(trial.lines.allSatisfy { $0.contains(#""device":"\#(BinaryFrames.device)""#) })
    }

    @Test func `what follows an error over its connection is lost, and nothing else`() throws {
        let traffic = GatewayTraffic()
        let trial = Self.trial(traffic)
        let (one, other) = (BinaryConnection(), BinaryConnection())
        let faulty = BinaryFrames.enhanced(2, "no JSON")
        let requests =
            BinaryFrames.requests(
                BinaryFrames.enhanced(1) + faulty + BinaryFrames.enhanced(3) + BinaryFrames.enhanced(4), over: one)
            + BinaryFrames.requests(BinaryFrames.enhanced(5), over: other)
        let answers = try trial.session.answers(to: requests)
        #expect(answers.map(\.status) == [0, 1, 0, 0, 0])
        #expect(answers[1].body == BinaryFrames.error(1, 2))
        // 1 and 5.
        #expect(trial.pipeline.summary.count(.delivered) == 2)
        #expect(trial.lines.count == 3)
        #expect(traffic.metrics.dropped == 2)
        #expect(traffic.log.all.map(\.answer.status) == [0, 1, 0])
        #expect(traffic.log.all.allSatisfy { $0.service == "binary" })
        #expect(try trial.session.answers(to: BinaryFrames.requests(BinaryFrames.enhanced(6), over: one)).count == 1)
        #expect(trial.lines.count == 3)
    }

    /// Apple (archived), "Legacy Notification Format": with the legacy format, APNs severs the connection and does not say why.
    @Test(arguments: [
        (BinaryFrames.simple("no JSON"), 1), (BinaryFrames.simple(to: [1, 2]), 5), (BinaryFrames.simple(""), 4),
        (BinaryFrames.simple(Self.text(of: 257)), 7), (BinaryFrames.simple() + [9], 128),
    ])
    func `an error of command 0 is not sent, and ends the connection all the same`(frames: [UInt8], status: Int) throws
    {
        let trial = Self.trial()
        let connection = BinaryConnection()
        let answers = try trial.session.answers(to: BinaryFrames.requests(frames, over: connection))
        #expect(answers.last == GatewayAnswer(status: status))
        let delivered = trial.pipeline.summary.count(.delivered)
        #expect(
            try trial.session.answers(to: BinaryFrames.requests(BinaryFrames.items(1), over: connection)).count == 1)
        #expect(trial.pipeline.summary.count(.delivered) == delivered)
    }

    /// Of the apps on a device, the configured topic names the one that is gone.
    @Test func `nothing follows a notification for an app that is gone and that the configuration names`() throws {
        let trial = Self.trial { $0.decoding.topic = "b" }
        let events = [
            #"{"device":"\#(BinaryFrames.device)","event":"device","app":"a"}"#,
            #"{"device":"\#(BinaryFrames.device)","event":"device","app":"b","unregistered":true}"#,
        ]
        for event in events { try trial.pipeline.process(event) { _ in } }
        let other = [UInt8](repeating: 1, count: 32)
        let answers = try trial.session.answers(
            to: BinaryFrames.requests(BinaryFrames.enhanced(1) + BinaryFrames.enhanced(2, to: other)))
        #expect(answers.map(\.status) == [8, 0])
        #expect(trial.pipeline.summary.count(.delivered) == 0)
    }

    /// The reasons of the registry are known only when the notification has been delivered.
    @Test func `a dead token, an unknown one and one over its limit are found before the next is delivered`() throws {
        let event = #"{"device":"\#(BinaryFrames.device)","event":"device","app":"a","unregistered":true}"#
        let dead = Self.trial()
        try dead.pipeline.process(event) { _ in }
        let unknown = Self.trial { $0.devicePolicy.rejectsUnknownDevices = true }
        let limited = Self.trial { $0.devicePolicy.pushesPerMinute = 1 }
        let other = [UInt8](repeating: 1, count: 32)
        for (trial, frames, status, delivered) in [
            (dead, BinaryFrames.enhanced(1, to: other) + BinaryFrames.enhanced(2), 8, 1),
            (unknown, BinaryFrames.enhanced(2), 8, 0),
            (limited, BinaryFrames.enhanced(1) + BinaryFrames.enhanced(2), 255, 1),
        ] {
            let answers = try trial.session.answers(
                to: BinaryFrames.requests(frames + BinaryFrames.enhanced(3, to: other)))
            #expect(answers.map(\.body).filter { !$0.isEmpty } == [BinaryFrames.error(status, 2)])
            #expect(trial.pipeline.summary.count(.delivered) == delivered)
        }
    }

    @Test func `an event in front of a notification is seen`() throws {
        let traffic = GatewayTraffic()
        let trial = Self.trial(traffic)
        let event = GatewayRequest(
            method: "POST", path: "/api/v1/records", headers: [HeaderField("host", "localhost")],
            body: Array(#"{"device":"\#(BinaryFrames.device)","event":"device","app":"a","unregistered":true}"#.utf8))
        let answers = try trial.session.answers(
            to: [event] + BinaryFrames.requests(BinaryFrames.enhanced(1) + BinaryFrames.enhanced(2)))
        #expect(answers.map(\.status) == [200, 8, 0])
        #expect(trial.pipeline.summary.count(.delivered) == 0)
    }

    @Test(arguments: [(256, 0), (257, 7)])
    func `a payload of the commands 0 and 1 has at most 256 bytes`(bytes: Int, status: Int) throws {
        for frame in [BinaryFrames.simple(Self.text(of: bytes)), BinaryFrames.enhanced(0, Self.text(of: bytes))] {
            let answer = try #require(try Self.trial().session.answers(to: BinaryFrames.requests(frame)).first)
            #expect(answer.status == status)
        }
    }

    @Test(arguments: [(2048, 0), (2049, 7)])
    func `one of command 2 has at most 2048`(bytes: Int, status: Int) throws {
        let trial = Self.trial()
        let answers = try trial.session.answers(to: BinaryFrames.requests(BinaryFrames.items(9, Self.text(of: bytes))))
        #expect(answers.map(\.status) == [status])
        #expect(answers[0].body == (status == 0 ? [] : BinaryFrames.error(7, 9)))
        #expect(trial.lines[0].contains(#""reason":"Invalid payload size""#) == (status == 7))
    }

    @Test(arguments: [
        (BinaryFrames.enhanced(1, to: []), 2, "Missing device token"),
        (BinaryFrames.enhanced(1, to: [1, 2]), 5, "Invalid token size"),
        (BinaryFrames.enhanced(1, ""), 4, "Missing payload"),
        (BinaryFrames.items(1, priority: 1), 1, "Processing error"),
    ])
    func `the status says what is wrong`(frame: [UInt8], status: Int, reason: String) throws {
        let trial = Self.trial()
        let answers = try trial.session.answers(to: BinaryFrames.requests(frame))
        #expect(answers.map(\.body) == [BinaryFrames.error(status, 1)])
        #expect(trial.lines.count == 1)
        #expect(trial.lines[0].contains(#""outcome":"rejected""#))
        #expect(trial.lines[0].contains(#""reason":"\#(reason)""#))
    }

    @Test func `an invalid frame has no record, and a message with the error`() throws {
        let traffic = GatewayTraffic()
        let trial = Self.trial(traffic)
        let answers = try trial.session.answers(
            to: BinaryFrames.requests(BinaryFrames.enhanced(1) + Array("GET / HTTP/1.1\r\n\r\n".utf8)))
        #expect(answers.map(\.status) == [0, 128])
        #expect(answers[1].body == BinaryFrames.error(128, 0))
        #expect(trial.lines.count == 1)
        #expect(traffic.log.all.map(\.answer.status) == [0, 128])
    }

    @Test(
        arguments: [
            (["b"], "b", "b"), (["b", "b.voip"], "b", "b"), (["c"], nil, "c"), ([], nil, nil),
        ] as [([String], String?, String?)])
    func `the topic is that of the certificate`(topics: [String], bundle: String?, topic: String?) throws {
        let trial = Self.trial()
        let certificate = ClientCertificate(bundle: bundle, topics: topics)
        _ = try trial.session.answers(to: BinaryFrames.requests(BinaryFrames.items(1), certificate: certificate))
        #expect(trial.lines.count == 1)
        if let topic {
            #expect(trial.lines[0].contains(#""topic":"\#(topic)""#))
        } else {
            #expect(!trial.lines[0].contains(#""topic":"#))
        }
        #expect(trial.pipeline.summary.count(.delivered) == 1)
    }

    @Test func `a record has expiry and priority, and the same report in a run`() throws {
        let requests =
            BinaryFrames.requests(BinaryFrames.items(1, priority: 5)) + BinaryFrames.requests(BinaryFrames.enhanced(2))
            + BinaryFrames.requests(BinaryFrames.enhanced(3, Self.text(of: 300)))
            + BinaryFrames.requests(BinaryFrames.simple(to: [1])) + BinaryFrames.requests(BinaryFrames.simple(""))
        let traffic = GatewayTraffic()
        let trial = Self.trial(traffic)
        _ = try trial.session.answers(to: requests)
        let records = traffic.log.all.map { String(decoding: $0.records, as: UTF8.self) }
        #expect(records[0].contains(#""headers":{"apns-priority":"5"}"#))
        #expect(records[1].contains(#""headers":{"apns-expiration":"1879048192"}"#))
        #expect(records[1].contains(#""budget":"apns-256""#))
        let again = LineCollector()
        try Pipeline().process(records.joined()) { again.add($0) }
        #expect(again.lines.count == trial.lines.count)
        for (one, other) in zip(again.lines, trial.lines) {
            for key in ["outcome", "reason", "status", "bytes", "limit", "device"] {
                #expect(value(of: key, in: one) == value(of: key, in: other), "\(key) of \(one)")
            }
        }
    }

    private func value(of key: String, in line: String) -> String? {
        Array(line.utf8).withJSON { root in
            var members = root.members
            while let (name, value) = members.next() { if name.string == key { return value.text.string } }
            return nil
        } ?? nil
    }

    @Test(arguments: [
        ("Unregistered", 8), ("PayloadTooLarge", 7), ("BadDeviceToken", 8), ("MissingTopic", 3), ("BadTopic", 6),
        ("InternalServerError", 1), ("ServiceUnavailable", 10), ("Shutdown", 10), ("TooManyRequests", 255),
    ])
    func `a fault rule's reason has the nearest status`(reason: String, status: Int) throws {
        let trial = Self.trial()
        trial.session.faults.rules = FaultRules(
            try FaultFile.rules(Array("[{every: 2, device: ab*, reason: \(reason)}]".utf8)))
        let answers = try trial.session.answers(
            to: BinaryFrames.requests(
                BinaryFrames.enhanced(1) + BinaryFrames.enhanced(2) + BinaryFrames.enhanced(3)))
        // After a shutdown the sender goes on after the last one that was accepted.
        #expect(answers.map(\.body) == [[], BinaryFrames.error(status, status == 10 ? 1 : 2), []])
        #expect(trial.pipeline.summary.count(.delivered) == 1)
    }

    @Test(arguments: ["goaway: true", "cut: true"])
    func `a connection that a fault ends loses what follows`(fault: String) throws {
        let trial = Self.trial()
        trial.session.faults.rules = FaultRules(try FaultFile.rules(Array("[{times: 1, \(fault)}]".utf8)))
        let answers = try trial.session.answers(
            to: BinaryFrames.requests(BinaryFrames.enhanced(1) + BinaryFrames.enhanced(2)))
        #expect(answers[0].fault?.ending != nil)
        #expect(trial.pipeline.summary.count(.delivered) == 1)
    }

    // MARK: - Feedback

    private func feedback(_ trial: SessionTrial, _ certificate: ClientCertificate? = nil) throws -> [UInt8] {
        let request = GatewayRequest(
            .feedback, over: BinaryConnection(), from: RequestSender(connection: 1, certificate: certificate))
        return try trial.answer(request).body
    }

    @Test func `the feedback service names dead tokens once`() throws {
        let trial = Self.trial()
        func event(_ device: String, _ app: String, _ more: String = "") -> String {
            #"{"device":"\#(device)","event":"device","app":"\#(app)","unregistered_at":1500000000\#(more)}"# + "\n"
        }
        let events =
            event("AB12", "a") + event("cd34", "b") + event("no token", "a")
            + event("ef56", "a", #","platform":"android""#) + #"{"device":"0102","event":"device","app":"a"}"# + "\n"
        try trial.pipeline.process(events) { _ in }
        let time: [UInt8] = [0x59, 0x68, 0x2F, 0x00]
        let own = ClientCertificate(bundle: "a", topics: ["a"])
        #expect(try feedback(trial, own) == time + [0, 2, 0xAB, 0x12])
        #expect(try feedback(trial, own).isEmpty)
        #expect(try feedback(trial) == time + [0, 2, 0xCD, 0x34])
        #expect(try feedback(trial).isEmpty)
    }

    @Test func `tokens that did not reach their client are sent to the next one`() throws {
        let trial = Self.trial()
        try trial.pipeline.process(#"{"device":"ab12","event":"device","app":"a","unregistered_at":1500000000}"#) { _ in
        }
        let connection = BinaryConnection()
        let request = GatewayRequest(.feedback, over: connection, from: RequestSender(connection: 1))
        #expect(try trial.answer(request).body.count == 8)
        // On their way.
        #expect(try feedback(trial).isEmpty)
        connection.fail()
        #expect(try feedback(trial).count == 8)
        #expect(try feedback(trial).isEmpty)
    }

    @Test func `a closed feedback service needs a certificate that names an app`() throws {
        let trial = SessionTrial(services: [FeedbackService(isOpen: false)])
        try trial.pipeline.process(#"{"device":"ab12","event":"device","app":"a","unregistered_at":1500000000}"#) { _ in
        }
        let none = ClientCertificate(bundle: nil, topics: [])
        for certificate in [nil, none] {
            let request = GatewayRequest(
                .feedback, over: BinaryConnection(), from: RequestSender(connection: 1, certificate: certificate))
            #expect(try trial.answer(request) == GatewayAnswer(status: 403))
        }
        #expect(try feedback(trial, ClientCertificate(bundle: "b", topics: ["b"])).isEmpty)
        #expect(try feedback(trial, ClientCertificate(bundle: "a", topics: ["a"])).count == 8)
    }

    @Test(arguments: [("2196", 0), ("127.0.0.1:0", 0), ("[::1]:0", 0), ("0.0.0.0:0", 403), ("[::]:0", 403)])
    func `beyond loopback the feedback service is closed`(address: String, status: Int) throws {
        var options = GatewayOptions()
        let feedback = try #require(ListenAddress(address))
        options.ports.feedback = feedback
        let trial = SessionTrial(services: try GatewayJob(RunJob([], output: .none), options).services(.none))
        let request = GatewayRequest(.feedback, over: BinaryConnection(), from: RequestSender(connection: 1))
        #expect(try trial.answer(request).status == status)
    }

    @Test func `a token that is going to die is named when it has died`() throws {
        let trial = Self.trial { $0.clock = .fixed(milliseconds: 1_000_000) }
        try trial.pipeline.process(#"{"device":"ab12","event":"device","app":"a","unregistered_at":2000}"#) { _ in }
        #expect(try feedback(trial).isEmpty)
        try trial.pipeline.process(#"{"event":"clock","advance":1000}"#) { _ in }
        #expect(try feedback(trial) == [0, 0, 0x07, 0xD0, 0, 2, 0xAB, 0x12])
    }

    @Test func `a token that dies again is named again`() throws {
        let trial = Self.trial()
        for (time, isNamed) in [(1_500_000_000, true), (1_500_000_000, false), (1_500_000_001, true)] {
            let event = #"{"device":"ab12","event":"device","app":"a","unregistered_at":\#(time)}"#
            try trial.pipeline.process(event) { _ in }
            #expect(try feedback(trial).isEmpty == !isNamed)
        }
    }
}
