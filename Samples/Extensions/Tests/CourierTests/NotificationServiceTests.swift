import Foundation
import ServiceExtension
import Testing
import UserNotifications

@testable import Courier

@Suite(.serialized) struct CourierTests {
    private static let payload =
        #"{"aps":{"alert":{"title-loc-key":"PARCEL","title-loc-args":["4711"]},"mutable-content":1},"status":"out","courier":"Ada","stops":3}"#

    /// A device set to one language.
    private func harness(_ language: String) throws -> ServiceExtensionHarness {
        // `module` is the bundle with the target's resources; in an iOS app that is the main bundle.
        let folder = try #require(Bundle.module.url(forResource: language, withExtension: "lproj"))
        var options = ServiceExtensionHarness.Options()
        options.bundle = Bundle(url: folder)
        return ServiceExtensionHarness(options: options) { [bundle = options.bundle] in
            let service = NotificationService()
            service.bundle = bundle ?? .main
            return service
        }
    }

    @Test(arguments: [
        ("en", ["Ada has your parcel", "Your delivery", "3 stops before yours"]),
        ("de", ["Ada hat Ihr Paket", "Ihre Lieferung", "Noch 3 Halte vor Ihrem"]),
    ])
    func `the texts are those of the language`(_ language: String, _ texts: [String]) async throws {
        let content = try await harness(language).deliver(Self.payload).content
        #expect([content?.title, content?.subtitle, content?.body] == texts)
    }

    @Test(arguments: [("en", "Parcel 4711"), ("de", "Paket 4711")])
    func `the keys of a payload are looked up in the language too`(_ language: String, _ title: String) async throws {
        let result = try await harness(language).deliver(
            Self.payload.replacingOccurrences(of: #""status":"out","#, with: ""))
        #expect(result.content?.title == title)
    }

    @Test func `a key without a text is shown as it is`() async throws {
        let result = try await harness("de").deliver(Self.payload.replacingOccurrences(of: "out", with: "lost"))
        #expect(result.content?.title == "STATUS_lost")
    }
}
