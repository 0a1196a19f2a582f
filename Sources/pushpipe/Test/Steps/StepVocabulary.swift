import Scenarios

/// The steps of `pushpipe test`, by subject. A subject is a file: an extension with its steps, named here.
enum StepVocabulary {
    typealias Library = StepLibrary<ScenarioWorld>

    /// - Throws: `PatternError`, when a pattern is no Cucumber Expression. A test asks for the library, so that none is released.
    static func library() throws -> Library {
        var library = Library()
        try addSettings(to: &library)
        try addPushes(to: &library)
        try addOutcomes(to: &library)
        try addScreens(to: &library)
        try addDevices(to: &library)
        try addApps(to: &library)
        try addSettingsScreen(to: &library)
        return library
    }
}
