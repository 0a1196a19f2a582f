import ExtensionBuild
import ExtensionHosting
import PushGherkinRunner
import PushModel
import PushPipeline

/// The surroundings of the apps on the devices of a scenario.
struct Surroundings {
    /// The devices whose notification center covers the app on the screen.
    var raisedCenters: Set<String> = []
    /// The language of the devices, such as `de-AT`.
    var language: String? {
        didSet { serviceExtension.options.language = language }
    }
    /// The service extension of the apps.
    var serviceExtension = ScenarioExtension()
}

/// The service extension of a scenario. It is started before the first push that it may change.
struct ScenarioExtension {
    struct Options {
        /// A program, a bundle or `builtin:…`; nil without an extension.
        var path: String?
        var removal = RemovalTiming.immediate
        var removalWait = Duration.zero
        var timeLimit = Duration.seconds(30)
        var language: String?
        /// Items that the keychain begins with, as a property list.
        var keychain: [UInt8]?
        /// The path of the `pushpipe` command, which runs built-in extensions.
        var command: String?
    }

    /// A change ends the extension that is running.
    var options = Options() {
        didSet { running = nil }
    }
    private var running: Running?

    /// The stage that runs the extension; none without an extension.
    ///
    /// - Throws: `StepFailure` if there is no such program.
    mutating func stages() throws -> [any DeliveryStage] {
        guard let path = options.path else { return [] }
        if let running { return [ServiceExtensionStage(running.host)] }
        let program: ExtensionProgram
        do throws(ExtensionBuildError) {
            program = try ExtensionProgram(path, language: options.language, command: options.command)
        } catch {
            throw StepFailure("the extension cannot be started: \(error)")
        }
        var configuration = ExtensionConfiguration(executable: program.executable)
        program.apply(to: &configuration)
        configuration.removal = options.removal
        configuration.removalWait = options.removalWait
        configuration.timeLimit = options.timeLimit
        configuration.keychain = options.keychain
        let running = Running(try ExtensionHost(configuration))
        self.running = running
        return [ServiceExtensionStage(running.host)]
    }

    /// Ends the extension's processes with the scenario.
    private final class Running {
        let host: ExtensionHost

        init(_ host: ExtensionHost) { self.host = host }

        deinit { host.finish() }
    }
}
