import AppSimulation
import Testing
import WikimediaSettings

/// The types and options of Wikimedia's wikis.
struct WikimediaTableTests {
    @Test func `Wikimedia's table has the sixteen types with their options`() {
        let expected = """
            edit-user-talk edit-thank dt-subscription cx mention mention-failure mention-success article-linked \
            wikibase-action login-fail login-success page-review user-rights reverted emailuser thank-you-edit
            """.split(separator: " ").map(String.init)
        #expect(NotificationTypeTable.wikimedia.rows.map(\.type.name) == expected)
        for row in NotificationTypeTable.wikimedia.rows {
            #expect(row.type.option == "echo-subscriptions-push-" + row.type.name)
            #expect(NotificationType(option: row.type.option) == row.type)
            #expect(!row.title.isEmpty)
        }
        #expect(NotificationType(option: "echo-subscriptions-web-mention") == nil)
        #expect(NotificationType(option: "echo-subscriptions-push-") == nil)
    }

    @Test func `Echo's defaults are those of its extension`() {
        let rows = NotificationTypeTable.wikimedia.rows
        #expect(
            rows.filter { $0.isOnByDefault == false }.map(\.type) == [
                "mention-failure", "mention-success", "article-linked",
            ])
        #expect(
            rows.filter { $0.isOnByDefault == true }.map(\.type)
                == ["edit-user-talk", "mention", "user-rights", "reverted", "emailuser", "thank-you-edit"])
    }
}
