import FoundationEssentials
import PushConsole
package import PushDevices
import PushPipeline
package import PushRuns
import PushSystem
import PushText
import ScreenPictures

/// The job of `pushpipe view`: shows a store in a browser, also while another process writes it, and changes nothing.
package struct ViewJob {
    private let storePath: String
    /// The device that the page begins with; nil to choose there.
    private let device: String?
    private let open: (_ path: String) throws -> any StoreFile
    private let address: ListenAddress
    /// See `APIAccess.clientKey`.
    private let accessKey: String?
    /// True to open the page in a browser.
    private let opens: Bool

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
        let access = APIAccess(key: try APIAccess.clientKey(accessKey), address: address)
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
        let host = APIHost(mode: .view, storePath: path)
        let api = APIService(traffic, store: store, access: access, host: host)
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
    override var isLogged: Bool { false }
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

    override var nextDue: Double? { due }

    /// Composes no records.
    override func takeDue(now: Double, _ records: inout RecordComposer) {
        due = seconds() + Self.secondsBetween
        // A store that cannot be read for a moment is asked again; requests say what is wrong.
        guard let current = try? version(), current != seen else { return }
        if seen != nil { traffic.noteChange() }
        seen = current
    }
}

/// The web console: `/` and what is below `/console/`. The page asks the API for everything that it shows, so it needs no key itself.
final class ConsoleService: GatewayService {
    override var isLogged: Bool { false }

    /// Colors and sizes of pictures, so that the page's devices look as those in files.
    static let theme = ConsoleFile(name: "picture.css", bytes: Array(PictureTheme.css.utf8))

    override func plan(_ request: GatewayRequest, _ records: inout RecordComposer) -> RequestPlan? {
        guard request.method == "GET" || request.method == "HEAD" else { return nil }
        let path = String(request.path.prefix { $0 != "?" })
        let isTheme = path == ConsoleFile.folder + Self.theme.name
        guard let file = isTheme ? Self.theme : ConsoleFile.at(path) else { return nil }
        let headers = ConsoleFile.headers.map { HeaderField($0.name, $0.value) } + [HeaderField("etag", file.tag)]
        // RFC 9110, section 13.1.2. Caches may have made the tag a weak one.
        let known = request.header("if-none-match")?.split { $0 == "," || $0 == " " }.map { tag in
            tag.replacing("W/", with: "", maxReplacements: 1)
        }
        if known?.contains(file.tag[...]) == true { return .answer(GatewayAnswer(status: 304, headers: headers)) }
        let type = HeaderField("content-type", file.type)
        return .answer(GatewayAnswer(status: 200, headers: [type] + headers, body: file.bytes))
    }
}

/// Answers 404 for unknown paths of `pushpipe view`, which is not a push service.
final class NothingHereService: GatewayService {
    override var isLogged: Bool { false }

    private static let error = APIError(
        404,
        "pushpipe view has no such path: / is the page, GET /api/v1/openapi.json lists the API, and pushes need pushpipe serve"
    )

    override func plan(_ request: GatewayRequest, _ records: inout RecordComposer) -> RequestPlan? {
        .answer(Self.error.answer)
    }
}
