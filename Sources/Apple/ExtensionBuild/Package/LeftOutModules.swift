import FoundationEssentials
import PushFiles
import PushSystem

/// The code that was left out of the modules of an extension, because the compiler rejected it.
///
/// A whole SDK is imported for a few functions, and its views do not exist on Linux; an app shares files with its extension. Files that the
/// extension alone has are never changed, nor are those beside its class, nor a module whose folder was named.
struct LeftOutModules {
    /// Errors by module and file.
    private typealias Round = [String: [String: Set<LeftOutCode.Problem>]]

    /// The most attempts: after these something else is wrong.
    static let maximumRounds = 24

    private var rounds: [Round] = []
    /// The names of what was left out and why, by module.
    private(set) var names: [String: [String: String]] = [:]
    /// The file that keeps them for the next build of the same sources.
    private let path: String

    /// - Parameter manifest: the manifest of the package, which says what it was compiled with.
    init(of contents: PackageContents, manifest: [UInt8], in cache: String) {
        var hash = FNV1a()
        hash.addPart(manifest)
        for module in contents.modules + [contents.own] {
            for (name, bytes) in module.tree.files.sorted(by: { $0.key < $1.key }) where module.mayCut(name) {
                hash.addPart(name.utf8)
                hash.addPart(bytes)
            }
        }
        path = cache + "/left-out/" + hash.hexadecimal
    }

    /// Leaves out what the last build of the same sources had to leave out.
    mutating func repeatLast(_ contents: inout PackageContents) {
        guard let bytes = try? FileBytes.read(path, limit: FileBytes.maximumBytes),
            let rounds = try? JSONDecoder().decode([Round].self, from: Data(bytes))
        else { return }
        for round in rounds.prefix(Self.maximumRounds) { _ = apply(round, &contents) }
    }

    /// Leaves out what the compiler rejected of the modules.
    ///
    /// - Parameters:
    ///   - lines: its output.
    ///   - folders: those of the modules' sources.
    /// - Returns: false if there is nothing to leave out.
    mutating func leaveOut(
        _ lines: [String], of contents: inout PackageContents, folders: [(module: String, path: String)]
    ) -> Bool {
        guard rounds.count < Self.maximumRounds else { return false }
        var round = Round()
        for line in lines {
            guard let folder = folders.first(where: { line.hasPrefix($0.path) }),
                let found = line.dropFirst(folder.path.utf8.count)
                    .wholeMatch(of: /(.+?):(\d+):(\d+): error: (.*)/), let row = Int(found.2), let column = Int(found.3)
            else { continue }
            let problem = LeftOutCode.Problem(line: row, column: column, message: String(found.4))
            round[folder.module, default: [:]][String(found.1), default: []].insert(problem)
        }
        return apply(round, &contents)
    }

    /// Keeps them, once they have been built.
    func keep() throws(PlainError) {
        guard !rounds.isEmpty, let bytes = try? JSONEncoder().encode(rounds) else { return }
        try FileTree.write(Array(bytes), to: path)
    }

    private mutating func apply(_ round: Round, _ contents: inout PackageContents) -> Bool {
        var isChanged = cut(&contents.own, round)
        for index in contents.modules.indices where cut(&contents.modules[index], round) { isChanged = true }
        if isChanged { rounds.append(round) }
        return isChanged
    }

    private mutating func cut(_ module: inout ModuleSources, _ round: Round) -> Bool {
        let problems = round[module.name, default: [:]].filter { module.mayCut($0.key) }
        guard let found = module.tree.leaveOut(problems, isOnMainActor: module.isOnMainActor) else { return false }
        names[module.name, default: [:]].merge(found) { first, _ in first }
        return true
    }

    // MARK: - Messages

    /// Names in a line of a message; all of them are in the compiler's output.
    private static let maximumShown = 8

    /// The round that is about to begin: each compiles the modules once more.
    var progress: String {
        let modules = names.keys.sorted()
        let count = names.values.reduce(0) { $0 + $1.count }
        return "compiling again (\(rounds.count + 1)) without what is not on Linux: so far \(count) "
            + "declaration\(count == 1 ? "" : "s") of \(modules.joined(separator: ", "))"
    }

    /// A line for each module.
    var notices: [String] {
        names.sorted { $0.key < $1.key }.map { module, names in
            let shown = names.keys.sorted().prefix(Self.maximumShown).joined(separator: ", ")
            let others = names.count > Self.maximumShown ? " and \(names.count - Self.maximumShown) more" : ""
            return "\(module) is built without what is not on Linux: \(shown)\(others); "
                + "the extension ends where it calls one of these functions"
        }
    }

    /// A line for each declaration.
    var details: [String] {
        names.sorted { $0.key < $1.key }.flatMap { module, names in
            names.sorted { $0.key < $1.key }.map { "left out of \(module): \($0): \($1)" }
        }
    }

    /// Why names are missing that the extension uses.
    func reasons(for wanted: Set<String>) -> [String] {
        names.sorted { $0.key < $1.key }.flatMap { module, names in
            names.sorted { $0.key < $1.key }.compactMap { name, reason in
                guard let last = name.split(separator: ".").last, wanted.contains(String(last)) else { return nil }
                return "\(name) is left out of \(module): \(reason)"
            }
        }
    }
}

extension SourceTree {
    /// Leaves out what has errors.
    ///
    /// - Parameter problems: by file.
    /// - Returns: what was left out, and why; nil for nothing.
    mutating func leaveOut(
        _ problems: [String: Set<LeftOutCode.Problem>], isOnMainActor: Bool
    ) -> [String: String]? {
        var names: [String: String] = [:]
        var isChanged = false
        for (file, problems) in problems {
            guard let bytes = files[file] else { continue }
            var code = LeftOutCode(bytes)
            guard code.leaveOut(problems) else { continue }
            replace(file, with: code.source)
            names.merge(code.names) { first, _ in first }
            isChanged = true
        }
        guard isChanged else { return nil }
        replace(LeftOutCode.file, with: Array(LeftOutCode.declaration(isOnMainActor: isOnMainActor).utf8))
        return names
    }
}

/// Leaves out of a source what the compiler rejects: the body of a function, or else the whole declaration.
///
/// Whatever uses a declaration that is gone is rejected in the next round. A function without its body ends the extension, and says so.
package struct LeftOutCode {
    /// An error of the compiler, at a line and a column of bytes, which begin at 1.
    package struct Problem: Hashable, Codable {
        let line: Int
        let column: Int
        let message: String

        package init(line: Int, column: Int, message: String) {
            self.line = line
            self.column = column
            self.message = message
        }
    }

    /// The function that takes the place of a body.
    static let function = "pushpipeLeftOut"
    /// The name of the file that declares it.
    static let file = "pushpipe-left-out.swift"

    package private(set) var source: [UInt8]
    /// Names of what was left out, and the error that was the reason.
    private(set) var names: [String: String] = [:]

    package init(_ source: [UInt8]) { self.source = source }

    /// A source that declares the function, for each module that needs it.
    static func declaration(isOnMainActor: Bool) -> String {
        """
        import UserNotifications

        \(isOnMainActor ? "nonisolated " : "")func \(function)(_ name: String) -> Never {
            let message = name + " was called, which was left out when the extension was built"
            UNUserNotificationCenter.current().report("extension.reported", message)
            // A body that was left out has no value to return. This ends the extension, not the builder.
            fatalError(message)
        }

        """
    }

    /// Leaves out what has these errors.
    ///
    /// - Returns: false if none of them belongs to something that can be left out.
    package mutating func leaveOut(_ problems: Set<Problem>) -> Bool {
        let outline = SwiftOutline(of: source)
        var lines = [0]
        for (index, byte) in source.enumerated() where byte == UInt8(ascii: "\n") { lines.append(index + 1) }
        /// Places in the source, with the text that replaces each.
        var edits: [Range<Int>: String] = [:]
        for problem in problems.sorted(by: { ($0.line, $0.column) < ($1.line, $1.column) }) {
            guard problem.line > 0, problem.line <= lines.count else { continue }
            let place = lines[problem.line - 1] + max(problem.column - 1, 0)
            guard let (range, text, name) = edit(for: problem, at: place, outline.path(to: place)) else { continue }
            edits[range] = text
            if names[name] == nil { names[name] = problem.message }
        }
        // The largest ones: what is in a range that is left out is gone with it.
        var end = source.count
        var kept: [(Range<Int>, String)] = []
        for (range, text) in edits.sorted(by: {
            ($0.key.lowerBound, -$0.key.count) < ($1.key.lowerBound, -$1.key.count)
        }) {
            if let last = kept.last, range.lowerBound < last.0.upperBound { continue }
            kept.append((range, text))
        }
        for (range, text) in kept.reversed() where range.upperBound <= end {
            end = range.lowerBound
            let breaks = source[range].filter { $0 == UInt8(ascii: "\n") }
            source.replaceSubrange(range, with: text.utf8 + breaks)
        }
        return !kept.isEmpty
    }

    private func edit(
        for problem: Problem, at place: Int, _ path: [SwiftOutline.Declaration]
    ) -> (range: Range<Int>, text: String, name: String)? {
        guard let declaration = path.last else { return nil }
        let gone = (declaration.place, "", declaration.name)
        switch declaration.kind {
        case .type:
            guard let body = declaration.body, !body.contains(place) || declaration.parents.isEmpty else {
                // Between its members.
                return gone
            }
            return conformance(problem, at: place, of: declaration) ?? gone
        case .function, .property:
            guard let body = declaration.body else { return gone }
            guard let inner = (declaration.accessors + [body]).first(where: { $0.contains(place) }) else {
                return gone
            }
            // Rejected even so: its result is opaque, or it is one of a result builder.
            if String(decoding: source[inner], as: UTF8.self).contains(Self.function) { return gone }
            return (inner, " \(Self.function)(\"\(declaration.name)\") ", declaration.name)
        case .other: return gone
        }
    }

    /// The protocol that a type was to conform to, if that is what is wrong and the type can be without it.
    private func conformance(
        _ problem: Problem, at place: Int, of type: SwiftOutline.Declaration
    ) -> (range: Range<Int>, text: String, name: String)? {
        let entries = type.parents.dropFirst()
        var index = entries.firstIndex { $0.contains(place) }
        if index == nil, let found = problem.message.firstMatch(of: /does not conform to protocol '([^']+)'/) {
            index = entries.firstIndex { text($0).split(separator: ".").last == found.1 }
        }
        guard let index else { return nil }
        let name = text(entries[index])
        // A class without its superclass would be another one.
        let isProtocol =
            index > entries.startIndex || !type.isClass
            || ["Delegate", "DataSource", "Handler", "Protocol", "able"].contains { name.hasSuffix($0) }
        guard isProtocol else { return nil }
        var range = entries[index]
        if index + 1 < entries.endIndex {
            range = range.lowerBound..<entries[index + 1].lowerBound
        } else {
            // With the colon or the comma.
            range = type.parents[index - 1].upperBound..<range.upperBound
        }
        return (range, " ", "\(type.name): \(name)")
    }

    private func text(_ range: Range<Int>) -> String { String(decoding: source[range], as: UTF8.self) }
}
