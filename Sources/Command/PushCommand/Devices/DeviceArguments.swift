import ArgumentParser
import PushDevices
import PushServices

/// Options of `run` and `trace` for devices and rate limits.
struct DeviceArguments: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Register the devices in this file before the first record: one JSON object per line, like device events.",
            valueName: "file"), completion: .file())
    var devices: String?

    @Option(
        help: ArgumentHelp(
            "Settings of the services of Moodle and Wikimedia, in YAML; pushpipe config schema gateway prints the keys.",
            valueName: "file"), completion: .file())
    var config: String?

    @Option(
        help: ArgumentHelp(
            "What to do with an unregistered token: accept it, or reject it as its provider would.",
            valueName: "what"))
    var unknownDevices = UnknownDevices.accept

    @Option(
        help: ArgumentHelp(
            "Rules that give each push its notification type, and say where taps lead and what the app posts; see preferences --mapping.",
            valueName: "file"), completion: .file())
    var mapping: String?

    @Option(help: ArgumentHelp("Reject pushes to a token beyond this number per minute.", valueName: "n"))
    var pushesPerMinute: Int?
    @Option(help: ArgumentHelp("Reject pushes of an app beyond this number per minute.", valueName: "n"))
    var appPushesPerMinute: Int?

    @Option(
        help: ArgumentHelp("Deliver at most this many background pushes to an app per hour.", valueName: "n"))
    var backgroundPushesPerHour: Int?

    @Option(
        help: ArgumentHelp(
            "Drop updates of priority 10 to a Live Activity beyond this number per hour.", valueName: "n"))
    var activityUpdatesPerHour: Int?

    @Option(
        help: ArgumentHelp(
            "Drop notifications of an Android app that shows this many; 25 in some versions of Android.", valueName: "n"
        ))
    var androidNotifications = DevicePolicy().notificationsPerAndroidApp

    enum UnknownDevices: String, ExpressibleByArgument, CaseIterable {
        case accept, reject
    }

    /// The settings of services: those of the file, with the rules of `--mapping` in place of its own.
    ///
    /// - Throws: `RunError`.
    func settings() throws -> GatewayFile {
        if config == "" { throw ValidationError("--config needs a file name.") }
        var settings = try config.map { try GatewayFile(path: $0) } ?? GatewayFile()
        settings.mappingPath = mapping ?? settings.mappingPath
        return settings
    }

    /// The options, validated.
    ///
    /// - Throws: `ValidationError`.
    func policy(_ settings: GatewayFile) throws -> DevicePolicy {
        var policy = DevicePolicy()
        policy.rejectsUnknownDevices = unknownDevices == .reject
        policy.pushesPerMinute = try OptionValue.rate(pushesPerMinute, option: "--pushes-per-minute")
        policy.pushesPerMinuteOfSender = try OptionValue.rate(appPushesPerMinute, option: "--app-pushes-per-minute")
        policy.backgroundPushesPerHour = try OptionValue.rate(
            backgroundPushesPerHour, option: "--background-pushes-per-hour")
        policy.activityUpdatesPerHour = try OptionValue.rate(
            activityUpdatesPerHour, option: "--activity-updates-per-hour")
        if let most = try OptionValue.rate(androidNotifications, option: "--android-notifications") {
            policy.notificationsPerAndroidApp = most
        }
        if settings.maintainsTokens { policy.tokenLifeCycle = TokenLifeCycle() }
        return policy
    }
}
