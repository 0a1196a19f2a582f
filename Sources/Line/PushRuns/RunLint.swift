import PushFiles
import PushLint
import PushLintConfiguration
import PushPipeline

/// Which of the linter's rules apply to each input: those that its nearest configuration chooses, without what a file next to it
/// has ignored, as for `pushpipe lint`.
struct RunLint {
    /// For the stage.
    let configuration = LintStageConfiguration()
    private var settings: [String?: LintStageConfiguration.Input] = [:]

    /// Reads the configurations of all inputs.
    ///
    /// - Parameter inputs: nil is standard input, to which the configuration of the working directory applies.
    init(_ inputs: [String?]) throws(ConfigurationError) {
        let finder = ConfigurationFinder(
            .nearest, LintOptions(), reader: LintConfiguration.init(yaml:path:directory:))
        for input in inputs {
            let path = input.map { FilePaths.absolute($0) }
            let profile = try finder.profile(forFile: path)
            let isExcluded = path.map { profile.excludes($0) } ?? false
            let suppressions =
                try path.map { path throws(ConfigurationError) in try finder.ignored(besideFile: path) } ?? []
            settings[input] = (isExcluded ? .nothing : profile, suppressions)
        }
        if let first = inputs.first { begin(first) }
    }

    /// Has the rules of an input apply from now on.
    func begin(_ input: String?) { configuration.input = settings[input] ?? (nil, []) }
}
