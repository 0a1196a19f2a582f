import PushDevices
import PushModel
import Testing

/// AOSP, `NotificationManagerService.MAX_PACKAGE_NOTIFICATIONS`: an app shows 50 notifications, and further ones are dropped.
struct AndroidLimitTests {
    @Test(arguments: [NotificationCenters.Keeping.tapOptions, .nothing, .everything])
    func `the 51st notification of an Android app is dropped`(keeping: NotificationCenters.Keeping) throws {
        let screens = Screens(keeping: keeping)
        for _ in 1...50 { #expect(try screens.sendOne(gcm()) == Delivery(outcome: .delivered)) }
        #expect(try screens.sendOne(gcm()) == Delivery(outcome: .suppressed))
        #expect(screens.count == 50)
        #expect(screens.recorder.lines.last == .event(.suppressed, seq: 51, at: 51, center: 0, identifier: "push-51"))
        #expect(try screens.sendOne(gcm(to: "cd")).outcome == .delivered)
    }

    @Test func `an update of a shown tag passes, and a removal makes room`() throws {
        let screens = Screens()
        screens.restore { $0.mostOnAndroid = 2 }
        for tag in ["a", "b"] { try screens.sendOne(gcm(tag: tag)) }
        #expect(try screens.sendOne(gcm(tag: "c")).outcome == .suppressed)
        #expect(try screens.sendOne(gcm(tag: "a")).outcome == .replaced)
        screens.restore { centers in
            withBorrowed("ab") { device in
                var message = DecodedMessage(record: 0, device: device)
                message.platform = .android
                var recorder = LogRecorder()
                _ = centers.remove(["b"], askedBy: message, seq: 9, at: 9, recorder: &recorder)
            }
        }
        #expect(try screens.sendOne(gcm(tag: "c")).outcome == .delivered)
    }

    @Test func `an Apple device has no such limit`() throws {
        let screens = Screens()
        for _ in 1...51 { try screens.sendOne(apns()) }
        #expect(screens.count == 51)
    }
}
