import PushFiles

/// Finds names that a package declares for other systems than Linux alone, for messages about names that the compiler did not find.
enum LeftOutNames {
    private static let kinds: Set<String> = [
        "class", "struct", "enum", "actor", "protocol", "typealias", "func", "let", "var", "case", "init",
    ]

    /// A line for each place that has some of the names.
    ///
    /// - Parameters:
    ///   - names: those that were not found.
    ///   - folders: packages that SwiftPM builds as they are.
    static func notices(for names: Set<String>, in folders: Set<String>) -> [String] {
        var notices: [String] = []
        guard !names.isEmpty else { return [] }
        for folder in folders.sorted() {
            let scope = ProjectScope(root: folder)
            let package = XcodePackage(source: .local(folder)).identity
            let files = (try? FileTree.files(below: folder, atMost: XcodeProject.maximumFiles)) ?? []
            for file in files.filter({ $0.hasSuffix(".swift") && !$0.contains("Tests/") && !$0.hasPrefix(".") }) {
                guard let source = scope.read(folder + "/" + file, limit: FileBytes.maximumDocumentBytes) else {
                    continue
                }
                let found = conditional(names, in: source)
                for (condition, names) in found.sorted(by: { $0.key < $1.key }) {
                    notices.append(
                        "\(names.sorted().joined(separator: ", ")): the package \(package) leaves it out on Linux "
                            + "(\(file): \(condition)); leave out what uses it, or change that condition in a copy of the package and "
                            + "give the copy as a package")
                }
            }
        }
        return notices
    }

    /// The names that are declared within a condition, by the innermost one.
    private static func conditional(_ names: Set<String>, in source: [UInt8]) -> [String: Set<String>] {
        let read = SwiftTokens(source)
        var conditions: [String] = []
        var found: [String: Set<String>] = [:]
        for (index, token) in read.tokens.enumerated() where index + 1 < read.tokens.count {
            switch (token, read.tokens[index + 1]) {
            case (.mark(UInt8(ascii: "#")), .word("if")):
                let start = read.places[index].lowerBound
                let line = source[start...].prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
                conditions.append(String(decoding: line, as: UTF8.self))
            case (.mark(UInt8(ascii: "#")), .word("endif")): _ = conditions.popLast()
            case (.word(let kind), .word(let name)) where kinds.contains(kind) && names.contains(name):
                if let condition = conditions.last { found[condition, default: []].insert(name) }
            default: break
            }
        }
        return found
    }
}
