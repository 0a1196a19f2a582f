import Foundation
import PushJSON
import Testing

@testable import PushPipeline

/// What a service extension changed, as a sender would have written it. The names are those of Apple's "Generating a remote
/// notification" and of the extension protocol.
struct PayloadAfterExtensionTests {
    private func changed(_ payload: String, _ changes: String) throws -> NSDictionary {
        let result = try BorrowedText.with(payload) { payload in
            try BorrowedText.with(changes) { try PayloadAfterExtension.payload(payload, $0) }
        }
        return try #require(JSONSerialization.jsonObject(with: Data(result)) as? NSDictionary)
    }

    private func json(_ text: String) throws -> NSDictionary {
        try #require(JSONSerialization.jsonObject(with: Data(text.utf8)) as? NSDictionary)
    }

    @Test(arguments: [
        (#"{"aps":{"alert":"a"}}"#, #"{"title":"T"}"#, #"{"aps":{"alert":{"body":"a","title":"T"}}}"#),
        (#"{"aps":{"alert":"a"}}"#, #"{"body":"b"}"#, #"{"aps":{"alert":{"body":"b"}}}"#),
        (#"{"aps":{"alert":{"title":"a","body":"b"}}}"#, #"{"title":""}"#, #"{"aps":{"alert":{"body":"b"}}}"#),
        (
            #"{"aps":{"alert":{"loc-key":"K","loc-args":["x"],"title-loc-key":"L"}}}"#, #"{"body":"b"}"#,
            #"{"aps":{"alert":{"body":"b","title-loc-key":"L"}}}"#
        ),
        (#"{"aps":{"alert":"a","badge":1}}"#, #"{"badge":5}"#, #"{"aps":{"alert":"a","badge":5}}"#),
        (#"{"aps":{"alert":"a","badge":1}}"#, #"{"badge":null}"#, #"{"aps":{"alert":"a"}}"#),
        (#"{"aps":{"alert":"a","sound":"s"}}"#, #"{"sound":null}"#, #"{"aps":{"alert":"a"}}"#),
        (
            #"{"aps":{"alert":"a"}}"#, #"{"sound":{"name":"n","critical":true,"volume":0.5}}"#,
            #"{"aps":{"alert":"a","sound":{"name":"n","critical":1,"volume":0.5}}}"#
        ),
        (
            #"{"aps":{"alert":"a"}}"#,
            #"{"threadIdentifier":"t","categoryIdentifier":"c","interruptionLevel":"passive","relevanceScore":0.5,"targetContentIdentifier":"i","filterCriteria":"f"}"#,
            #"{"aps":{"alert":"a","thread-id":"t","category":"c","interruption-level":"passive","relevance-score":0.5,"target-content-id":"i","filter-criteria":"f"}}"#
        ),
        (
            #"{"aps":{"alert":"a"}}"#, #"{"launchImageName":"l","summaryArgument":"s","summaryArgumentCount":3}"#,
            #"{"aps":{"alert":{"body":"a","launch-image":"l","summary-arg":"s","summary-arg-count":3}}}"#
        ),
        (
            #"{"aps":{"alert":"a"},"old":1,"kept":2}"#, #"{"userInfo":{"aps":{"x":1},"kept":2,"new/~":3}}"#,
            #"{"aps":{"alert":"a"},"kept":2,"new/~":3}"#
        ),
        (#"{"x":1}"#, #"{"body":"b"}"#, #"{"x":1,"aps":{"alert":{"body":"b"}}}"#),
        (#"{"aps":{"alert":"a"}}"#, #"{"attachments":[],"trigger":null}"#, #"{"aps":{"alert":"a"}}"#),
    ])
    func `changes are written where a payload has them`(payload: String, changes: String, expected: String) throws {
        #expect(try changed(payload, changes) == json(expected))
    }

    @Test func `what the extension did not change stays as it was written`() throws {
        let payload = #"{ "n":12345678901234567890,"s":"\ud800", "aps" : {"alert":"a"} ,"e":1e999}"#
        let result = try BorrowedText.with(payload) { payload in
            try BorrowedText.with(#"{"badge":3}"#) { try PayloadAfterExtension.payload(payload, $0) }
        }
        #expect(
            String(decoding: result, as: UTF8.self)
                == #"{ "n":12345678901234567890,"s":"\ud800", "aps" : {"alert":"a","badge":3} ,"e":1e999}"#)
    }

    @Test func `a number in aps that cannot be represented is an error and no trap`() {
        #expect(throws: JSONError.self) {
            try changed(#"{"aps":{"alert":"a","n":1e999}}"#, #"{"body":"b"}"#)
        }
        #expect(throws: (any Error).self) { try changed(#"{"aps":[]}"#, #"{"body":"b"}"#) }
    }
}
