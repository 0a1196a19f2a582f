import Foundation
import Testing

/// Which class `pushpipe extension build` selects as the extension.
struct ExtensionClassTests {
    struct Sources: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let files: [String]
        let expected: String

        init(_ description: String, _ files: String..., gives expected: String) {
            testDescription = description
            self.files = files
            self.expected = expected
        }
    }

    private static let found = [
        Sources("plain", "class A: UNNotificationServiceExtension {}", gives: "A"),
        Sources("with its module", "class A : UserNotifications.UNNotificationServiceExtension{}", gives: "A"),
        Sources(
            "with all sorts of attributes",
            "@available(iOS 15, *) @objc(PushService)\npublic final class A: UNNotificationServiceExtension, Sendable {}",
            gives: "A"
        ),
        Sources(
            "after a protocol", "class A: Loud, @unchecked Sendable, UNNotificationServiceExtension {}", gives: "A"),
        Sources(
            "the last of a line", "class Base: UNNotificationServiceExtension {}", "class A: Middle {}",
            "open class Middle: Base {}", gives: "A"),
        Sources(
            "of a generic base", "class Base<T: Codable>: UNNotificationServiceExtension where T: Sendable {}",
            "class A: Base<[String: Int]> { class func make() -> Int { 1 } }", gives: "A"),
        Sources(
            "nested", "enum Outer { struct Middle { class A: UNNotificationServiceExtension {} } }",
            gives: "Outer.Middle.A"),
        Sources(
            "nested by an extension", "extension Outer.Middle { class A: Base {} }",
            "enum Outer { class Base: UNNotificationServiceExtension {} }", gives: "Outer.Middle.A"),
        Sources(
            "through another name", "typealias Base = UNNotificationServiceExtension\nclass A: Base {}", gives: "A"),
        Sources(
            "beside what only looks like one",
            """
            // class B: UNNotificationServiceExtension {}
            /* /* */ class C: UNNotificationServiceExtension {} */
            let text = "class D: UNNotificationServiceExtension { \\(name("}{")) }"
            let long = #\"""
                class E: UNNotificationServiceExtension {} " \\(
                \"""#
            let pattern = #/"{/#
            func f() { class F: UNNotificationServiceExtension {} }
            class G: Loader<UNNotificationServiceExtension> {}
            protocol H: class {}
            class A: UNNotificationServiceExtension { static let me = A.self }
            """, gives: "A"),
        Sources(
            "under either condition",
            """
            #if DEBUG
            class A: Base {
            #else
            class A: UNNotificationServiceExtension {
            #endif
            }
            class Other {}
            class Base: UNNotificationServiceExtension {}
            """, gives: "A"),
        Sources(
            "under a condition in another",
            """
            #if os(Linux) || os(iOS)
            #if DEBUG
            class B {}
            #else
            class A: UNNotificationServiceExtension {}
            #endif
            #endif
            """, gives: "A"),
        Sources(
            "after numbers and operators that end with a point",
            "let t = 15.0\nclass A: UNNotificationServiceExtension {}", gives: "A"),
        Sources("after an open range", "let r = 0...\nclass A: UNNotificationServiceExtension {}", gives: "A"),
        Sources(
            "after patterns with quotes and braces",
            #"""
            let a = /"{/
            func f() { for _ in text.matches(of: /\/"\{/) {} ; let half = width / 2 }
            class A: UNNotificationServiceExtension { let q = a / b / c }
            """#, gives: "A"),
        Sources("after a byte order mark", "\u{FEFF}class A: UNNotificationServiceExtension {}", gives: "A"),
        Sources(
            "in a ring with others", "class B: C {}\nclass C: B {}\nclass A: UNNotificationServiceExtension {}",
            gives: "A"),
    ]

    @Test(arguments: found)
    func `the class that derives from Apple's is found`(sources: Sources) throws {
        let workshop = try Workshop()
        for (index, text) in sources.files.enumerated() { try workshop.write(text, to: "Push/\(index).swift") }
        let output = try workshop.build("Push", output: ".")
        #expect(output.status == 0, "\(output.stderr)")
        #expect(output.text == "Push.appex\n")
        #expect(try workshop.className(module: "Push") == sources.expected)
        let plist = try workshop.plist("Push.appex/Info.plist")
        #expect((plist["NSExtension"] as? [String: String])?["NSExtensionPrincipalClass"] == "Push." + sources.expected)
    }

    @Test func `one of several classes must be chosen, on the command line or in the Info plist`() throws {
        let workshop = try Workshop()
        try workshop.write(
            "@objc(Old) class B: UNNotificationServiceExtension {}\nclass A: UNNotificationServiceExtension {}",
            to: "Push/Services.swift")
        let undecided = try workshop.build("Push")
        #expect(undecided.status == 2)
        #expect(undecided.text.isEmpty)
        #expect(undecided.stderr.contains("several classes derive from UNNotificationServiceExtension: A, B;"))

        for (principal, name) in [
            ("$(PRODUCT_MODULE_NAME).A", "A"), ("B", "B"), ("Old", "B"), ("${PRODUCT_MODULE_NAME}.B", "B"),
        ] {
            let principal = "<key>NSExtensionPrincipalClass</key><string>\(principal)</string>"
            try workshop.write(propertyList("<key>NSExtension</key><dict>\(principal)</dict>"), to: "Push/Info.plist")
            #expect(try workshop.build("Push").status == 0)
            #expect(try workshop.className(module: "Push") == name)
            #expect(try workshop.build("Push", className: "A").status == 0)
            #expect(try workshop.className(module: "Push") == "A")
        }
        let wrong = try workshop.build("Push", className: "C")
        #expect(wrong.status == 2)
        #expect(wrong.stderr.contains("no C derives from UNNotificationServiceExtension; there are A, B"))
    }

    @Test(arguments: [
        "class A: UNNotificationContentExtension {}", "", "\"\\(\"\\(\"\\(", "class", "class A:", "class A<", "/*",
        "#if", "}}}",
        "import", "extension", "@objc(", "`", "typealias A =", "#\"",
    ])
    func `a missing class is reported, whatever the file contains`(source: String) throws {
        let workshop = try Workshop()
        try workshop.write(source, to: "A.swift")
        let output = try workshop.build("A.swift")
        #expect(output.status == 2)
        #expect(output.text.isEmpty)
        #expect(output.stderr == "pushpipe: no class derives from UNNotificationServiceExtension\n")
    }

    @Test func `strings nested in strings end`() throws {
        let workshop = try Workshop()
        try workshop.write(String(repeating: #""\("#, count: 100_000), to: "A.swift")
        #expect(try workshop.build("A.swift").status == 2)
    }

    @Test func `a content extension is refused by name`() throws {
        let workshop = try Workshop()
        let point = "com.apple.usernotifications.content-extension"
        let members = "<key>NSExtensionPointIdentifier</key><string>\(point)</string>"
        try workshop.write(
            propertyList("<key>NSExtension</key><dict>\(members)</dict>"), to: "Content/Info.plist")
        try workshop.write("class A: UIViewController, UNNotificationContentExtension {}", to: "Content/A.swift")
        let output = try workshop.build("Content")
        #expect(output.status != 0)
        #expect(output.stderr.contains("Notification Content Extension (\(point))"))
        #expect(output.stderr.contains("views of UIKit"))
    }
}
