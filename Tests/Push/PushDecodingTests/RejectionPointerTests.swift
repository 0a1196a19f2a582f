import PushJSON
import PushModel
import Testing

/// A rejection points at a value in the record, whatever gateway or envelope encloses it.
@Suite struct RejectionPointerTests {
    /// Whether a JSON Pointer resolves to a value, continuing inside JSON that is in a string.
    static func resolves(_ pointer: Substring, in text: [UInt8]) -> Bool {
        var scanner = JSONScanner()
        var tape = JSONTape()
        return text.withUnsafeBytes { bytes in
            guard scanner.scan(bytes, into: &tape) == nil, let root = tape.root(of: bytes) else { return false }
            if root[pointer: String(pointer)] != nil { return true }
            // The longest part of the pointer that ends at a string; the rest continues inside it.
            var end = pointer.endIndex
            while let slash = pointer[..<end].lastIndex(of: "/") {
                end = slash
                if let string = root[pointer: String(pointer[..<end])]?.string {
                    return resolves(pointer[end...], in: string.decodedBytes)
                }
            }
            return false
        }
    }

    static let large = repeated("x", 6000)

    @Test(arguments: [
        #"{"headers":{"apns-topic":"a","APNS-ID":"x"},"payload":{}}"#,
        #"{"headers":{"apns-topic":"a","Apns-Collapse-Id":"\#(repeated("x", 65))"},"payload":{}}"#,
        #"{"headers":{"apns-topic":"a","APNS-PRIORITY":"7"},"payload":{}}"#,
        #"{"aps":{"alert":"\#(large)"}}"#,
        #"{"to":"t","data":{"k":"\#(large)"}}"#,
        #"{"to":"t","notification":{"body":"\#(large)"}}"#,
        #"{"provider":"gcm","payload":{"to":"t","data":{"k":"\#(large)"}}}"#,
        #"{"provider":"fcm","payload":{"message":{"token":"t","data":{"k":"\#(large)"}}}}"#,
        #"{"GCM":"{\"data\":{\"k\":\"\#(large)\"}}"}"#,
        #"{"GCM":"{\"fcmV1Message\":{\"message\":{\"data\":{\"k\":\"\#(large)\"}}}}"}"#,
        #"{"message":{"fid":"two words"}}"#,
        #"{"token":"t","alert":"","fcm":{"data":{"from":"x"}}}"#,
        #"{"token":"t","alert":"","fcm":{"android":{"ttl":5}}}"#,
        #"{"token":"t","alert":"\#(large)"}"#,
        #"{"token":"ab","device":"ios","alert":"\#(large)"}"#,
        #"{"token":"two words","alert":"x"}"#,
        #"{"type":"t","userfrom":"u","alert":"\#(large)"}"#,
    ])
    func `a refused record is pointed at where it is wrong`(record: String) throws {
        let reading = try read(record)
        try #require(reading.reason != nil)
        let pointer = try #require(reading.errors.first?.pointer)
        let isThere = Self.resolves(pointer[...], in: Array(record.utf8))
        #expect(isThere, "\(pointer)")
    }

    @Test(arguments: [
        (#"{"token":"xyz","device":"ios","alert":"x"}"#, "/token"),
        (#"{"deviceTokens":["xyz"],"messageType":"checkEchoV1","topic":"a"}"#, "/deviceTokens/0"),
        (#"{"APNS":"{\"aps\":{\"alert\":\"\#(large)\"}}"}"#, "/APNS"),
        (
            #"{"Message":"{\"APNS_VOIP\":\"{\\\"k\\\":\\\"\#(large)\\\"}\"}","MessageStructure":"json"}"#,
            "/Message/APNS_VOIP"
        ),
    ])
    func `a gateway's token or text is pointed at under its own name`(record: String, pointer: String) throws {
        let reading = try read(record)
        try #require(reading.reason != nil)
        #expect(reading.errors.map(\.pointer) == [pointer])
    }

    @Test func `the walk finds what is there and nothing else`() {
        let text = Array(#"{"a":{"b":"{\"c\":[1]}"}}"#.utf8)
        for pointer in ["", "/a", "/a/b", "/a/b/c", "/a/b/c/0"] { #expect(Self.resolves(pointer[...], in: text)) }
        for pointer in ["/b", "/a/c", "/a/b/d", "/a/b/c/1", "a"] { #expect(!Self.resolves(pointer[...], in: text)) }
    }
}
