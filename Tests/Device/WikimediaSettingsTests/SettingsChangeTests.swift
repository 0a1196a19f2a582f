import AppSimulation
import PayloadJSON
import PushModel
import PushText
import Testing
import WikimediaSettings

/// A person's changes to the settings screen, and what comes of them.
struct SettingsChangeTests {
    /// A file of preferences with one device.
    private struct Phone {
        var book = PreferenceBook()
        var table = NotificationTypeTable.wikimedia

        var device: DevicePreferences { book["default"] ?? DevicePreferences() }
        var on: [String] { device.typesOn.intersection(table.types).map(\.name).sorted() }

        @discardableResult
        mutating func set(
            _ toggles: [(NotificationType, Bool)] = [], _ change: (inout SettingsChange) -> Void = { _ in }
        ) throws -> SettingsScreen {
            var wanted = SettingsChange()
            wanted.toggles = toggles.map { (type: $0.0, isOn: $0.1) }
            change(&wanted)
            let screen = try wanted.applied(to: device, table)
            book.set(screen.device, of: "default")
            // What a file keeps is what the next change finds.
            book = try PreferenceBook(parsing: try book.serialized())
            return screen
        }

        func text(_ types: [NotificationType] = []) -> String {
            let rows = types.isEmpty ? table.rows : types.compactMap { type in table.rows.first { $0.type == type } }
            var out = ByteBuffer()
            SettingsReport(style: TextStyle(hasColors: false), rows).appendText("default", device, to: &out)
            return String(decoding: out.bytes, as: UTF8.self)
        }

        func json() -> String {
            var out = ByteBuffer()
            SettingsReport(style: TextStyle(hasColors: false), table.rows).appendJSON("default", device, to: &out)
            return String(decoding: out.bytes, as: UTF8.self)
        }
    }

    private func requests(_ screen: SettingsScreen) -> [String] {
        screen.requests.map { $0.formText(csrfToken: SettingsScreen.csrfToken) }
    }

    @Test func `what is set is shown`() throws {
        var phone = Phone()
        try phone.set([("mention", true), ("cx", true)]) { $0.account = "Anna" }
        #expect(phone.on == ["cx", "mention"])
        try phone.set([("cx", false)])
        #expect(
            phone.text(["mention", "cx"]) == """
                default  Anna at default
                  on   Mention                echo-subscriptions-push-mention
                  off  Translation milestone  echo-subscriptions-push-cx

                """)
    }

    // Source: Phabricator T271855, a login switches all types off.
    @Test func `the requests are what the wiki would get: after a login, first everything is switched off`() throws {
        var phone = Phone()
        let screen = try phone.set([("mention", true), ("cx", true)]) { $0.account = "Anna" }
        let off = NotificationTypeTable.wikimedia.rows.map { "echo-subscriptions-push-\($0.type.name)%3D0" }
        #expect(
            requests(screen) == [
                "action=options&format=json&formatversion=2&change=\(off.joined(separator: "%7C"))&token=%2B%5C",
                "action=options&format=json&formatversion=2"
                    + "&change=echo-subscriptions-push-cx%3D1%7Cecho-subscriptions-push-mention%3D1&token=%2B%5C",
            ])
        // What is on already is not written again.
        #expect(requests(try phone.set([("mention", true), ("cx", true)]) { $0.account = "Anna" }).isEmpty)
    }

    @Test func `the answers of the wiki decide, and the last one stays`() throws {
        var phone = Phone()
        let accepted = try phone.set([("mention", true)]) { $0.account = "Anna" }
        #expect(accepted.errors.isEmpty)
        let refused = try phone.set([("cx", true)]) { $0.answers = [.error(code: "readonly")] }
        #expect(refused.errors == [.cannotWrite(["cx"], reason: "readonly")])
        #expect(requests(refused).count == 1)
        #expect(phone.on == ["mention"])
        // A token that is refused is fetched once more.
        let again = try phone.set([("cx", true)]) { $0.answers = [.error(code: "badtoken"), .success(warnings: [])] }
        #expect(again.errors.isEmpty)
        #expect(requests(again).count == 2)
        let warning = #"Validation error for "echo-subscriptions-push-reverted": not a valid preference."#
        let warned = try phone.set([("reverted", true), ("login-fail", true)]) {
            $0.answers = [.success(warnings: [warning])]
        }
        #expect(warned.errors == [.cannotWrite(["reverted"], reason: warning)])
        #expect(phone.on == ["cx", "login-fail", "mention"])
        #expect(try phone.set([("cx", false)]) { $0.answers = [.lost] }.errors.count == 1)
        #expect(phone.on == ["cx", "login-fail", "mention"])
        let ended = try phone.set([("cx", false)]) { $0.answers = [.error(code: "notloggedin")] }
        #expect(ended.errors == [.sessionEnded])
        #expect(phone.device.account == nil)
    }

    @Test func `switches go back without permission or registration`() throws {
        var phone = Phone()
        let failed = try phone.set([("mention", true)]) {
            $0.account = "Anna"
            $0.registrationFails = true
        }
        #expect(failed.errors.map(\.message).contains { $0.contains("could not be registered") })
        #expect(phone.on.isEmpty)
        #expect(phone.json().contains(#""suppressed":"registration-failed""#))
        let refused = try phone.set([("mention", true)]) { $0.subscriptionFails = true }
        #expect(refused.errors == [.subscriptionFailed(reason: "echo-push-topic-required")])
        #expect(phone.json().contains(#""suppressed":"subscription-failed""#))
        #expect(try phone.set([("mention", true)]).errors.isEmpty)
        #expect(try phone.set { $0.permission = .denied }.errors.isEmpty)
        #expect(try phone.set([("cx", true)]).errors.map(\.message).contains { $0.contains("not allowed") })
        #expect(phone.on == ["mention"])
        #expect(phone.text().contains("nothing is delivered: "))
    }

    @Test func `another wiki takes the settings over, and another account has its own`() throws {
        var phone = Phone()
        try phone.set([("mention", true)]) {
            $0.account = "Anna"
            $0.wiki = "en"
        }
        #expect(requests(try phone.set { $0.wiki = "de" }).contains { $0.contains("push-mention%3D1") })
        #expect(phone.json().contains(#""wiki":"de""#))
        #expect(phone.on == ["mention"])
        try phone.set { $0.account = "Bela" }
        #expect(phone.on.isEmpty)
        // Logging in again switches everything off.
        try phone.set { $0.account = "Anna" }
        #expect(phone.on.isEmpty)
        try phone.set { $0.logsOut = true }
        #expect(phone.on.isEmpty)
        // Logged out, the settings are not offered (T271855: "No settings related to notifications are shown").
        #expect(
            phone.text() == "default  nobody is logged in\n  nothing is delivered: nobody is logged in on the device "
                + "(logged-out); log in\n")
        #expect(phone.json().hasSuffix(#""types":[]}"# + "\n"))
        #expect(throws: SettingsChange.NobodyIsLoggedIn()) { try phone.set([("cx", true)]) }
        #expect(throws: SettingsChange.NobodyIsLoggedIn()) { try phone.set { $0.wiki = "de" } }
    }

    @Test func `an app of another kind has its own types`() throws {
        var phone = Phone()
        phone.table = NotificationTypeTable([.init("sport", title: "Sport"), .init("breaking-news")])
        try phone.set([("sport", true)]) { $0.account = "Anna" }
        #expect(
            phone.text() == """
                default  Anna at default
                  on   Sport          echo-subscriptions-push-sport
                  off  breaking-news  echo-subscriptions-push-breaking-news

                """)
        // The switches of another table leave it alone.
        var other = phone
        other.table = .wikimedia
        try other.set([("mention", true)])
        phone.book = other.book
        #expect(phone.text(["sport"]).contains("on   Sport"))
    }

    // MARK: - A wiki's words

    private func options(_ answer: String) throws -> UserinfoAnswer.UserOptions? {
        guard case .options(let options) = try UserinfoAnswer(parsing: Array(answer.utf8)) else { return nil }
        return options
    }

    @Test(arguments: ["batchcomplete\":\"\"", "batchcomplete\":true"])
    func `an answer of a wiki replaces the settings of its user`(head: String) throws {
        let answer = #"""
            {"\#(head),"query":{"userinfo":{"id":7,"name":"Anna","options":{"skin":"vector","echo-subscriptions-push-mention":1,
            "echo-subscriptions-push-cx":"1","echo-subscriptions-push-reverted":"0","echo-subscriptions-push-system":true}}}}
            """#
        let options = try #require(try options(answer))
        var phone = Phone()
        try phone.set([("login-fail", true)]) { $0.account = "Anna" }
        var device = phone.device
        device.adopt(options, of: "Anna", at: nil, .wikimedia)
        #expect(device.account == "Anna")
        #expect(device.typesOn == ["cx", "mention"])
        #expect(device.registration == .registered)
        device.adopt(options, of: "Bela", at: "de", .wikimedia)
        #expect(device.account == "Bela")
        #expect(device.current?.primarySite == "de")
        #expect(device.registration == .none)
        #expect(device.accounts["Anna"]?.current == ["cx", "mention"])
    }

    @Test func `what is written as an answer is read as the same settings`() throws {
        var phone = Phone()
        try phone.set([("mention", true), ("page-review", true)]) {
            $0.account = "An\"na"
            $0.wiki = "en"
        }
        var out = ByteBuffer()
        phone.device.appendUserinfo(of: "An\"na", .wikimedia, to: &out)
        let options = try #require(try options(String(decoding: out.bytes, as: UTF8.self)))
        #expect(options.user == "An\"na")
        #expect(options.mentioned == NotificationTypeTable.wikimedia.types)
        var device = phone.device
        device.adopt(options, of: "An\"na", at: nil, .wikimedia)
        #expect(device == phone.device)

        let requests = phone.device.optionsRequests(.wikimedia).map { $0.formText(csrfToken: "t") }
        #expect(requests.count == 1)
        #expect(requests.first?.contains("push-page-review%3D1") == true)
        #expect(requests.first?.contains("push-edit-thank%3D0") == true)
    }

    @Test func `an answer that is not JSON says where`() throws {
        let fault = #expect(throws: TextFault.self) { try UserinfoAnswer(parsing: Array("{".utf8)) }
        #expect(fault?.position == TextPosition(line: 1, column: 2))
    }
}
