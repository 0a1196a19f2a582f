import ExtensionBuild
import ExtensionHosting
import ExtensionPrograms
import Foundation
import PushSystem
import TestSupport
import Testing

/// The contents of the .appex that `pushpipe extension build` creates.
struct ExtensionBundleTests {
    private static let group =
        "<key>com.apple.security.application-groups</key><array><string>group.$(GROUP)</string></array>"

    @Test func `resources are laid out as Xcode would, and other files are left out`() throws {
        let workshop = try Workshop()
        for name in [
            "Sub/Helper.swift", "Tests/ServiceTests.swift", "PushTests/MoreTests.swift",
            "App.xcodeproj/project.pbxproj",
            "Push.h", ".hidden/A.json", ".swiftlint.yml", "Assets.xcassets/Contents.json", "notes.md", "Package.swift",
            "Images/logo.png", "Sounds/bell.wav", "de.lproj/More.strings", "Texts/fr.lproj/Localizable.strings",
            "Data.bundle/inner/a.json",
        ] {
            try workshop.write("// \(name)", to: "Push/\(name)")
        }
        try workshop.write(serviceSource(), to: "Push/NotificationService.swift")
        try workshop.write(propertyList(Self.group), to: "Push/Push.entitlements")
        let output = try workshop.build("Push", settings: ["GROUP=org.example.news"], output: "out")
        #expect(output.status == 0, "\(output.stderr)")
        #expect(output.text == "out/Push.appex\n")
        #expect(output.stderr.isEmpty)
        #expect(
            try workshop.files("out/Push.appex") == [
                "Push", "Info.plist", "Push.entitlements", "logo.png", "bell.wav", "de.lproj/More.strings",
                "fr.lproj/Localizable.strings", "Data.bundle/inner/a.json",
            ])
        #expect(FileManager.default.isExecutableFile(atPath: workshop.path("out/Push.appex/Push")))
        #expect(try workshop.read("out/Push.appex/Push") == "built Push")
        #expect(try workshop.files("out") == Set(try workshop.files("out/Push.appex").map { "Push.appex/" + $0 }))
        #expect(
            try workshop.plist("out/Push.appex/Push.entitlements")["com.apple.security.application-groups"] as? [String]
                == ["group.org.example.news"])
        #expect(
            try workshop.files(try workshop.generated("Extension/Push")) == [
                "NotificationService.swift", "Sub/Helper.swift", "main.swift",
            ])
        #expect(
            try workshop.read(try workshop.generated("Extension/Push/NotificationService.swift"))
                == serviceSource())
    }

    @Test func `of several entitlements those of releases are taken, unless a file is named`() throws {
        let workshop = try Workshop()
        try workshop.write(serviceSource(), to: "Push/NotificationService.swift")
        for name in ["PushDebug", "PushRelease", "sub/Other"] {
            try workshop.write(propertyList("<key>name</key><string>\(name)</string>"), to: "Push/\(name).entitlements")
        }
        func chosen(_ named: String? = nil) throws -> String? {
            let output = try workshop.build(
                ["Push"], compiler: MockCompiler(),
                configure: { builder in
                    builder.output = workshop.path("out")
                    builder.entitlements = named.map(workshop.path)
                })
            #expect(output.status == 0, "\(output.stderr)")
            return try workshop.plist("out/Push.appex/Push.entitlements")["name"] as? String
        }
        #expect(try chosen() == "PushRelease")
        #expect(try chosen("Push/PushDebug.entitlements") == "PushDebug")
        try FileManager.default.removeItem(atPath: workshop.path("Push/PushRelease.entitlements"))
        #expect(try chosen() == "sub/Other")
        try FileManager.default.removeItem(atPath: workshop.path("Push/PushDebug.entitlements"))
        try workshop.write(propertyList(""), to: "Push/More.entitlements")
        #expect(try workshop.build("Push").stderr.contains("entitlements must be one of several files: "))
    }

    @Test func `plurals are kept from Foundation, which crashes on them`() throws {
        let workshop = try Workshop()
        try workshop.write(serviceSource(), to: "Push/NotificationService.swift")
        try workshop.write(propertyList(""), to: "Push/de.lproj/Localizable.stringsdict")
        let unit = #"{"stringUnit":{"value":"%lld"}}"#
        let catalogs = [
            "Plural": #"{"variations":{"plural":{"other":\#(unit)}}}"#,
            "Part": ##"{"stringUnit":{"value":"%#@a@"},"substitutions":{"a":{}}}"##, "Plain": unit,
        ]
        for (name, text) in catalogs {
            try workshop.write(
                #"{"sourceLanguage":"en","strings":{"k":{"localizations":{"en":\#(text)}}},"version":"1.0"}"#,
                to: "Push/\(name).xcstrings")
        }
        let output = try workshop.build("Push", output: "out")
        #expect(output.status == 0, "\(output.stderr)")
        #expect(
            try workshop.files("out/Push.appex") == [
                "Push", "Info.plist", "de.lproj/Localizable.plurals", "Plural.xcstrings", "Part.xcstrings",
                "en.lproj/Plural.strings", "en.lproj/Part.strings", "en.lproj/Plain.strings",
            ])
    }

    @Test(arguments: [("<true/>", true), ("<false/>", false), ("<string>yes</string>", false)])
    func `the bundle's entitlement says whether pushes may be filtered`(value: String, mayFilter: Bool) throws {
        let workshop = try Workshop()
        try workshop.write(serviceSource(), to: "Push/NotificationService.swift")
        try workshop.write(
            propertyList("<key>com.apple.developer.usernotifications.filtering</key>\(value)"),
            to: "Push/Push.entitlements")
        #expect(try workshop.build("Push", output: "out").status == 0)
        let program = try ExtensionProgram(workshop.path("out/Push.appex"), language: "de-AT", command: nil)
        var configuration = ExtensionConfiguration(executable: "")
        program.apply(to: &configuration)
        #expect(configuration.mayFilter == mayFilter)
        #expect(configuration.locale == "de-AT")
        #expect(configuration.language == nil)
    }

    @Test(arguments: [(nil, nil), ("", false), ("<true/>", true)])
    func `the bundle's entitlement says whether senders are shown`(value: String?, expected: Bool?) throws {
        let workshop = try Workshop()
        try workshop.write(serviceSource(), to: "Push/NotificationService.swift")
        let key = "com.apple.developer.usernotifications.communication"
        if let value {
            let member = value.isEmpty ? "" : "<key>\(key)</key>\(value)"
            try workshop.write(propertyList(member), to: "Push/Push.entitlements")
        }
        #expect(try workshop.build("Push", output: "out").status == 0)
        let program = try ExtensionProgram(workshop.path("out/Push.appex"), language: nil, command: nil)
        var configuration = ExtensionConfiguration(executable: "")
        program.apply(to: &configuration)
        #expect(configuration.mayCommunicate == expected)
        var allowed = ExtensionConfiguration(executable: "")
        allowed.mayCommunicate = true
        program.apply(to: &allowed)
        #expect(allowed.mayCommunicate == true)
    }

    @Test func `defaults of an app group are read from a property list or JSON`() throws {
        let workshop = try Workshop()
        try workshop.write(#" {"count": 3, "on": true, "names": ["a"], "ratio": 0.5}"#, to: "a.json")
        try workshop.write(propertyList("<key>count</key><integer>3</integer>"), to: "a.plist")
        let json = try AppGroupSeed.read("group.a=\(workshop.path("a.json"))")
        let list = try #require(
            PropertyListSerialization.propertyList(from: Data(json.defaults), format: nil) as? NSDictionary)
        #expect(json.group == "group.a")
        #expect(list == ["count": 3, "on": true, "names": ["a"], "ratio": 0.5] as NSDictionary)
        let plist = try AppGroupSeed.read("group.b=\(workshop.path("a.plist"))")
        #expect(try PropertyListFile(plist.defaults, path: "").members == ["count": .integer(3)])
        try workshop.write(#"{"a": null}"#, to: "null.json")
        for wrong in ["group.a", "=x", "../a=x", "group.a=\(workshop.path("none"))", "g=\(workshop.path("null.json"))"]
        {
            #expect(throws: PlainError.self) { try AppGroupSeed.read(wrong) }
        }
    }

    @Test func `files can be named one by one`() throws {
        let workshop = try Workshop()
        try workshop.write(serviceSource("PushService"), to: "a/PushService.swift")
        try workshop.write("let x = 1", to: "b/c/Helper.swift")
        try workshop.write("\"a\" = \"b\";\n", to: "b/de.lproj/Localizable.strings")
        try workshop.write("x", to: "bell.wav")
        try workshop.write(propertyList("<key>CFBundleVersion</key><string>7</string>"), to: "a/PushService-Info.plist")
        let output = try workshop.build(
            "a/PushService.swift", "b/c/Helper.swift", "b/de.lproj/Localizable.strings", "bell.wav",
            "a/PushService-Info.plist")
        #expect(output.status == 0, "\(output.stderr)")
        let path = try #require(output.path)
        #expect(path.hasPrefix("/") && path.hasSuffix("/PushService.appex"))
        #expect(
            Set(try FileManager.default.subpathsOfDirectory(atPath: path)) == [
                "PushService", "Info.plist", "de.lproj", "de.lproj/Localizable.strings", "bell.wav",
            ])
        // A second build leaves nothing of the first.
        #expect(try workshop.build("a/PushService.swift", name: "Other", output: "out").status == 0)
        #expect(try workshop.build("bell.wav", "a/PushService.swift", name: "Other", output: "out").status == 0)
        #expect(try workshop.files("out") == ["Other.appex/Other", "Other.appex/Info.plist", "Other.appex/bell.wav"])
    }

    @Test func `tables in any Unicode encoding become UTF-8 in the bundle`() throws {
        let workshop = try Workshop()
        let text = "\"hello\" = \"Grüße 👋\";\n"
        let encodings: [(String, String.Encoding, [UInt8])] = [
            ("a", .utf8, []), ("b", .utf16LittleEndian, [0xFF, 0xFE]), ("c", .utf16BigEndian, [0xFE, 0xFF]),
            ("d", .utf16LittleEndian, []), ("e", .utf16BigEndian, []),
        ]
        for (language, encoding, mark) in encodings {
            let bytes = Array(try #require(text.data(using: encoding)))
            try workshop.write(mark + bytes, to: "Push/\(language).lproj/Localizable.strings")
        }
        try workshop.write(serviceSource(), to: "Push/A.swift")
        #expect(try workshop.build("Push", output: ".").status == 0)
        for (language, _, _) in encodings {
            #expect(try workshop.read("Push.appex/\(language).lproj/Localizable.strings") == text)
        }
    }

    @Test func `a string catalog becomes a table per language`() throws {
        let workshop = try Workshop()
        try workshop.write(serviceSource(), to: "Push/A.swift")
        try workshop.write(
            #"""
            {"sourceLanguage": "en", "version": "1.0", "strings": {
              "Hello": {"localizations": {"de": {"stringUnit": {"state": "translated", "value": "Hallo \"du\"\n"}}}},
              "photos %lld": {"localizations": {
                "de": {"variations": {"plural": {
                  "one": {"stringUnit": {"value": "ein Foto"}}, "other": {"stringUnit": {"value": "%lld Fotos"}}}}},
                "en": {"variations": {"device": {
                  "mac": {"stringUnit": {"value": "mac"}}, "other": {"stringUnit": {"value": "%lld photos"}}}}}}},
              "sent": {"localizations": {"de": {"stringUnit": {"value": "%1$@ schickt %#@files@"}, "substitutions": {"files": {
                "argNum": 2, "formatSpecifier": "lld",
                "variations": {"plural": {"other": {"stringUnit": {"value": "%arg Dateien"}}}}}}}}},
              "named": {"localizations": {"de": {"stringUnit": {
                "value": "%1$(nickname)@ hat %2$(count)lld, %(rate).1f%%(alle), 5 %(von) 100 %"}}}},
              "bad": {"localizations": {"../x": {"stringUnit": {"value": "no"}}}},
              "Empty": {}
            }}
            """#, to: "Push/Localizable.xcstrings")
        #expect(try workshop.build("Push", output: ".").status == 0)
        #expect(
            try workshop.files("Push.appex") == [
                "Push", "Info.plist", "Localizable.xcstrings", "de.lproj/Localizable.strings",
                "en.lproj/Localizable.strings",
            ])
        #expect(
            try workshop.read("Push.appex/de.lproj/Localizable.strings") == #"""
                "Hello" = "Hallo \"du\"\n";
                "named" = "%1$@ hat %2$lld, %.1f%%(alle), 5 %(von) 100 %";
                "photos %lld" = "%lld Fotos";
                "sent" = "%1$@ schickt %2$lld Dateien";

                """#)
        #expect(
            try workshop.read("Push.appex/en.lproj/Localizable.strings") == #"""
                "Empty" = "Empty";
                "Hello" = "Hello";
                "bad" = "bad";
                "named" = "named";
                "photos %lld" = "%lld photos";
                "sent" = "sent";

                """#)
        try workshop.write("[]", to: "Push/Localizable.xcstrings")
        let broken = try workshop.build("Push", output: ".")
        #expect(broken.status == 2)
        #expect(broken.stderr.contains("Push/Localizable.xcstrings: not a string catalog"))
    }

    @Test func `build settings in an Info plist are expanded`() throws {
        let workshop = try Workshop()
        try workshop.write(serviceSource(), to: "Push/A.swift")
        let values = [
            "a": "$(PRODUCT_NAME)", "b": "${PRODUCT_BUNDLE_IDENTIFIER}.x",
            "c": "$(PRODUCT_NAME:rfc1034identifier:lower)",
            "d": "$(PRODUCT_MODULE_NAME)", "e": "$(UNKNOWN)-$(UNKNOWN:default=here)", "f": "$5 $( $(", "g": "$(MINE)",
            "h": "$(DEVELOPMENT_LANGUAGE)", "CFBundleExecutable": "other", "CFBundleVersion": "",
        ]
        let members = values.map { "<key>\($0.key)</key><string>\($0.value)</string>" }.joined()
        try workshop.write(
            propertyList(
                members
                    + "<key>n</key><integer>3</integer><key>t</key><true/><key>l</key><array><real>1.5</real></array>"),
            to: "Push/Info.plist")
        try workshop.write("", to: "Push/de.lproj/Localizable.strings")
        let output = try workshop.build(
            "Push", name: "My Push", bundleIdentifier: "org.example.push", settings: ["MINE=a=$(PRODUCT_NAME)"],
            output: ".")
        #expect(output.status == 0, "\(output.stderr)")
        #expect(output.stderr.contains("$(UNKNOWN) is not known here"))
        let plist = try workshop.plist("My Push.appex/Info.plist")
        let expected = [
            "a": "My Push", "b": "org.example.push.x", "c": "my-push", "d": "My_Push", "e": "-here", "f": "$5 $( $(",
            "g": "a=$(PRODUCT_NAME)", "h": "de", "CFBundleExecutable": "My Push", "CFBundleVersion": "1",
            "CFBundleIdentifier": "org.example.push", "CFBundleDevelopmentRegion": "de", "CFBundlePackageType": "XPC!",
        ]
        for (key, value) in expected { #expect(plist[key] as? String == value, "\(key)") }
        #expect(plist["n"] as? Int == 3)
        #expect(plist["t"] as? Bool == true)
        #expect(plist["l"] as? [Double] == [1.5])
        #expect(
            plist["NSExtension"] as? [String: String] == [
                "NSExtensionPointIdentifier": "com.apple.usernotifications.service",
                "NSExtensionPrincipalClass": "My_Push.NotificationService",
            ])
        #expect(try workshop.read("My Push.appex/My Push") == "built My_Push")
    }

    @Test(arguments: [
        ("en", ["de", "en"], "en"), ("de_DE", ["de", "en"], "de"), ("en", ["de"], "de"),
        ("pt", ["pt-BR", "en"], "pt-BR"),
        ("zh-CN", ["zh-Hant", "zh-Hans"], "zh-Hans"), ("zh-Hant-HK", ["zh-Hant", "zh-Hans"], "zh-Hant"),
        ("fr", ["de", "en"], "en"), ("fr", ["Base"], "fr"), ("fr", [], "fr"), ("$(NO)", ["de"], "de"),
    ])
    func `the development region of an Info plist is a language of the bundle`(
        region: String, languages: [String], expected: String
    ) throws {
        let workshop = try Workshop()
        try workshop.write(serviceSource(), to: "Push/A.swift")
        for language in languages { try workshop.write("", to: "Push/\(language).lproj/Localizable.strings") }
        try workshop.write(
            propertyList("<key>CFBundleDevelopmentRegion</key><string>\(region)</string>"), to: "Push/Info.plist")
        #expect(try workshop.build("Push", output: ".").status == 0)
        #expect(try workshop.plist("Push.appex/Info.plist")["CFBundleDevelopmentRegion"] as? String == expected)
    }

    @Test func `without an Info plist a minimal one is generated`() throws {
        let workshop = try Workshop()
        try workshop.write(serviceSource(), to: "os.swift")
        #expect(try workshop.build("os.swift", name: "os", output: ".").status == 0)
        let plist = try workshop.plist("os.appex/Info.plist")
        #expect(plist["CFBundleIdentifier"] as? String == "org.example.os")
        #expect(plist["CFBundleDevelopmentRegion"] as? String == "en")
        // Not os, which would hide the module of that name.
        #expect(try workshop.read("os.appex/os") == "built osExtension")
        // SwiftPM has a folder called Modules where the program would be.
        #expect(try workshop.build("os.swift", name: "Modules", output: ".").status == 0)
        #expect(try workshop.read("Modules.appex/Modules") == "built ModulesExtension")
    }

    @Test func `resources with the same path in the bundle are reported`() throws {
        let workshop = try Workshop()
        try workshop.write(serviceSource(), to: "Push/A.swift")
        for name in ["a/x.json", "b/x.json"] { try workshop.write("{}", to: "Push/\(name)") }
        let output = try workshop.build("Push", output: ".")
        #expect(output.status == 2)
        #expect(output.stderr == "pushpipe: Push/a/x.json and Push/b/x.json would both be x.json in the bundle\n")
        #expect(!FileManager.default.fileExists(atPath: workshop.path("Push.appex")))
    }

    @Test func `of several Info plists the service extension's is used`() throws {
        let workshop = try Workshop()
        try workshop.write(serviceSource(), to: "Push/A.swift")
        let own = "<key>NSExtensionPointIdentifier</key><string>com.apple.usernotifications.service</string>"
        try workshop.write(propertyList("<key>CFBundleVersion</key><string>1</string>"), to: "Push/App/Info.plist")
        try workshop.write(propertyList("<key>CFBundleVersion</key><string>2</string>"), to: "Push/Other/Info.plist")
        let undecided = try workshop.build("Push", output: ".")
        #expect(undecided.status == 2)
        #expect(undecided.stderr.contains("Push/App/Info.plist, Push/Other/Info.plist"))
        try workshop.write(
            propertyList("<key>CFBundleVersion</key><string>3</string><key>NSExtension</key><dict>\(own)</dict>"),
            to: "Push/Push/Info.plist")
        #expect(try workshop.build("Push", output: ".").status == 0)
        #expect(try workshop.plist("Push.appex/Info.plist")["CFBundleVersion"] as? String == "3")
    }

    @Test func `a folder that is not an extension is not replaced`() throws {
        let workshop = try Workshop()
        try workshop.write(serviceSource(), to: "Push/A.swift")
        try workshop.write("mine", to: "out/Push.appex/diary.txt")
        let output = try workshop.build("Push", output: "out")
        #expect(output.status == 2)
        #expect(output.stderr.contains("out/Push.appex: not an extension"))
        #expect(try workshop.files("out") == ["Push.appex/diary.txt"])
    }
}
