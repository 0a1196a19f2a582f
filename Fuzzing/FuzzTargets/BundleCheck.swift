import ExtensionBuild
import ExtensionPrograms

/// The resources of an extension are refused or read, and survive a round trip when they are read; so with projects and sources.
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
            guard (try? again.encoded()) == written else { return "a round trip changes the list" }
            return nil
        }
    }

    /// Strings tables.
    @Sendable static func makeTable() -> FuzzTarget.Check {
        { bytes in
            guard let texts = try? LocalizedTexts.read(Array(bytes), path: "fuzz") else { return nil }
            return difference(of: texts)
        }
    }

    /// Xcode projects: read or refused, and the same each time.
    @Sendable static func makeProject() -> FuzzTarget.Check {
        { bytes in
            guard let project = try? XcodeProject(Array(bytes), folder: "/none", path: "fuzz") else { return nil }
            let description = project.describe()
            return description == project.describe() ? nil : "a project is read in two ways: \(description)"
        }
    }

    /// Sources of which something is left out, as if the compiler rejected a place in some of their lines: no line moves, and nothing is left
    /// out of what is gone.
    @Sendable static func makeSource() -> FuzzTarget.Check {
        { bytes in
            let source = Array(bytes)
            let lines = source.count { $0 == UInt8(ascii: "\n") }
            var code = LeftOutCode(source)
            for round in 1...4 {
                let problems = stride(from: round, through: lines + 1, by: 3).map {
                    LeftOutCode.Problem(line: $0, column: $0 * 7 % 40, message: "no")
                }
                _ = code.leaveOut(Set(problems))
                if code.source.count(where: { $0 == UInt8(ascii: "\n") }) != lines {
                    return "a line moves in \(readable(code.source))"
                }
            }
            return nil
        }
    }

    /// String catalogs, which are compiled to tables.
    @Sendable static func makeCatalog() -> FuzzTarget.Check {
        { bytes in
            guard let catalog = try? StringCatalog.read(Array(bytes), path: "fuzz") else { return nil }
            for (language, texts) in catalog.tables() {
                if language.contains("/") || language.hasPrefix(".") || language.isEmpty {
                    return "a language is not a valid folder name: \(readable(language.utf8))"
                }
                if let difference = difference(of: texts) { return difference }
            }
            return nil
        }
    }

    /// The error in a table after a round trip.
    private static func difference(of texts: [String: String]) -> String? {
        let table = StringsText.table(texts)
        guard let again = try? LocalizedTexts.read(table, path: "fuzz") else {
            // A table without a pair cannot be recognized as one.
            return texts.isEmpty ? nil : "a table cannot be read: \(readable(table))"
        }
        return again == texts ? nil : "a round trip changes the table: \(readable(table))"
    }
}
