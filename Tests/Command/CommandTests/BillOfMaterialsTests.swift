import Foundation
import TestSupport
import Testing

/// Scripts/advisories.py reads databases in the format of OSV: https://ossf.github.io/osv-schema/.
struct BillOfMaterialsTests {
    private static let bill = """
        {"components":[
        {"type":"library","name":"swift-nio-http2","version":"1.18.0","purl":"pkg:swift/github.com/apple/swift-nio-http2@1.18.0",
        "externalReferences":[{"type":"vcs","url":"https://github.com/apple/swift-nio-http2"}]},
        {"type":"library","name":"sqlite","version":"3.40.1"}]}
        """

    private let folder: Folder

    init() throws {
        folder = try Folder()
        try folder.write(Self.bill, to: "bill.json")
    }

    private func advisories(_ database: String) throws -> Output {
        try folder.write(database, to: "database")
        let script = Place.package.appendingPathComponent("Scripts/advisories.py").path
        return try folder.shell("python3 '\(script)' bill.json database")
    }

    private static func advisory(_ name: String, _ rest: String) -> String {
        #"{"id":"T-1","summary":"a summary","aliases":["CVE-1"],"affected":[{"package":{"ecosystem":"SwiftURL","name":"\#(name)"},\#(rest)}]}"#
    }

    @Test(arguments: [
        (#""ranges":[{"type":"SEMVER","events":[{"introduced":"0"},{"fixed":"1.19.2"}]}]"#, 1),
        (#""ranges":[{"type":"SEMVER","events":[{"fixed":"1.18.0"},{"introduced":"1.0.0"}]}]"#, 0),
        (#""ranges":[{"type":"SEMVER","events":[{"introduced":"1.18.1"}]}]"#, 0),
        (#""ranges":[{"type":"SEMVER","events":[{"introduced":"1.2.0"},{"last_affected":"1.18.0"}]}]"#, 1),
        (#""ranges":[{"type":"SEMVER","events":[{"introduced":"1.18.0-beta.1"},{"fixed":"1.18.0"}]}]"#, 0),
        (#""versions":["1.18.0"]"#, 1), (#""versions":["1.17.0"]"#, 0),
    ])
    func `an advisory is about the versions in its ranges`(versions: String, status: Int32) throws {
        let output = try advisories(Self.advisory("https://github.com/apple/swift-nio-http2.git", versions))
        #expect(output.status == status)
        #expect(
            output.text.contains("swift-nio-http2 1.18.0: T-1 (CVE-1): a summary") == (status == 1), "\(output.stderr)")
        #expect(try advisories(Self.advisory("github.com/apple/swift-nio", versions)).status == 0)
    }

    @Test func `newer versions are named, and are not advisories`() throws {
        let output = try advisories(
            """
            {"name":"sqlite","version":"3.46.0"}
            {"name":"https://github.com/apple/swift-nio-http2","version":"1.18.0"}
            """)
        #expect(output.status == 0 && output.lines == ["sqlite 3.40.1: 3.46.0 is newer"], "\(output.stderr)")
    }
}
