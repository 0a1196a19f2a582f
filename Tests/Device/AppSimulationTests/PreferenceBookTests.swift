import AppSimulation
import PushJSON
import PushModel
import PushSystem
import Testing

/// The text of the preferences file.
struct PreferenceBookTests {
    private func anna() -> DevicePreferences {
        var device = DevicePreferences()
        device.account = "Anna"
        device.permission = .provisional
        device.alertsAreOn = false
        device.registration = .failed(reason: "no \"network\"")
        device.accounts["Anna"] = NotificationPreferences(
            primarySite: "en", typesOn: ["en": ["mention", "cx"], "de": []])
        device.accounts["a/b~\u{e9}"] = NotificationPreferences(primarySite: "fr")
        return device
    }

    private func text(_ book: PreferenceBook) throws -> String {
        String(decoding: book.serialized(), as: UTF8.self)
    }

    @Test func `what is written is read again, and written the same`() throws {
        var book = PreferenceBook()
        book.set(anna(), of: "phone/1~")
        book.set(DevicePreferences(), of: "tablet")
        var refused = anna()
        refused.registration = .subscriptionFailed(reason: "echo-push-topic-required")
        book.set(refused, of: "watch")
        let text = try text(book)
        let again = try PreferenceBook(parsing: Array(text.utf8))
        #expect(again.devices == book.devices)
        #expect(try self.text(again) == text)
        var third = again
        third.set(anna(), of: "phone/1~")
        #expect(try self.text(third) == text)
    }

    @Test func `the text is sorted and has a line for each value`() throws {
        var book = PreferenceBook()
        var device = DevicePreferences()
        device.account = "Anna"
        device.accounts["Anna"] = NotificationPreferences(primarySite: "en", typesOn: ["en": ["mention", "cx"]])
        book.set(device, of: "phone")
        #expect(
            try text(book) == """
                {
                  "devices": {
                    "phone": {
                      "account": "Anna",
                      "accounts": {
                        "Anna": {
                          "primaryWiki": "en",
                          "wikis": {
                            "en": {
                              "on": [
                                "cx",
                                "mention"
                              ]
                            }
                          }
                        }
                      },
                      "alerts": true,
                      "permission": "not-determined",
                      "registration": "none"
                    }
                  },
                  "version": 1
                }

                """)
    }

    @Test func `what somebody else has put in stays`() throws {
        let text = #"""
            {"note":"mine","devices":{"phone":{"colour":"red","account":"Anna","accounts":{"Anna":{"primaryWiki":"en","since":2019,
            "wikis":{"en":{"on":["cx"],"etag":"7"}}}}},"other":{"shape":[1.50,{"deep":null}]}}}
            """#
        var book = try PreferenceBook(parsing: Array(text.utf8))
        var device = try #require(book["phone"])
        device.accounts["Anna"]?.typesOn["en"] = ["mention"]
        device.account = nil
        book.set(device, of: "phone")
        let written = try self.text(book)
        for part in [#""note": "mine""#, #""colour": "red""#, #""since": 2019"#, #""etag": "7""#, #""deep": null"#] {
            #expect(written.contains(part), "\(part)")
        }
        #expect(!written.contains(#""cx""#))
        #expect(try PreferenceBook(parsing: Array(written.utf8)).devices == book.devices)
        #expect(book["phone"]?.account == nil)
    }

    @Test(arguments: [
        ("", 1, 1), ("[]", 1, 1), ("{\n  \"devices\": {,\n", 2, 15), (#"{"version":2}"#, 1, 12),
        (#"{"devices":[]}"#, 1, 12), ("{\n  \"devices\": 7\n}\n", 2, 14), ("{\"devices\":{}", 1, 14),
        (#"{"devices":{"a":1}}"#, 1, 17), (#"{"devices":{"a":{"alerts":1}}}"#, 1, 27),
        (#"{"devices":{"a":{"permission":"maybe"}}}"#, 1, 31), (#"{"devices":{"a":{"registration":true}}}"#, 1, 33),
        (#"{"devices":{"a":{"account":"X"}}}"#, 1, 28), (#"{"devices":{"a":{"accounts":{"X":{}}}}}"#, 1, 34),
        (#"{"devices":{"a":{"accounts":{"X":{"primaryWiki":"w","wikis":{"w":{"on":[7]}}}}}}}"#, 1, 73),
        (#"{"devices":{"a":{"accounts":{"X":{"primaryWiki":"w","wikis":{"w":{"on":{}}}}}}}}"#, 1, 72),
        (#"{"a":1,"a":2}"#, 1, 9), (#"{"a":123456789012345678901234567890}"#, 1, 6), (#"{"a":"\ud800"}"#, 1, 7),
    ])
    func `a broken file is refused by line and column`(text: String, line: Int, column: Int) {
        #expect {
            try PreferenceBook(parsing: Array(text.utf8))
        } throws: { error in
            guard let error = error as? PlainError else { return false }
            return error.line == line && error.column == column && !error.message.isEmpty
        }
    }

    @Test(arguments: [
        (#""1""#, "a whole number from 1 is expected"), ("1.0", "a whole number from 1 is expected"),
        ("0", "a whole number from 1 is expected"), ("null", "a whole number from 1 is expected"),
        ("2", "written by a later version"),
    ])
    func `a version is a number, and a later one is refused`(version: String, words: String) {
        let failure = #expect(throws: PlainError.self) {
            try PreferenceBook(parsing: Array(#"{"version":\#(version),"devices":{}}"#.utf8))
        }
        #expect(failure?.message.contains(words) == true)
    }
}
