#if os(Linux)
    import Foundation
    import Testing
    @_spi(Overlay) @testable import UserNotifications

    /// Plurals, and string catalogs that no build has converted.
    struct LocalizationTests {
        /// A bundle with these files, by path.
        private final class Texts {
            let url = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).bundle")
            let bundle: Bundle

            init(_ files: [String: String]) throws {
                for (name, text) in files {
                    let file = url.appendingPathComponent(name)
                    try FileManager.default.createDirectory(
                        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
                    try Data(text.utf8).write(to: file)
                }
                bundle = try #require(Bundle(url: url))
            }

            deinit { try? FileManager.default.removeItem(at: url) }

            /// A format for a key, with its arguments.
            func text(_ key: String, in language: String, _ arguments: any CVarArg...) -> String? {
                LocalizedText.text(forKey: key, table: nil, bundle: bundle, language: language).map {
                    LocalizedText.formatted($0, locale: nil, arguments)
                }
            }
        }

        private static func variable(_ name: String, _ forms: [String: String]) -> String {
            "<key>\(name)</key><dict><key>NSStringFormatSpecTypeKey</key><string>NSStringPluralRuleType</string>"
                + "<key>NSStringFormatValueTypeKey</key><string>d</string>"
                + forms.map { "<key>\($0)</key><string>\($1)</string>" }.joined() + "</dict>"
        }

        private static func list(_ key: String, _ format: String, _ variables: String...) -> String {
            #"<plist version="1.0"><dict><key>\#(key)</key><dict><key>NSStringLocalizedFormatKey</key>"#
                + "<string>\(format)</string>\(variables.joined())</dict></dict></plist>"
        }

        @Test(arguments: [
            ("en", 1, "1 item"), ("en", 0, "nothing"), ("en", 2, "2 items"), ("ru", 3, "3 few"), ("ru", 5, "5 many"),
            ("ru", 21, "21 one"), ("ja", 1, "1 other"),
        ])
        func `a plural has the form of its language's rules`(language: String, count: Int, expected: String) throws {
            let texts = try Texts([
                "en.lproj/Localizable.stringsdict": Self.list(
                    "items", "%#@n@", Self.variable("n", ["zero": "nothing", "one": "%d item", "other": "%d items"])),
                "ru.lproj/Localizable.plurals": Self.list(
                    "items", "%#@n@",
                    Self.variable("n", ["one": "%d one", "few": "%d few", "many": "%d many", "other": "%d other"])),
                "ja.lproj/Localizable.stringsdict": Self.list(
                    "items", "%#@n@", Self.variable("n", ["one": "%d one", "other": "%d other"])),
            ])
            #expect(texts.text("items", in: language, count) == expected)
        }

        @Test func `variables are beside each other, in each other, and beside other arguments`() throws {
            let files = Self.variable("files", ["one": "%d file", "other": "%d files"])
            let texts = try Texts([
                "en.lproj/Localizable.stringsdict": Self.list(
                    "row", "%@: %#@files@ in %#@folders@", files,
                    Self.variable("folders", ["one": "a folder", "other": "%d folders"])),
                "en.lproj/Nested.stringsdict": Self.list(
                    "nested", "%#@files@",
                    Self.variable("files", ["one": "%d file in %#@folders@", "other": "%d files in %#@folders@"]),
                    Self.variable("folders", ["one": "%d folder", "other": "%d folders"])),
                "en.lproj/Named.stringsdict": Self.list("named", "%2$@ has %1$#@files@", files),
            ])
            #expect(texts.text("row", in: "en", "Ana", 1, 3) == "Ana: 1 file in 3 folders")
            let nested = try #require(
                LocalizedText.text(forKey: "nested", table: "Nested", bundle: texts.bundle, language: "en"))
            #expect(LocalizedText.formatted(nested, locale: nil, [2, 1]) == "2 files in 1 folder")
            let named = try #require(
                LocalizedText.text(forKey: "named", table: "Named", bundle: texts.bundle, language: "en"))
            #expect(LocalizedText.formatted(named, locale: nil, [1, "Ana"]) == "Ana has 1 file")
        }

        @Test func `the functions of Foundation have plurals`() throws {
            let texts = try Texts([
                "en.lproj/Localizable.stringsdict": Self.list(
                    "%lld items", "%#@n@", Self.variable("n", ["one": "%d item", "other": "%d items"]))
            ])
            let format = NSLocalizedString("%lld items", bundle: texts.bundle, comment: "")
            #expect(String.localizedStringWithFormat(format, 1) == "1 item")
            #expect(String(format: format, 7) == "7 items")
            #expect(String(localized: "\(1) items", bundle: texts.bundle) == "1 item")
            #expect(String(localized: "\(4) items", bundle: texts.bundle) == "4 items")
        }

        @Test func `arguments that do not fit their text crash nothing`() throws {
            let texts = try Texts([
                "en.lproj/Localizable.stringsdict": Self.list(
                    "a", "%#@n@ %@ %#@missing@ %5$d %", Self.variable("n", ["other": "%@ %d %s %#@n@"]))
            ])
            for arguments in [[], [1], ["x"], [NSNumber(value: 3), 2.5]] as [[any CVarArg]] {
                let format = try #require(
                    LocalizedText.text(forKey: "a", table: nil, bundle: texts.bundle, language: "en"))
                #expect(!LocalizedText.formatted(format, locale: nil, arguments).isEmpty)
            }
        }

        @Test func `forms that name all variables are filled in up to a limit`() throws {
            let names = ["a", "b", "c", "d"]
            let form = "x" + names.map { "%#@\($0)@" }.joined()
            let texts = try Texts([
                "en.lproj/Localizable.stringsdict":
                    #"<plist version="1.0"><dict><key>k</key><dict><key>NSStringLocalizedFormatKey</key><string>%#@a@</string>"#
                    + names.map { Self.variable($0, ["other": form]) }.joined() + "</dict></dict></plist>"
            ])
            #expect(texts.text("k", in: "en", 5) == String(repeating: "x", count: 256))
        }

        @Test(arguments: ["-9223372036854775808", "0", "9223372036854775807"])
        func `a variable may name an argument that is not there`(position: String) throws {
            let texts = try Texts([
                "Localizable.xcstrings": """
                {"sourceLanguage":"en","strings":{"a":{"localizations":{"en":{
                  "stringUnit":{"state":"translated","value":"%#@n@"},"substitutions":{"n":{
                    "argNum":\(position),"formatSpecifier":"lld","variations":{"plural":{
                      "other":{"stringUnit":{"state":"translated","value":"%arg things"}}}}}}}}}}}
                """
            ])
            #expect(texts.text("a", in: "en", 5) == "%lld things")
        }

        @Test func `a string catalog has the texts of its languages`() throws {
            let texts = try Texts([
                "Localizable.xcstrings": """
                {"sourceLanguage":"en","strings":{
                  "Hello":{"localizations":{"de":{"stringUnit":{"state":"translated","value":"Hallo"}}}},
                  "%lld new":{"localizations":{
                    "en":{"variations":{"plural":{"one":{"stringUnit":{"value":"%lld new message"}},
                                                  "other":{"stringUnit":{"value":"%lld new messages"}}}}},
                    "de":{"variations":{"plural":{"one":{"stringUnit":{"value":"eine neue Nachricht"}},
                                                  "other":{"stringUnit":{"value":"%lld neue Nachrichten"}}}}}}},
                  "both":{"localizations":{"en":{"stringUnit":{"value":"%1$(who)@: %#@birds@"},
                    "substitutions":{"birds":{"argNum":2,"formatSpecifier":"lld","variations":{"plural":{
                      "one":{"stringUnit":{"value":"%arg bird"}},"other":{"stringUnit":{"value":"%arg birds"}}}}}}}}}
                },"version":"1.0"}
                """
            ])
            #expect(texts.text("Hello", in: "de") == "Hallo")
            #expect(texts.text("Hello", in: "de-AT") == "Hallo")
            #expect(texts.text("Hello", in: "fr") == "Hello")
            #expect(texts.text("None", in: "de") == nil)
            #expect(texts.text("%lld new", in: "de", 1) == "eine neue Nachricht")
            #expect(texts.text("%lld new", in: "en", 3) == "3 new messages")
            #expect(texts.text("both", in: "en", "Ana", 1) == "Ana: 1 bird")
        }

        @Test(arguments: [
            "{", "[]", #"{"strings":7}"#, #"{"sourceLanguage":"en","strings":{"a":null,"b":{"localizations":[]}}}"#,
            #"{"strings":{"a":{"localizations":{"en":{"variations":{"plural":{}},"substitutions":{"x":7}}}}}}"#,
        ])
        func `a catalog that is not one has no texts`(catalog: String) throws {
            let texts = try Texts([
                "Localizable.xcstrings": catalog, "en.lproj/Localizable.stringsdict": "<plist><dict/>",
            ])
            #expect(texts.text("c", in: "en") == nil)
        }

        @Test(
            arguments: [
                ("attachment; filename=\"a b.png\"", "a b.png"), ("attachment; filename=a.png; size=3", "a.png"),
                ("inline; filename=\"x\"; filename*=UTF-8''na%C3%AFve.png", "naïve.png"), ("inline", nil),
                (#"attachment; FileName="a\"b.png""#, "a\"b.png"),
            ] as [(String, String?)])
        func `a file is called what a Content-Disposition says`(header: String, name: String?) {
            #expect(SuggestedFilename.filename(inDisposition: header) == name)
        }

        @Test func `a server does not choose the folder of a file`() throws {
            let url = try #require(URL(string: "https://example.org/a"))
            let response = try #require(
                HTTPURLResponse(
                    url: url, statusCode: 200, httpVersion: nil,
                    headerFields: ["Content-Disposition": "attachment; filename=\"../../a.png\""]))
            #expect(SuggestedFilename.of(response) == "_._.._a.png")
        }
    }
#endif
