import AppSimulation
import PushGherkinRunner
import WikimediaSettings

/// Steps that work for another release.
extension StepVocabulary {
    /// Steps that ask the settings what would happen to a push, from before the settings were those of a device.
    static func addOldSights(to library: inout Library) throws(PatternError) {
        try library.add(
            .then, "a push about {string} is delivered",
            summary: "Deprecated: let a push arrive, and check its outcome. The settings allow pushes of this type.",
            example: "Then a push about \"mention\" is delivered"
        ) { world, step in
            let decision = world.settings.machine.device.decision(about: NotificationType(try step.text(0)))
            if case .suppressed(let reason) = decision { throw StepFailure("it is suppressed: \(reason.name)") }
        }
        try library.add(
            .then, "a push about {string} is suppressed because of {string}",
            summary: """
                Deprecated: let a push arrive, and check its outcome. The settings suppress pushes of this type, with the reason in the report.
                """,
            example: "Then a push about \"mention\" is suppressed because of \"type-off\""
        ) { world, step in
            let decision = world.settings.machine.device.decision(about: NotificationType(try step.text(0)))
            guard case .suppressed(let reason) = decision else { throw StepFailure("it is delivered") }
            guard reason.name == (try step.text(1)) else { throw StepFailure("it is suppressed: \(reason.name)") }
        }
    }
}
