public import PushModel

/// How service extensions are run, and how the device behaves where Apple leaves room.
public struct ExtensionConfiguration: Sendable {
    /// The program: a path to an executable file.
    public var executable: String
    /// What it is told on its command line.
    public var arguments: [String] = []
    /// Processes to share the pushes between. The pushes of one device always go to the same one.
    public var instances = 1
    /// From `didReceive` to `serviceExtensionTimeWillExpire`, start-up included. Apple: about 30 seconds.
    public var timeLimit = Duration.seconds(30)
    /// Bytes of memory of its own that an extension may use, nil for any. Apple publishes no figure; 24 MB is what people report.
    public var memoryLimit: Int?
    /// When removals of delivered notifications take effect.
    public var removal = RemovalTiming.immediate
    /// Whether the app has the entitlement `com.apple.developer.usernotifications.filtering`, so that empty content shows nothing.
    public var mayFilter = false
    /// Language of the extension's texts, such as `de`; that of the environment unless given.
    public var language: String?
    /// Folder of the extensions' home, temporary files and app groups. A temporary one, deleted at the end, unless given.
    public var sandbox: String?
    /// Folder that attachments are moved to. One in the sandbox unless given.
    public var attachments: String?
    /// Variables that extensions see besides those of this process and those of the protocol.
    public var environment: [String: String] = [:]

    /// Takes the place of starting a process: pipes to its standard input and from its standard output, neither of which blocks. They are
    /// closed when the process would be ended.
    package var standIn: (@Sendable () -> (input: Int32, output: Int32))?

    /// One process, with Apple's limit of time.
    public init(executable: String) {
        self.executable = executable
    }
}
