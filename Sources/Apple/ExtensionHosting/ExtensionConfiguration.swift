package import PushModel
package import PushSystem

/// How service extensions run, and how the device behaves where Apple does not say.
public struct ExtensionConfiguration: Sendable {
    /// Path of the program that runs the extension.
    public var executable: String
    /// Its command-line arguments.
    public var arguments: [String] = []
    /// Number of processes that share the pushes. The pushes of one device always go to the same one.
    public var instances = 1
    /// Time from `didReceive` to `serviceExtensionTimeWillExpire`, including start-up. Apple: about 30 seconds.
    public var timeLimit = Duration.seconds(30)
    /// Most bytes of private memory for a process; nil for no limit: more than `usualMemory` beyond its first message is then a finding.
    public var memoryLimit: Int?
    /// The memory with which devices end an extension, in bytes. Apple publishes no figure. Sources: deltachat-ios, issue 2477; talk-ios, issue
    /// 1223, with crash logs.
    package static let usualMemory = 24 << 20
    /// When removals of delivered notifications take effect.
    package var removal = RemovalTiming.immediate
    /// How long the extension waits after a removal before it calls its content handler, by the run's clock. The journal has the
    /// removal and the new notification at their own times. Whether a removal is done in time is decided in real time.
    package var removalWait = Duration.zero
    /// True if the app has the entitlement `com.apple.developer.usernotifications.filtering`, so that empty content shows nothing.
    public var mayFilter = false
    /// False if the app has no entitlement `com.apple.developer.usernotifications.communication`, so that no sender is shown; nil if that
    /// is not known.
    public var mayCommunicate: Bool?
    /// Language of the extension's texts, such as `de`; by default that of the environment.
    package var language: String?
    /// Language of the device, such as `de` or `pt-BR`: what `Locale.current` is. By default that of the environment.
    package var locale: String?
    /// Defaults of app groups by the group's identifier, each as a property list. They are set before the first push.
    package var appGroups: [String: [UInt8]] = [:]
    /// Items that the keychain begins with, as a property list in the form of its file; nil for none.
    package var keychain: [UInt8]?
    /// A file with certificates in PEM format that the extension trusts, as its system does.
    package var certificates: String?
    /// Folder for the extension's home, temporary files and app groups; by default a temporary one that is deleted at the end.
    package var sandbox: String?
    /// Folder that attachments are moved to; by default one in the sandbox.
    package var attachments: String?
    /// Environment variables for extensions, in addition to this process's and the protocol's.
    public var environment: [String: String] = [:]

    /// Replaces a child process: returns non-blocking pipes to its standard input and from its standard output, which are closed when
    /// the process would be ended.
    package var standIn: (@Sendable () -> (input: Int32, output: Int32))?

    /// One process, with Apple's time limit.
    public init(executable: String) {
        self.executable = executable
    }
}

extension RemovalTiming {
    /// Reads `immediate`, `delayed:MS` or `lost-after-handler[:MS]`.
    ///
    /// - Parameter option: as the error names it.
    package init(_ text: String, option: String) throws(PlainError) {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let delay = parts.count == 2 ? Int(parts[1]) : nil
        guard parts.count == 1 || delay.map({ (0...3_600_000).contains($0) }) ?? false else {
            throw PlainError(
                "\(option): '\(parts[parts.count - 1])' is not a number of milliseconds.")
        }
        switch (parts[0], delay) {
        case ("immediate", nil): self = .immediate
        case ("delayed", let delay?): self = .delayed(.milliseconds(delay))
        case ("lost-after-handler", _): self = .lostAfterHandler(.milliseconds(delay ?? 100))
        default:
            throw PlainError("\(option) takes immediate, delayed:MS or lost-after-handler[:MS].")
        }
    }
}

extension Duration {
    /// Reads a time up to a day: `500ms`, `1.5s`, `30`.
    ///
    /// - Parameters:
    ///   - option: as the error names it.
    ///   - allowsZero: true if the time can be 0.
    package static func extensionTimeLimit(
        _ text: String, option: String, allowsZero: Bool = false
    ) throws(PlainError) -> Duration {
        let isMilliseconds = text.hasSuffix("ms")
        let digits = isMilliseconds ? text.dropLast(2) : text.hasSuffix("s") ? text.dropLast() : text[...]
        guard let number = Double(digits), case let milliseconds = isMilliseconds ? number : number * 1000,
            milliseconds > 0 || (allowsZero && milliseconds == 0), milliseconds <= 86_400_000
        else { throw PlainError("\(option) takes a time up to a day, such as 500ms, 1.5s or 30.") }
        return .milliseconds(milliseconds)
    }
}
