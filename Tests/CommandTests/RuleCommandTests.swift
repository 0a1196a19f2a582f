import Foundation
import Testing

/// `pushpipe rules` and `pushpipe explain`.
struct RuleCommandTests {
    @Test func `rules are listed in three forms`() throws {
        let folder = try Folder()
        let text = try folder.pushpipe("rules")
        let json = try folder.pushpipe("rules", "--format", "json")
        let markdown = try folder.pushpipe("rules", "--format", "markdown")
        for output in [text, json, markdown] { #expect(output.status == 0) }
        let ids = try json.values("id").map { $0?.string ?? "" }
        #expect(ids == ids.sorted() && ids.contains("aps.misspelled-key"))
        #expect(text.lines.map { String($0.prefix { $0 != " " }) } == ids)
        for id in ids { #expect(markdown.text.contains("\n## \(id)\n")) }
    }

    @Test func `a group is listed alone`() throws {
        let output = try Folder().pushpipe("rules", "gcm", "json.syntax")
        #expect(output.lines.count > 2)
        #expect(output.lines.allSatisfy { $0.hasPrefix("gcm.") || $0.hasPrefix("json.syntax ") })
        #expect(try Folder().pushpipe("rules", "gmc").stderr.contains("did you mean gcm?"))
    }

    @Test func `every rule can be explained`() throws {
        let folder = try Folder()
        for id in try folder.pushpipe("rules", "--format", "json").values("id").compactMap({ $0?.string }) {
            let output = try folder.pushpipe("explain", id)
            #expect(output.status == 0)
            #expect(output.text.hasPrefix("\(id): "))
            #expect(output.text.contains("Source: ") && output.text.contains("https://"))
            #expect(output.text.contains("--disable \(id)"))
        }
    }

    @Test(arguments: [
        ("aps.mispelled-key", "did you mean aps.misspelled-key?"),
        ("nothing-visible", "did you mean aps.nothing-visible?"),
        ("aps", "pushpipe rules aps"), ("utterly.different", "there is no rule"),
    ])
    func `an unknown rule is status 2, with what may have been meant`(name: String, hint: String) throws {
        let output = try Folder().pushpipe("explain", name)
        #expect(output.status == 2)
        #expect(output.stdout.isEmpty)
        #expect(output.stderr.contains(hint), "\(output.stderr)")
    }

    @Test func `the page of rules in the documentation is what make rules writes`() throws {
        let page = try String(
            contentsOf: Place.package.appendingPathComponent("Documentation/reference/rules.md"), encoding: .utf8)
        #expect(try Folder().pushpipe("rules", "--format", "markdown").text == page, "run make rules")
    }
}
