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
        didSet { serviceExtension.language = language }
    }
    /// The service extension of the apps.
    var serviceExtension = ScenarioExtension()
}

/// The service extension of a scenario. It is started before the first push that it may change.
struct ScenarioExtension {
    /// A program, a bundle or `builtin:…`; nil without an extension.
    var path: String? {
        didSet { running = nil }
    }
    var removal = RemovalTiming.immediate {
        didSet { running = nil }
    }
    var removalWait = Duration.zero {
        didSet { running = nil }
    }
    var timeLimit = Duration.seconds(30) {
        didSet { running = nil }
    }
    var language: String? {
        didSet { running = nil }
    }
    /// Items that the keychain begins with, as a property list.
    var keychain: [UInt8]? {
        didSet { running = nil }
    }
    /// The path of the `pushpipe` command, which runs built-in extensions.
    var command: String?
    private var running: Running?

    /// The stage that runs the extension; none without an extension.
    ///
    /// - Throws: `StepFailure` if there is no such program.
    mutating func stages() throws -> [any DeliveryStage] {
        guard let path else { return [] }
        if let running { return [ServiceExtensionStage(running.host)] }
        let program: ExtensionProgram
        do throws(ExtensionBuildError) {
            program = try ExtensionProgram(path, language: language, command: command)
        } catch {
            throw StepFailure("the extension cannot be started: \(error)")
        }
        var configuration = ExtensionConfiguration(executable: program.executable)
        program.apply(to: &configuration)
        configuration.removal = removal
        configuration.removalWait = removalWait
        configuration.timeLimit = timeLimit
        configuration.keychain = keychain
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
