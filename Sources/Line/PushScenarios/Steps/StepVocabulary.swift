public import PushGherkinRunner

extension StepLibrary where World == ScenarioWorld {
    /// The steps of `pushpipe test`.
    ///
    /// - Throws: `PatternError` when a pattern is not a Cucumber Expression. The project's own tests make sure that
    ///   none is released.
    public static func pushes() throws(PatternError) -> StepLibrary {
        var library = StepLibrary()
        try StepVocabulary.addSettings(to: &library)
        try StepVocabulary.addPushes(to: &library)
        try StepVocabulary.addFaults(to: &library)
        try StepVocabulary.addOutcomes(to: &library)
        try StepVocabulary.addScreens(to: &library)
        try StepVocabulary.addLiveActivities(to: &library)
        try StepVocabulary.addDevices(to: &library)
        try StepVocabulary.addTopics(to: &library)
        try StepVocabulary.addFocus(to: &library)
        try StepVocabulary.addAndroid(to: &library)
        try StepVocabulary.addApps(to: &library)
        try StepVocabulary.addAppSights(to: &library)
        try StepVocabulary.addUserActions(to: &library)
        try StepVocabulary.addTapRoutes(to: &library)
        try StepVocabulary.addActions(to: &library)
        try StepVocabulary.addToasts(to: &library)
        try StepVocabulary.addPosts(to: &library)
        try StepVocabulary.addSettingsScreen(to: &library)
        try StepVocabulary.addFindings(to: &library)
        try StepVocabulary.addFilesAndExtensions(to: &library)
        try StepVocabulary.addObstacles(to: &library)
        return library
    }
}

/// The steps by subject, each in an extension and a file of its own.
enum StepVocabulary {
    typealias Library = StepLibrary<ScenarioWorld>
}
