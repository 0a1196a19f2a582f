import ExtensionBuild

/// What belongs to an extension beside its sources is refused or read; what was read is written so that it reads the same.
enum BundleCheck {
    /// Property lists: Info.plist and entitlements.
    @Sendable static func makePropertyList() -> FuzzTarget.Check {
        { bytes in
            guard var file = try? PropertyListFile(Array(bytes), path: "fuzz") else { return nil }
            var settings = BuildSettings(
                name: "My App", module: "My_App", bundleIdentifier: "org.example.app", language: "en",
                own: ["EMPTY": "", "ITSELF": "$(ITSELF)"])
            file.expand(&settings)
            guard let written = try? file.encoded() else { return nil }
            guard let again = try? PropertyListFile(written, path: "fuzz") else {
                return "what was written cannot be read: \(readable(written))"
            }
            guard (try? again.encoded()) == written else { return "what was written reads as another list" }
            return nil
        }
    }

    /// Tables of texts.
    @Sendable static func makeTable() -> FuzzTarget.Check {
        { bytes in
            guard let texts = try? LocalizedTexts.read(Array(bytes), path: "fuzz") else { return nil }
            return difference(of: texts)
        }
    }

    /// Catalogues of texts, which are compiled to tables.
    @Sendable static func makeCatalog() -> FuzzTarget.Check {
        { bytes in
            guard let catalog = try? StringCatalog.read(Array(bytes), path: "fuzz") else { return nil }
            for (language, texts) in catalog.tables() {
                if language.contains("/") || language.hasPrefix(".") || language.isEmpty {
                    return "a language is no name of a folder: \(readable(language.utf8))"
                }
                if let difference = difference(of: texts) { return difference }
            }
            return nil
        }
    }

    /// What is wrong with a table once it was written and read again.
    private static func difference(of texts: [String: String]) -> String? {
        let table = StringsText.table(texts)
        guard let again = try? LocalizedTexts.read(table, path: "fuzz") else {
            // Without a pair there is nothing that says what it is.
            return texts.isEmpty ? nil : "a table cannot be read: \(readable(table))"
        }
        return again == texts ? nil : "a table reads as another one: \(readable(table))"
    }
}
