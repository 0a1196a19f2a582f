#if os(Linux)
    import ExtensionBuild
    import Foundation
    import TestSupport
    import Testing

    /// Each module that extensions can import, and each stand-in for an SDK: compiled for real, and put to work. `ExtensionSourceTests` says
    /// that none is missing here and in `ExtensionProjectSlowTests`.
    struct ExtensionModulesSlowTests {
        private static let push = #"{"aps":{"alert":"x","mutable-content":1}}"#
        /// The first eight bytes of a PNG.
        private static let png = Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])

        @Test(.enabled(if: BuiltExtension.has("openssl/evp.h", "sqlite3.h", "png.h", "jpeglib.h")))
        func `a function of each module does its work`() throws {
            let built = try BuiltExtension { $0.paths = [BuiltExtension.path("Shims")] }
            let lines = try built.answer(to: Self.push)
            #expect(lines.contains(#""title":"15 did""#), "\(lines)")
            #expect(lines.contains(#""body":"none failed""#), "\(lines)")
            #expect(
                lines.contains("CoreData: the store Birds is not loaded: nothing is found in it, and nothing is saved"))
            #expect(lines.contains("UIApplication.shared was used, which an extension does not have"))
            #expect(built.notices.allSatisfy { $0.hasPrefix("@objc is left out") }, "\(built.notices)")
        }

        @Test func `CryptoKit opens what it has sealed`() throws {
            let lines = try BuiltExtension { $0.paths = [BuiltExtension.path("Sealed")] }.answer(to: Self.push)
            #expect(lines.contains(#""body":"opened""#), "\(lines)")
        }

        /// Sources: Firebase, "Send an image in the notification payload"; OneSignal-iOS-SDK, `OneSignalAttachmentHandler.m`.
        @Test func `stand-ins attach files and add buttons as the SDKs do, and say so`() throws {
            let built = try BuiltExtension { $0.paths = [BuiltExtension.path("StandIns")] }
            let standIns = ["FirebaseMessaging", "OneSignalExtension", "OneSignal"].map {
                "\($0) is a stand-in for the SDK"
            }
            #expect(built.notices.map { String($0.prefix { $0 != ":" }) } == standIns)
            func url(_ name: String, type: String? = nil) throws -> String {
                "http://127.0.0.1:\(try LoopbackServer(body: Self.png, contentType: type).port)/\(name)"
            }
            let firebase = try built.answer(
                to: #"{"aps":{"alert":"x","mutable-content":1},"fcm_options":{"image":"\#(try url("a.png"))"}}"#)
            #expect(firebase.contains(#""type":"public.png""#), "\(firebase)")
            #expect(firebase.contains("attached the picture in fcm_options.image, as the SDK does"))
            #expect(firebase.contains("nothing is sent"))

            let buttons = #"[{"i":"yes","n":"Yes"},{"n":"No"}]"#
            // A file by its MIME type, one of a type that the SDK does not know, and one that is not in the bundle.
            let files =
                #"{"a":" \#(try url("17", type: "image/png"))","b":"\#(try url("b.bin"))","c":"none.png"}"#
            let members = #""custom":{"i":"17"},"att":\#(files),"buttons":\#(buttons)"#
            let oneSignal = try built.answer(to: #"{"aps":{"alert":"x","mutable-content":1},\#(members)}"#)
            #expect(oneSignal.contains(#""type":"public.png""#), "\(oneSignal)")
            #expect(oneSignal.contains(#""categoryIdentifier":"__onesignal__dynamic__17""#))
            #expect(oneSignal.contains("added 2 of buttons and attached 1 of 3 files of att, as the SDK does"))
            #expect(oneSignal.contains("none.png (att) is not attached: the extension's bundle has no such file"))
            // Two buttons are shown the other way round.
            let no = try #require(oneSignal.range(of: #""No""#))
            let yes = try #require(oneSignal.range(of: #""Yes""#))
            #expect(no.lowerBound < yes.lowerBound)

            // A category of the developer's own stays, and another service's payload is none of the SDK's business.
            let own = try built.answer(
                to: """
                    {"aps":{"alert":"x","mutable-content":1,"category":"OWN"},"os_data":{"i":"18","buttons":\(buttons)}}
                    """)
            #expect(!own.contains("__onesignal__dynamic__") && !own.contains("stand-in"))
            let other = try built.answer(to: #"{"aps":{"alert":"x","mutable-content":1},"buttons":\#(buttons)}"#)
            #expect(!other.contains("__onesignal__dynamic__") && !other.contains("stand-in"))
        }
    }
#endif
