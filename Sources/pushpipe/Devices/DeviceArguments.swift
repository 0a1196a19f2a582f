import ArgumentParser
import DeviceRegistry
import PushPipeline

/// Options of `run` and `trace` for devices and rate limits.
struct DeviceArguments: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Register the devices of this file before the first record: an object a line, as device events are.",
            valueName: "file"), completion: .file())
    var devices: String?

    @Option(
        help: ArgumentHelp(
            "Give devices the permissions and switches of this file, which pushpipe preferences writes; see --mapping.",
            valueName: "file"), completion: .file())
    var preferences: String?

    @Option(
        help: ArgumentHelp(
            "Whether a token that nothing has registered can be reached: accept, or reject as its provider would.",
            valueName: "what"))
    var unknownDevices = UnknownDevices.accept

    @Option(
        help: ArgumentHelp(
            "What pushes are about, for devices on which types of notifications are switched: a file as preferences takes it.",
            valueName: "file"), completion: .file())
    var mapping: String?

    @Option(help: ArgumentHelp("Refuse what is more than this for one token within a minute.", valueName: "n"))
    var pushesPerMinute: Int?

    @Option(help: ArgumentHelp("Refuse what is more than this of one app within a minute.", valueName: "n"))
    var appPushesPerMinute: Int?

    @Option(
        help: ArgumentHelp("Hand on no more background pushes than this to an app within an hour.", valueName: "n"))
    var backgroundPushesPerHour: Int?

    @Flag(
        help: """
            Sweep away tokens that nobody confirms within a minute, on the hour; disable a token that turns out to be dead, tell its \
            owner once, and delete it after 30 days.
            """)
    var tokenLifeCycle = false

    enum UnknownDevices: String, ExpressibleByArgument, CaseIterable {
        case accept, reject
    }

    /// The options, validated.
    ///
    /// - Throws: `ValidationError`.
    func policy() throws -> DevicePolicy {
        var policy = DevicePolicy()
        policy.rejectsUnknownDevices = unknownDevices == .reject
        policy.pushesPerMinute = try Self.limit(pushesPerMinute, "--pushes-per-minute")
        policy.pushesPerMinuteOfSender = try Self.limit(appPushesPerMinute, "--app-pushes-per-minute")
        policy.backgroundPushesPerHour = try Self.limit(backgroundPushesPerHour, "--background-pushes-per-hour")
        if tokenLifeCycle { policy.tokenLifeCycle = TokenLifeCycle() }
        return policy
    }

    private static func limit(_ number: Int?, _ option: String) throws -> Int? {
        guard let number else { return nil }
        let limits = DevicePolicy.limits
        guard limits.contains(number) else {
            throw ValidationError("\(option) takes a number from \(limits.lowerBound) to \(limits.upperBound).")
        }
        return number
    }
}
