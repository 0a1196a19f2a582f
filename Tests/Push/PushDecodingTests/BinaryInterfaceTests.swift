import PushDecoding
import PushModel
import Testing

/// Apple (archived), "Binary Provider API": the statuses of the error packet, and the items of a notification.
@Suite struct BinaryInterfaceTests {
    private static let text = repeated("x", 2100)

    @Test(arguments: [(Budget.apnsBinary, 256), (.apnsBinary2014, 2048)])
    func `a payload over the budget is answered with status 7`(budget: Budget, limit: Int) throws {
        let overhead = #"{"aps":{"alert":""}}"#.utf8.count
        func record(_ bytes: Int) -> String {
            request(payload: #"{"aps":{"alert":"\#(repeated("x", bytes - overhead))"}}"#)
        }
        #expect(try read(record(limit)) { $0.budget = budget }.isAccepted)
        let refused = try refusal(of: record(limit + 1)) { $0.budget = budget }
        #expect(refused == Refusal("Invalid payload size", 7, at: "/payload"))
    }

    @Test func `the same number of bytes as the user's own choice is HTTP's`() throws {
        let refused = try refusal(of: request(payload: #"{"aps":{"alert":"\#(Self.text)"}}"#)) {
            $0.budget = Budget(bytes: 256)
        }
        #expect(refused == Refusal("PayloadTooLarge", 413, at: "/payload"))
    }

    @Test func `Moodle's form of 2013 went through it`() throws {
        let refused = try refusal(of: #"{"type":"moodle_forumpost","userfrom":"Anna","alert":"\#(Self.text)"}"#)
        #expect(refused?.reason == "Invalid payload size")
        #expect(refused?.status == 7)
        let today = try refusal(of: #"{"type":"moodle_forumpost","userfrom":"Anna","alert":"\#(repeated("x", 5000))"}"#)
        {
            $0.budget = .apns
        }
        #expect(today?.reason == "PayloadTooLarge")
    }

    @Test func `a notification has no collapse id, no message id and no push type`() throws {
        let headers = #""apns-collapse-id":"\#(repeated("c", 65))","apns-id":"1","apns-push-type":"nope""#
        let reading = try read(request(headers)) { $0.budget = .apnsBinary }
        #expect(reading.isAccepted)
        #expect(reading.identifier == nil)
        #expect(try read(#"{"headers":{},"payload":{"aps":{"alert":"x"}}}"#) { $0.budget = .apnsBinary }.isAccepted)
    }

    @Test(arguments: [
        (request(device: #""""#), "Missing device token", 2), (request(payload: #""""#), "Missing payload", 4),
        (request(device: #""xyz""#), "Invalid token", 8), (request(#""apns-priority":"7""#), "Processing error", 1),
        (request(#""apns-expiration":"soon""#), "Processing error", 1),
    ])
    func `other reasons have their statuses`(record: String, reason: String, status: Int) throws {
        let reading = try read(record) { $0.budget = .apnsBinary2014 }
        #expect(reading.reason == reason)
        #expect(reading.status == status)
    }

    /// As the gateway writes what came over the interface.
    @Test func `a record may name the budget`() throws {
        func record(_ budget: String, _ bytes: Int, _ more: String = "") -> String {
            let text = repeated("x", bytes - #"{"aps":{"alert":""}}"#.utf8.count)
            return #"{"device":"ab12","budget":\#(budget)\#(more),"headers":{},"payload":{"aps":{"alert":"\#(text)"}}}"#
        }
        for (budget, limit) in [("apns-256", 256), ("apns-2048", 2048)] {
            #expect(try read(record("\"\(budget)\"", limit)).isAccepted)
            let refused = try refusal(of: record("\"\(budget)\"", limit + 1))
            #expect(refused == Refusal("Invalid payload size", 7, at: "/payload"))
        }
        for budget in ["\"apns\"", "\"300\"", "300", "null"] {
            #expect(try read(record(budget, 100)).decodeFailure?.rule == "record.unknown-shape", "\(budget)")
        }
    }

    @Test(arguments: [
        ("BadDeviceToken", "Invalid token", 8), ("Invalid token size", "Invalid token size", 5),
        ("Shutdown", "Shutdown", 503),
    ])
    func `such a record may be refused with a reason of either interface`(refused: String, reason: String, status: Int)
        throws
    {
        let rest = #""refused":"\#(refused)","headers":{},"payload":{}}"#
        let reading = try read(#"{"device":"ab12","budget":"apns-256","# + rest)
        #expect(reading.reason == reason)
        #expect(reading.status == status)
        // Without the budget the words of the binary interface are none.
        let other = try read(#"{"device":"ab12","# + rest)
        #expect((other.decodeFailure == nil) == (Rejection.named(refused, by: "apns") != nil))
    }
}
