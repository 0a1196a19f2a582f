import FileAccess
import PushLint
import PushLintConfiguration
import PushPipeline

/// Which of the linter's rules apply to each input: those that its nearest configuration chooses, as for `pushpipe lint`.
struct RunLint {
    /// For the stage.
    let configuration = LintStageConfiguration()
    private var profiles: [String?: LintProfile] = [:]

    /// Reads the configurations of all inputs.
    ///
    /// - Parameter inputs: nil is standard input, to which the configuration of the working directory applies.
    init(_ inputs: [String?]) throws(ConfigurationError) {
        let finder = ConfigurationFinder(
            .nearest, LintOptions(), reader: LintConfiguration.init(yaml:path:directory:))
        for input in inputs {
            let path = input.map { FilePaths.absolute($0) }
            let profile = try finder.profile(forFile: path)
            profiles[input] = path.map { profile.excludes($0) } == true ? .nothing : profile
        }
        if let first = inputs.first { begin(first) }
    }

    /// Has the rules of an input apply from now on.
    func begin(_ input: String?) { configuration.profile = profiles[input] }
}
