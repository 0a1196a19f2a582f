import FuzzTargets
import Testing

/// A store whose columns have values that pushpipe does not write.
struct HostileStoreTests {
    @Test(arguments: [
        "", "0", "-1", "9223372036854775807", "-9223372036854775808", "x", #"{"topics":[1],"a":{}}"#, "[[[", "\u{0}",
    ])
    func `any value in a column is read or refused`(value: String) throws {
        let check = try #require(FuzzTarget.named("store")).makeCheck()
        // Some columns at a time, so that no one is hidden by another that is refused.
        for start in stride(from: 0, to: 256, by: 8) {
            let lines: [[UInt8]] = (start..<start + 8).map { [UInt8($0)] + value.utf8 + [0x0A] }
            let bytes = [0, 0] + lines.joined()
            #expect(bytes.withUnsafeBytes(check) == nil, "columns from \(start)")
        }
    }

    @Test func `what is imported is exported again`() throws {
        let check = try #require(FuzzTarget.named("store")).makeCheck()
        let lines = [
            #"{"device":"cd","app":"a","badge":9223372036854775807}"#,
            #"{"installation":{"device":"cd","platform":"ios","online":7,"app":"a","state":"x","authorization":"","alerts":-1,"#
                + #""registration":"y","deleted_count":-5,"token_standing":"z","token_since":-9223372036854775808}}"#,
            #"{"held":{"seq":3,"target":-1,"device":"cd","app":"a","accepted_at":1,"expires_at":0,"provider":"x","#
                + #""platform":"","topic":"a","bytes":-6,"byte_limit":0,"is_background":9,"payload":"{"}}"#,
            #"{"live_activity":{"seq":13,"device":"cd","app":"a","identifier":"i","token":"","has_own_token":5,"#
                + #""content_state":"x","started_at":9223372036854775807,"updated_at":-1,"hour_start":-1,"hour_count":-1}}"#,
            #"{"removal":{"seq":2,"due":-51,"device":"cd","app":"a","identifier":"push-1"}}"#,
            #"{"seq":10,"device":"cd","app":"a","identifier":"push-9.7","delivered_at":-1,"payload_text":"{","changes":7}"#,
            #"{"seq":10,"device":"cd","app":"a","identifier":"push-10.7","delivered_at":"2026-01-01T00:00:00Z","payload":[]}"#,
            #"{"seq":14,"at":9223372036854775807,"device":"","app":"","kind":"tapped","identifier":""}"#,
        ]
        for text in lines + [lines.joined(separator: "\n")] {
            for store: UInt8 in [0, 1] {
                #expect(([store, 0] + Array(text.utf8)).withUnsafeBytes(check) == nil, "\(text)")
            }
        }
    }
}
