import ExtensionBuild
import ExtensionHosting
import PushFiles
import PushGherkinRunner
import PushModel
import PushPipeline
import PushSystem

/// Files next to the feature file: pushes, and service extensions.
extension StepVocabulary {
    static func addFilesAndExtensions(to library: inout Library) throws(PatternError) {
        try library.add(
            .when, "the push(es) in the file {string} arrive(s)",
            summary:
                "Delivers a file of up to 16 MiB, in any form that `run` reads. Its path is relative to the feature file.",
            example: "When the pushes in the file \"../quickstart.ndjson\" arrive"
        ) { world, step in
            let path = try world.readablePath(try step.text(0))
            let bytes: [UInt8]
            do throws(SystemError) {
                bytes = try FileBytes.read(path, limit: FileBytes.maximumDocumentBytes)
            } catch {
                let reason = FileBytes.message(for: error, limit: FileBytes.maximumDocumentBytes)
                throw StepFailure("\(path): \(reason)")
            }
            try world.receive(bytes)
        }
        try library.add(
            .given, "the extension {string}",
            summary: """
                Like `run --extension`: a service extension, which runs for pushes with `mutable-content`. A program or an `.appex`, relative to \
                the feature file, or `builtin:attachment=KEY` or `builtin:localize=FILE`.
                """,
            example: "Given the extension \"../Extensions/mention.py\""
        ) { world, step in
            guard world.confinement == nil else {
                throw StepFailure(
                    "a service extension is a program, and none is started here; run it with pushpipe test")
            }
            let path = try step.text(0)
            world.surroundings.serviceExtension.path = builtin(path, world) ?? world.path(path)
        }
        try library.add(
            .given, "the extension's keychain begins with the items in {string}",
            summary: "Like `run --keychain`: a JSON array or a property list, relative to the feature file.",
            example: "Given the extension's keychain begins with the items in \"keychain.json\""
        ) { world, step in
            let path = try world.readablePath(stepText(step))
            do throws(ExtensionBuildError) {
                world.surroundings.serviceExtension.keychain = try KeychainSeed.read(path)
            } catch {
                throw StepFailure(error.message)
            }
        }
        try library.add(
            .given, "the extension's removals are {string}",
            summary:
                "Like `run --removal`, for your own extension and for one that replaces by an id: immediate, delayed:MS, or lost-after-handler[:MS].",
            example: "Given the extension's removals are \"delayed:100\""
        ) { world, step in
            do throws(ExtensionOptionError) {
                world.surroundings.serviceExtension.removal = try RemovalTiming(
                    stepText(step), option: "the timing of removals")
            } catch {
                throw StepFailure(error.message)
            }
        }
        try library.add(
            .given, "the extension waits {string} after a removal",
            summary:
                "Like `run --removal-wait`: the journal has the removal and the new notification at their own times.",
            example: "Given the extension waits \"200ms\" after a removal"
        ) { world, step in
            do throws(ExtensionOptionError) {
                world.surroundings.serviceExtension.removalWait = try .extensionTimeLimit(
                    stepText(step), option: "the extension's wait", allowsZero: true)
            } catch {
                throw StepFailure(error.message)
            }
        }
        try library.add(
            .given, "the extension has {string} to change a push",
            summary: "Like `run --extension-timeout`: a time up to a day, such as 500ms, 1.5s or 30.",
            example: "Given the extension has \"500ms\" to change a push"
        ) { world, step in
            do throws(ExtensionOptionError) {
                world.surroundings.serviceExtension.timeLimit = try .extensionTimeLimit(
                    stepText(step), option: "the extension's time")
            } catch {
                throw StepFailure(error.message)
            }
        }
    }

    static func addObstacles(to library: inout Library) throws(PatternError) {
        try library.add(
            .then, "the extension of record {int} is not started because of {string}",
            summary: """
                Why the system would not start the service extension for a push: `android`, `web`, `push-type`, `no-alert`, \
                `not-mutable`, `not-authorized`, `offline` or `not-delivered`. It needs a step that gives the app an extension.
                """,
            example: "Then the extension of record 2 is not started because of \"not-mutable\""
        ) { world, step in
            let wanted = try step.text(1)
            guard ExtensionObstacle.allCases.contains(where: { "\($0.name)" == wanted }) else {
                let names = ExtensionObstacle.allCases.map { "\($0.name)" }.joined(separator: ", ")
                throw StepFailure("unknown obstacle \"\(wanted)\"; the obstacles are \(names)")
            }
            for line in try world.messages(ofRecord: try step.int(0)) where line.extensionObstacle != wanted {
                let found =
                    line.extensionObstacle.map { "not started because of \"\($0)\"" } ?? "not kept from starting"
                throw StepFailure("the extension of record \(line.seq) is \(found); the record is \(line)")
            }
        }
    }

    private static func stepText(_ step: StepInput) -> String { (try? step.text(0)) ?? "" }

    /// A built-in extension, with the path of its file; nil for any other extension.
    private static func builtin(_ path: String, _ world: ScenarioWorld) -> String? {
        let localize = "builtin:localize="
        guard path.hasPrefix("builtin:") else { return nil }
        return path.hasPrefix(localize) ? localize + world.path(String(path.dropFirst(localize.count))) : path
    }
}

extension ScenarioWorld {
    /// A path of a step, which is relative to the feature file.
    func path(_ text: String) -> String { text.hasPrefix("/") ? text : FilePaths.joined(folder, text) }

    /// The path of a file that the scenario may read.
    func readablePath(_ text: String) throws(StepFailure) -> String {
        let path = path(text)
        guard let confinement else { return path }
        // A link to somewhere else does not help.
        guard let resolved = try? FileSystem.resolved(path),
            confinement.contains(where: { $0 == "/" || resolved.hasPrefix($0 + "/") })
        else { throw StepFailure("\(path) is not a file below \(confinement.joined(separator: " or "))") }
        return resolved
    }
}
