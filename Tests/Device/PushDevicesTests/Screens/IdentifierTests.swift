import PushDevices
import PushJSON
import PushModel
import Testing

struct IdentifierTests {
    @Test func `a collapse id replaces in place and moves to the top`() throws {
        let screens = Screens()
        #expect(try screens.sendOne(apns(collapseID: "nw", body: "first")) == Delivery(outcome: .delivered))
        #expect(try screens.sendOne(apns(collapseID: "se", body: "other")) == Delivery(outcome: .delivered))
        #expect(
            try screens.sendOne(apns(collapseID: "nw", body: "second")) == Delivery(outcome: .replaced, replaces: 1))
        #expect(screens.lines() == ["se: other", "nw: second"])
        #expect(try screens.sendOne(apns(collapseID: "nw", body: "third")) == Delivery(outcome: .replaced, replaces: 3))
        #expect(screens.lines() == ["se: other", "nw: third"])
        #expect(screens.count == 2)
    }

    @Test func `an identifier is compared byte for byte`() throws {
        let screens = Screens()
        for identifier in ["nw", "NW", "nw ", "n", "nwx", "ñw", "n\u{303}w"] {
            #expect(try screens.sendOne(apns(collapseID: identifier)).outcome == .delivered, "\(identifier)")
        }
        #expect(screens.count == 7)
    }

    @Test func `devices and apps are kept apart, however their names join`() throws {
        let screens = Screens()
        let places = [("ab", "c"), ("a", "bc"), ("abc", ""), ("ab", "cd"), ("abcd", ""), ("ac", "b")]
        for (device, app) in places {
            let delivery = try screens.sendOne(
                apns(device: device, app: app, collapseID: "x", body: device + "/" + app))
            #expect(delivery.outcome == .delivered, "\(device) \(app)")
        }
        for (number, place) in places.enumerated() {
            let delivery = try screens.sendOne(apns(device: place.0, app: place.1, collapseID: "x", body: "new"))
            #expect(delivery == Delivery(outcome: .replaced, replaces: UInt64(number + 1)), "\(place)")
        }
        #expect(screens.count == places.count)
        #expect(screens.lines(device: "ab").count == 2)
        #expect(screens.lines(device: "ab", app: "c").count == 1)
        #expect(screens.lines(app: "").count == 2)
        #expect(screens.lines(device: "a", app: "c").isEmpty)
    }

    @Test func `an Android tag replaces in the drawer`() throws {
        let screens = Screens()
        #expect(try screens.sendOne(gcm(tag: "match-17", body: "0:0")) == Delivery(outcome: .delivered))
        #expect(try screens.sendOne(gcm(tag: "match-18", body: "2:2")) == Delivery(outcome: .delivered))
        #expect(try screens.sendOne(gcm(tag: "match-17", body: "1:0")) == Delivery(outcome: .replaced, replaces: 1))
        #expect(screens.lines() == ["match-18: 2:2", "match-17: 1:0"])
    }

    @Test func `a collapse key replaces nothing on a device that is there`() throws {
        let screens = Screens()
        for _ in 0..<3 { #expect(try screens.sendOne(gcm(collapseKey: "score")).outcome == .delivered) }
        #expect(screens.lines() == ["push-1: Text", "push-2: Text", "push-3: Text"])
    }

    @Test func `FCM hands the collapse id on to an iOS device, and the tag to an Android device`() throws {
        let screens = Screens()
        let ios = """
            {"message":{"token":"ida","notification":{"body":"b"},"apns":{"headers":{"apns-collapse-id":"nw"}}}}
            """
        let android = """
            {"message":{"token":"anna","notification":{"body":"b"},"android":{"notification":{"tag":"nw"}}}}
            """
        #expect(try screens.sendOne(ios) == Delivery(outcome: .delivered))
        #expect(try screens.sendOne(android) == Delivery(outcome: .delivered))
        #expect(try screens.sendOne(ios) == Delivery(outcome: .replaced, replaces: 1))
        #expect(try screens.sendOne(android) == Delivery(outcome: .replaced, replaces: 2))
        #expect(screens.lines() == ["nw: b", "nw: b"])
    }

    @Test func `an identifier is generated for each record and target`() throws {
        let screens = Screens()
        try screens.sendOne(apns())
        let deliveries = try screens.send(
            #"{"registration_ids":["t0","t1","t2"],"notification":{"body":"b"}}"#)
        #expect(deliveries == Array(repeating: Delivery(outcome: .delivered), count: 3))
        try screens.sendOne(apns())
        #expect(screens.lines() == ["push-1: Text", "push-2.0: b", "push-2.1: b", "push-2.2: b", "push-3: Text"])
    }

    @Test func `one device named twice in a request gets two notifications`() throws {
        let screens = Screens()
        let deliveries = try screens.send(#"{"registration_ids":["t","t"],"notification":{"body":"b"}}"#)
        #expect(deliveries.map(\.outcome) == [.delivered, .delivered])
        #expect(screens.lines() == ["push-1.0: b", "push-1.1: b"])
    }

    @Test func `one device named twice in a request with a tag replaces within it`() throws {
        let screens = Screens()
        let deliveries = try screens.send(#"{"registration_ids":["t","t"],"notification":{"body":"b","tag":"x"}}"#)
        #expect(deliveries == [Delivery(outcome: .delivered), Delivery(outcome: .replaced, replaces: 1)])
        #expect(screens.lines() == ["x: b"])
    }

    @Test func `a chosen identifier is the same as a generated one with the same text`() throws {
        let screens = Screens()
        try screens.sendOne(apns(body: "made up"))
        let delivery = try screens.sendOne(apns(collapseID: "push-1", body: "chosen"))
        #expect(delivery == Delivery(outcome: .replaced, replaces: 1))
        #expect(screens.lines() == ["push-1: chosen"])
        // And the reverse.
        try screens.sendOne(apns(collapseID: "push-4", body: "chosen"))
        #expect(try screens.sendOne(apns(body: "made up")) == Delivery(outcome: .replaced, replaces: 3))
        #expect(screens.lines() == ["push-1: chosen", "push-4: made up"])
    }

    @Test(
        arguments: [
            (UInt64(0), nil, "push-0"), (7, nil, "push-7"), (7, 0, "push-7.0"), (10, 999, "push-10.999"),
            (.max, .max, "push-18446744073709551615.9223372036854775807"),
        ] as [(UInt64, Int?, String)])
    func `a made-up identifier is spelled push-SEQ or push-SEQ.TARGET`(seq: UInt64, target: Int?, text: String) {
        #expect(GeneratedIdentifier(seq: seq, target: target).withText { $0.string } == text)
    }
}
