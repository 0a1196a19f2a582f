import FoundationEssentials
import PushFiles
import PushSystem

/// The code that was left out of the modules of an extension, because the compiler rejected it.
///
/// A whole SDK is imported for a few functions, and its views do not exist on Linux. The extension's own sources are never changed, and
/// neither is a module whose folder was named.
struct LeftOutModules {
    /// Errors by module and file.
    private typealias Round = [String: [String: Set<LeftOutCode.Problem>]]

    /// After so many attempts something else is wrong.
    static let maximumRounds = 24

    private var rounds: [Round] = []
    /// By module, what was left out and why.
    private(set) var names: [String: [String: String]] = [:]
    /// Where they are kept for the next build of the same sources.
    private let path: String

    /// - Parameter manifest: the manifest of the package, which says what it was compiled with.
    init(of contents: PackageContents, manifest: [UInt8], in cache: String) {
        var hash = FNV1a()
        hash.addPart(manifest)
        for module in contents.modules where module.mayBeCut {
            for (name, bytes) in module.tree.files.sorted(by: { $0.key < $1.key }) {
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
    ///   - folder: the folder of a module's sources.
    /// - Returns: false if there is nothing to leave out.
    mutating func leaveOut(
        _ lines: [String], of contents: inout PackageContents, folder: (String) -> String
    ) -> Bool {
        guard rounds.count < Self.maximumRounds else { return false }
        var round = Round()
        let modules = contents.modules.filter(\.mayBeCut).map { (name: $0.name, folder: folder($0.name) + "/") }
        for line in lines {
            guard let module = modules.first(where: { line.hasPrefix($0.folder) }),
                let found = line.dropFirst(module.folder.utf8.count)
                    .wholeMatch(of: /(.+?):(\d+):(\d+): error: (.*)/), let row = Int(found.2), let column = Int(found.3)
            else { continue }
            let problem = LeftOutCode.Problem(line: row, column: column, message: String(found.4))
            round[module.name, default: [:]][String(found.1), default: []].insert(problem)
        }
        return apply(round, &contents)
    }

    /// Keeps them, once they have been built.
    func keep() throws(ExtensionBuildError) {
        guard !rounds.isEmpty, let bytes = try? JSONEncoder().encode(rounds) else { return }
        try FileTree.write(Array(bytes), to: path)
    }

    private mutating func apply(_ round: Round, _ contents: inout PackageContents) -> Bool {
        var isChanged = false
        for index in contents.modules.indices where contents.modules[index].mayBeCut {
            let module = contents.modules[index]
            guard let problems = round[module.name],
                let found = contents.modules[index].tree.leaveOut(problems, isOnMainActor: module.isOnMainActor)
            else { continue }
            names[module.name, default: [:]].merge(found) { first, _ in first }
            isChanged = true
        }
        if isChanged { rounds.append(round) }
        return isChanged
    }

    // MARK: - Messages

    /// Names in a line of a message; all of them are in the compiler's output.
    private static let maximumShown = 8

    /// A line for each module.
    var notices: [String] {
        names.sorted { $0.key < $1.key }.map { module, names in
            let shown = names.keys.sorted().prefix(Self.maximumShown).joined(separator: ", ")
            let others = names.count > Self.maximumShown ? " and \(names.count - Self.maximumShown) more" : ""
            return "\(module) is built without \(shown)\(others), which use what is not on Linux; "
                + "the extension ends where it calls a function of these"
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
