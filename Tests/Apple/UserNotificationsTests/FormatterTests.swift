#if os(Linux)
    import Foundation
    import Testing

    @_spi(Overlay) @testable import UserNotifications

    /// The name formatter that Foundation for Linux does not have, and texts of errors.
    struct FormatterTests {
        private enum Failure: LocalizedError, CustomNSError {
            case code
            var errorDescription: String? { "no key" }
        }

        @Test func `an error with a code of its own keeps its text`() {
            #expect(AppleFoundation.localizedDescription(of: Failure.code) == "no key")
        }

        @Test(arguments: [
            (PersonNameFormatter.Style.default, "Ada Lovelace"), (.short, "Ada"), (.medium, "Ada Lovelace"),
            (.long, "Ada King Lovelace"), (.abbreviated, "AL"),
        ])
        func `a name is written in its style`(style: PersonNameFormatter.Style, expected: String) throws {
            let name = try PersonNameComponents("Ada King Lovelace")
            #expect(name.givenName == "Ada" && name.middleName == "King" && name.familyName == "Lovelace")
            #expect(PersonNameFormatter.localizedString(from: name, style: style) == expected)
        }

        @Test func `a text without words is no name`() {
            #expect(throws: CocoaError.self) { try PersonNameComponents("  ") }
            #expect(PersonNameFormatter().personNameComponents(from: "") == nil)
        }
    }
#endif
