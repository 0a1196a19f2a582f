import FoundationEssentials
package import PushDevices
import PushPipeline
package import PushRuns
import PushSystem
import PushText

/// The job of `pushpipe view`: shows a store in a browser, also while another process writes it, and changes nothing.
package struct ViewJob {
    private let storePath: String
    private let device: String?
    private let open: (_ path: String) throws -> any StoreFile
    private let address: ListenAddress
    private let accessKey: String?
    private let opens: Bool

    /// - Parameters:
    ///   - device: the device that the page begins with; nil to choose there.
    ///   - accessKey: the key of the API's clients, or the file that has it as `@FILE`; nil for the variable
    ///     `PUSHPIPE_ACCESS_KEY`, else none.
    ///   - opens: true to open the page in a browser.
    package init(
        storePath: String, device: String? = nil, on address: ListenAddress, accessKey: String?, opens: Bool,
        open: @escaping (_ path: String) throws -> any StoreFile
    ) {
        self.open = open
        self.address = address
        self.storePath = storePath
        self.device = device
        self.accessKey = accessKey
        self.opens = opens
    }

    /// Shows the store until the streams ask to stop.
    ///
    /// - Throws: `StoreError`, `PlainError`.
    package func view(over network: some GatewayNetwork, to streams: some RunStreams) throws {
        TemporaryFiles.keep(beside: storePath)
        let store = try open(storePath)
        try Self.refusePart(store, at: storePath)
        let text = accessKey ?? Environment.nonEmptyVariable("PUSHPIPE_ACCESS_KEY")
        let access = APIAccess(key: try text.map(APIAccess.key), address: address)
        let gateway = try network.listen(on: GatewayPorts(address), tls: nil, limits: GatewayLimits())
        defer { gateway.shutDown() }
        StopSignal.wake(gateway.wakeUp)
        defer { StopSignal.wake(nil) }
        streams.listenForStop()
        let page = "http://\(gateway.address)/" + (device.map { "#device=\(PercentEncoding.encoded($0))" } ?? "")
        streams.note("pushpipe: showing \(TerminalText.clean(storePath)) on \(page)\n")
        if access.isClosed { streams.note("  the page is closed beyond loopback without an access key\n") }
        if opens, !Self.open(page) { streams.note("  cannot open a browser\n") }
        let session = Self.session(store, path: storePath, access)
        session.note = streams.note
        try gateway.run(session, isStopped: { streams.isStopped }, flush: {})
    }

    /// Row ids of a part are places in the original input, and the page's numbers, which are those of JavaScript, are too small for them.
    static func refusePart(_ store: some StoreFile, at path: String) throws {
        guard let mark = try store.part() else { return }
        throw PlainError(
            "\(path) is \(mark.name) of a divided input; join the parts with pushpipe merge --store, and view that store"
        )
    }

    /// A session that answers from a store, and has nothing else.
    static func session(_ store: some StoreFile, path: String, _ access: APIAccess) -> GatewaySession {
        let traffic = GatewayTraffic()
        // No record goes through it.
        let pipeline = Pipeline(PipelineConfiguration(), store: MemoryStore(keepsJournal: false, keepsContent: false))
        let api = APIService(
            traffic, pipeline, store: store, access: access, host: APIHost(mode: .view, storePath: path))
        let follower = StoreFollower(traffic, version: store.version)
        return GatewaySession(
            pipeline, [ConsoleService(), api, follower, NothingHereService()], traffic: traffic
        ) { _ in }
    }

    /// The programs that open an address in a browser.
    private static var openers: [String] {
        #if canImport(Darwin)
            ["/usr/bin/open"]
        #else
            ["/usr/bin/xdg-open", "/usr/local/bin/xdg-open"]
        #endif
    }

    /// Hands an address to the first of some programs that is there. Does not wait for it: it may run as long as the browser does.
    ///
    /// - Returns: true if there is one.
    static func open(_ page: String, with programs: [String] = openers) -> Bool {
        guard let program = programs.first(where: { FileSystem.hasAccess($0, .existence) }) else { return false }
        let environment = ProcessInfo.processInfo.environment.map { "\($0)=\($1)" }
        // The shell ends at once, so that the program has another parent, which waits for it.
        let shell = "/bin/sh"
        var launch = ProgramLaunch(
            executable: shell, arguments: [shell, "-c", "\"$0\" \"$1\" >/dev/null &", program, page],
            environment: environment)
        launch.input = .nothing
        launch.output = .nothing
        launch.isSeparate = true
        return (try? launch.start().wait()) == .exited(0)
    }
}

/// Notices that another process has committed to a store.
final class StoreFollower: GatewayService {
    let isLogged = false
    private let traffic: GatewayTraffic
    /// A number that changes with each commit of another process.
    private let version: () throws -> Int64
    /// Nil until the store could be read.
    private var seen: Int64?
    private var due: Double
    /// Monotonic seconds; tests replace it.
    private let seconds: () -> Double

    /// How often the store is asked. SQLite reads a number in shared memory for it.
    static let secondsBetween = 0.2

    /// - Parameters:
    ///   - version: see `SQLiteStore.dataVersion`.
    ///   - seconds: monotonic.
    init(
        _ traffic: GatewayTraffic, seconds: @escaping () -> Double = SystemClock.monotonicSeconds,
        version: @escaping () throws -> Int64
    ) {
        self.traffic = traffic
        self.version = version
        self.seconds = seconds
        due = seconds()
        seen = try? version()
    }

    func plan(_ request: GatewayRequest, _ records: inout RecordComposer) -> RequestPlan? { nil }

    var nextDue: Double? { due }

    /// Composes no records.
    func takeDue(now: Double, _ records: inout RecordComposer) {
        due = seconds() + Self.secondsBetween
        // A store that cannot be read for a moment is asked again; requests say what is wrong.
        guard let current = try? version(), current != seen else { return }
        if seen != nil { traffic.noteChange() }
        seen = current
    }
}
