import Foundation
import PushSystem
import Synchronization
import TestSupport
import Testing

@testable import ExtensionBuild

/// Views and the like in packages, which do not exist on Linux, are left out.
struct LeftOutTests {
    // MARK: - One source

    /// A source, where the word `Gone` or `gone` is what the compiler does not find, and the same without it.
    private static let sources: [(before: String, after: String)] = [
        // The body of a function; the next one stays.
        (
            "func a() -> Int { gone() }\nfunc b() {}\n",
            "func a() -> Int { pushpipeLeftOut(\"a\") }\nfunc b() {}\n"
        ),
        // Lines keep their numbers.
        (
            "struct A {\n    init() {\n        gone()\n    }\n}\nlet x = 1\n",
            "struct A {\n    init() { pushpipeLeftOut(\"A.init\") \n\n}\n}\nlet x = 1\n"
        ),
        // A parameter, a result, a property, a case: the declaration, with its attributes.
        (
            "class A {\n    @available(iOS 15, *)\n    public static func a(_ x: [Gone]) {}\n    var y = 1\n}\n",
            "class A {\n    \n\n    var y = 1\n}\n"
        ),
        (
            "struct A {\n    var x: Gone? = nil\n    var y = [1: { 2 }]\n}\n",
            "struct A {\n    \n    var y = [1: { 2 }]\n}\n"
        ),
        ("enum A {\n    case b(Gone)\n    case c\n}\n", "enum A {\n    \n    case c\n}\n"),
        // An initial value is no body.
        (
            "struct A {\n    let x = {\n        gone()\n    }()\n    let y = 2\n}\n",
            "struct A {\n    \n\n\n    let y = 2\n}\n"
        ),
        // One accessor of two.
        (
            "struct A {\n    var x: Int {\n        get { 1 }\n        set { gone(newValue) }\n    }\n}\n",
            "struct A {\n    var x: Int {\n        get { 1 }\n        set { pushpipeLeftOut(\"A.x\") }\n    }\n}\n"
        ),
        ("var x: Int { gone }\n", "var x: Int { pushpipeLeftOut(\"x\") }\n"),
        // Attributes under a condition belong to the declaration after it.
        (
            "#if swift(>=5.8)\n@_documentation(visibility: private)\n#else\n@a\n#endif\npublic struct A: B { let c: Gone }\nlet d = 1\n",
            "#if swift(>=5.8)\n@_documentation(visibility: private)\n#else\n@a\n#endif\npublic struct A: B {  }\nlet d = 1\n"
        ),
        (
            "#if swift(>=5.8)\n@a(b: c)\n#endif\n#if X\n@d\n#endif\npublic func e(_ f: Gone) {}\n#if X\nlet g = 1\n#endif\n",
            "\n\n\n\n\n\n\n#if X\nlet g = 1\n#endif\n"
        ),
        // A superclass: the class. A protocol: only that it conforms.
        ("final class A: Gone {\n    func b() {}\n}\nstruct C {}\n", "\n\n\nstruct C {}\n"),
        ("class A: NSObject, Gone, Codable {}\n", "class A: NSObject,  Codable {}\n"),
        ("class A: NSObject, Gone {}\n", "class A: NSObject  {}\n"),
        ("class A: GoneDelegate {}\n", "class A  {}\n"),
        ("extension A: Gone { func b() {} }\n", "extension A  { func b() {} }\n"),
        ("extension Gone { func b() {} }\n", "\n"),
        // Braces and words in texts, comments and conditions.
        (
            "#if os(iOS)\nfunc a() { print(\"}\") /* { */ ; gone() }\n#endif\nprotocol P { func b(); func c(_: Gone) }\n",
            "#if os(iOS)\nfunc a() { pushpipeLeftOut(\"a\") }\n#endif\nprotocol P { func b();  }\n"
        ),
        (
            "import Foundation\n#if canImport(UIKit)\nimport Gone\n#endif\n",
            "import Foundation\n#if canImport(UIKit)\n\n#endif\n"
        ),
    ]

    private static func problems(_ text: String) -> Set<LeftOutCode.Problem> {
        var problems: Set<LeftOutCode.Problem> = []
        for (row, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            for word in line.matches(of: /[Gg]one/) {
                let column = line.utf8.distance(from: line.startIndex, to: word.range.lowerBound) + 1
                problems.insert(.init(line: row + 1, column: column, message: "cannot find '\(word.output)' in scope"))
            }
        }
        return problems
    }

    @Test(arguments: sources)
    func `the body is left out, or else the declaration`(before: String, after: String) {
        var code = LeftOutCode(Array(before.utf8))
        let isChanged = code.leaveOut(Self.problems(before))
        #expect(isChanged)
        #expect(String(decoding: code.source, as: UTF8.self) == after)
    }

    @Test func `a body that is rejected without its contents, too, goes with its declaration`() {
        var code = LeftOutCode(Array("var a: some View { Gone() }\nvar b = 1\n".utf8))
        let problems: Set<LeftOutCode.Problem> = [.init(line: 1, column: 20, message: "no")]
        _ = code.leaveOut(problems)
        #expect(String(decoding: code.source, as: UTF8.self).hasPrefix("var a: some View { pushpipeLeftOut"))
        _ = code.leaveOut(problems)
        #expect(String(decoding: code.source, as: UTF8.self) == "\nvar b = 1\n")
        #expect(code.names == ["a": "no"])
    }

    @Test func `a place outside of all declarations changes nothing`() {
        for (line, column) in [(1, 1), (3, 9), (0, 0), (99, 1), (2, 10_000)] {
            var code = LeftOutCode(Array("// a\n\n}}} {{{ (\nfunc".utf8))
            let isChanged = code.leaveOut([.init(line: line, column: column, message: "no")])
            #expect(!isChanged)
        }
    }

    @Test func `types in types have a limit`() {
        let depth = 10_000
        let text = String(repeating: "enum A { ", count: depth) + String(repeating: "} ", count: depth)
        #expect(SwiftOutline(of: Array(text.utf8)).declarations.count < depth)
    }

    @Test(arguments: [
        "class A {", "class A { func f() {", "extension A: B, {", "class A { var x ]}", "enum {", "#if X {",
    ])
    func `a source that ends too early is read to its end`(text: String) {
        var code = LeftOutCode(Array(text.utf8))
        _ = code.leaveOut([.init(line: 1, column: 7, message: "no"), .init(line: 1, column: text.count, message: "no")])
        #expect(!code.source.contains(UInt8(ascii: "\n")))
    }

    // MARK: - A build

    /// Rejects each line of a module, or of the extension, that has a word with `Gone`.
    private struct RejectingCompiler: ExtensionCompiler {
        var inner: MockCompiler

        func compile(_ build: PackageBuild, line: (String) -> Void) throws(PlainError) -> Bool {
            var isRejected = false
            for part in ["Modules", "Extension"] where !isRejected && !build.isLibrary {
                let folder = "\(build.folder)/\(part)"
                for name in FileManager.default.subpaths(atPath: folder) ?? [] where name.hasSuffix(".swift") {
                    let text = (try? String(contentsOfFile: folder + "/" + name, encoding: .utf8)) ?? ""
                    for problem in LeftOutTests.problems(text) {
                        line("\(folder)/\(name):\(problem.line):\(problem.column): error: \(problem.message)")
                        isRejected = true
                    }
                }
            }
            guard !isRejected else {
                inner.log?.lines.withLock { $0.append("rejected") }
                return false
            }
            return try inner.compile(build, line: line)
        }

        func fetchPackages(of folder: String, line: (String) -> Void) throws(PlainError) -> Bool {
            try inner.fetchPackages(of: folder, line: line)
        }
        func fetch(_ packages: [XcodePackage], in folder: String) throws(PlainError) -> FetchedPackages {
            try inner.fetch(packages, in: folder)
        }
        func identity() throws(PlainError) -> String { try inner.identity() }
        func describePackage(in folder: String) throws(PlainError) -> [UInt8] {
            try inner.describePackage(in: folder)
        }
        mutating func prepareSandbox(root: String) -> String? { nil }
        func confined(to access: BuildAccess) -> RejectingCompiler { self }
    }

    private static let description = """
        {"name":"Kit","targets":[{"name":"Kit","type":"regular"}],
         "products":[{"name":"Kit","targets":["Kit"],"type":{"library":["automatic"]}}]}
        """

    private func workshop() throws -> Workshop {
        let workshop = try Workshop()
        try workshop.write("// \"Kit\"", to: "Push/Kit/Package.swift")
        try workshop.write(
            "public class Cell: GoneView {}\npublic func key() -> Int { 1 }\n", to: "Push/Kit/Sources/Kit/Kit.swift")
        try workshop.write("import Kit\n" + serviceSource(), to: "Push/Service.swift")
        return workshop
    }

    @Test func `a package's module is built without what does not exist, and the next time at once`() throws {
        let workshop = try workshop()
        let log = MockCompiler.Log()
        let compiler = RejectingCompiler(inner: MockCompiler(packages: ["Kit": Self.description], log: log))
        let output = try workshop.build(["Push"], compiler: compiler)
        #expect(output.status == 0, "\(output.stderr)")
        #expect(
            output.stderr == """
                pushpipe: Kit is built without what is not on Linux: Cell; the extension ends where it calls one of these functions

                """)
        #expect(
            output.progress.last
                == "compiling again (2) without what is not on Linux: so far 1 declaration of Kit")
        #expect(output.verbose.contains("left out of Kit: Cell: cannot find 'Gone' in scope\n"))
        let copy = try workshop.read(try workshop.generated("Modules/Kit/Kit.swift"))
        #expect(copy == "\npublic func key() -> Int { 1 }\n")
        #expect(try workshop.build(["Push"], compiler: compiler).stderr == output.stderr)
        #expect(log.lines.withLock { $0 } == ["rejected", "build Push", "build Push"])
    }

    @Test func `the extension's own sources are not changed, and learn why a name is missing`() throws {
        let workshop = try workshop()
        try workshop.write("import Kit\nlet cell = GoneCell()\n" + serviceSource(), to: "Push/Service.swift")
        try workshop.write("public class Gone: GoneView {}\n", to: "Push/Kit/Sources/Kit/Kit.swift")
        let compiler = RejectingCompiler(inner: MockCompiler(packages: ["Kit": Self.description]))
        let output = try workshop.build(["Push"], compiler: compiler)
        #expect(output.status == 1)
        #expect(output.stderr.contains("Push/Service.swift:2:12: error: cannot find 'Gone' in scope\n"))
        #expect(output.stderr.contains("pushpipe: Gone is left out of Kit: cannot find 'Gone' in scope\n"))
        #expect(!output.stderr.contains("Kit.swift:"))
    }

    @Test func `a file that an app shares with its extension is built without what does not exist`() throws {
        let workshop = try Workshop()
        try workshop.write(
            "import SwiftUI\nlet tint = GoneColor()\nlet group = \"group.example\"\n", to: "App/Shared/Theme.swift")
        try workshop.write(serviceSource(), to: "App/Push/Service.swift")
        try workshop.writeProject("Shared/Theme.swift", "Push/Service.swift", app: ["Shared/Theme.swift"])
        let compiler = RejectingCompiler(inner: MockCompiler())
        func build() throws -> Workshop.Output {
            try workshop.build([], compiler: compiler, configure: { $0.project = workshop.path("App/App.xcodeproj") })
        }
        let output = try build()
        #expect(output.status == 0, "\(output.stderr)")
        #expect(
            output.stderr == """
                pushpipe: Push is built without what is not on Linux: tint; the extension ends where it calls one of these functions
                pushpipe: import SwiftUI is left out: there is no such module on Linux, and what uses it is left out

                """)
        let copy = try workshop.read(try workshop.generated("Extension/Push/Shared/Theme.swift"))
        #expect(copy == String(repeating: " ", count: 14) + "\n\nlet group = \"group.example\"\n")

        // Files of the extension alone stay as they are, wherever they are.
        try workshop.write("let row = GoneRow()\n", to: "App/Push/Helpers/Row.swift")
        try workshop.write(serviceSource(), to: "App/Push/Service/Service.swift")
        try workshop.writeProject(
            "Shared/Theme.swift", "Push/Service/Service.swift", "Push/Helpers/Row.swift", app: ["Shared/Theme.swift"])
        let own = try build()
        #expect(own.status == 1 && own.stderr.contains("Row.swift:"), "\(own.stderr)")
        try workshop.writeProject("Shared/Theme.swift", "Push/Service.swift", app: ["Shared/Theme.swift"])

        // So does the folder of its class.
        try workshop.write(serviceSource() + "let cell = GoneCell()\n", to: "App/Push/Service.swift")
        let failed = try build()
        #expect(failed.status == 1)
        #expect(failed.stderr.contains("Service.swift:"))
        #expect(!failed.stderr.contains("Theme.swift"), "\(failed.stderr)")
    }

    @Test func `a folder that was named as a module is compiled as it is`() throws {
        let workshop = try workshop()
        let compiler = RejectingCompiler(inner: MockCompiler(packages: ["Kit": Self.description]))
        let output = try workshop.build(
            ["Push/Service.swift"], compiler: compiler,
            configure: { $0.modules = ["Kit": workshop.path("Push/Kit/Sources/Kit")] })
        #expect(output.status == 1)
        #expect(output.stderr.contains("Kit.swift:1:20: error: "))
    }
}
