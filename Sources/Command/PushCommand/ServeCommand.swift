import ArgumentParser
import Dispatch
import PushPipeline
import PushRuns
import PushSQLite
import PushServices
import PushStreams
import PushSystem
import PushTerminal
import RecordFraming

struct ServeCommand: TextCommand, PlannedCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Answer push senders as APNs and FCM do, and deliver what they send to simulated devices.",
        discussion: """
            Listens for requests to APNs, FCM and others, with and without TLS, over HTTP/2 or HTTP/1.1. Treats each as a record \
            of run: checks it, delivers it, writes a report line, and answers with the provider's status and reason. On SIGINT, \
            SIGTERM or SIGHUP, answers the requests in flight and prints a summary to standard error. A browser at \
            http://127.0.0.1:2197/ shows the devices and why a push did not appear.

              pushpipe serve --store phone.db
              curl --http2-prior-knowledge -H apns-topic:org.example.app \\
                -d '{"aps":{"alert":"Hi"}}' http://127.0.0.1:2197/3/device/ab12
            """)

    @Option(help: ArgumentHelp("Address to listen on; port 0 picks a free one.", valueName: "address:port"))
    var listen = "127.0.0.1:2197"
    @Option(help: ArgumentHelp("Address of a proxy for Apple's and Google's hosts.", valueName: "address:port"))
    var proxy: String?
    @Option(help: ArgumentHelp("Address for APNs' binary interface of 2013.", valueName: "address:port"))
    var binaryGateway: String?
    @Option(help: ArgumentHelp("Address for the feedback service of that interface.", valueName: "address:port"))
    var feedback: String?
    @Option(help: ArgumentHelp("Certificate chain in PEM. (default: a development certificate)", valueName: "file"))
    var tlsCert: String?
    @Option(help: ArgumentHelp("Private key of --tls-cert, in PEM.", valueName: "file")) var tlsKey: String?
    @Flag(name: .customLong("print-ca"), help: "Print the certificate that clients must trust, and exit.")
    var printsAuthority = false
    @Flag(help: "Ignore provider tokens; by default, a token that is sent must be well-formed and fresh.")
    var noAuth = false
    @Option(help: ArgumentHelp("Require provider tokens that name this key.", valueName: "id")) var keyID: String?
    @Flag(help: "Allow one stream before the first valid provider token, as APNs does.") var oneStreamFirst = false
    @Option(help: ArgumentHelp("Require provider tokens of this team.", valueName: "id")) var teamID: String?
    @Option(help: ArgumentHelp("Require provider tokens of this key: a .p8 file or its public key.", valueName: "file"))
    var providerKey: String?
    @Option(help: ArgumentHelp("Require access tokens issued to this service account.", valueName: "file"))
    var serviceAccount: String?
    @Option(help: ArgumentHelp("Require this access token, or the one in @FILE, for Expo.", valueName: "token|@file"))
    var expoAccessToken: String?
    @Option(help: ArgumentHelp("File with fault rules; --faults examples prints one to start from.", valueName: "file"))
    var faults: String?
    @Option(help: ArgumentHelp("Append what is received, as records for run.", valueName: "file")) var record: String?
    @Option(help: ArgumentHelp("Require this access key, or the one in @FILE, for the API.", valueName: "key|@file"))
    var accessKey: String?
    @Option(
        help: ArgumentHelp("Take requests from web pages of this origin, or of any with *.", valueName: "origin"))
    var allowOrigin: [String] = []
    @Option(
        help: ArgumentHelp(
            "Post each message that arrived, as JSON: to this machine, or to a host that --allow-origin names.",
            valueName: "http-url"))
    var webhook: String?
    /// `pushpipe mcp` starts a gateway that must not outlive it.
    @Flag(help: ArgumentHelp("Stop when standard input ends.", visibility: .hidden)) var untilInputEnds = false
    @OptionGroup(visibility: .hidden) var source: SourceArguments
    @OptionGroup var arguments: RunArguments
    @OptionGroup var end: EndArguments
    @OptionGroup var work: WorkArguments
    @Option(help: "Report format: ndjson, text or none. (default: text on a terminal, else ndjson)")
    var format: ReportForm?
    @Flag(name: .shortAndLong, help: "Print no summary on standard error.")
    var quiet = false
    @OptionGroup(title: "Appearance") var look: OutputArguments

    func plan() throws -> GatewayJob { try job(RunPlan(self).job) }

    func run() throws {
        let network = try CommandProcess.neededNetwork()
        if let text = try GatewayJob.text(printsAuthority: printsAuthority, faults: faults, network) {
            return try StandardOutput().write(text)
        }
        StopSignal.heedInterrupt()
        if untilInputEnds {
            DispatchQueue.global().async {
                _ = try? FileDescriptor.standardInput.readToEnd()
                Signal.terminate.sendToThisProcess()
            }
        }
        try RunPlan(self).execute { try job($0).serve(over: network, to: $1) }
    }

    private func job(_ run: RunJob) throws -> GatewayJob {
        if let conflict = conflict(with: run) { throw ValidationError(conflict) }
        let settings = try arguments.deviceOptions.settings()
        var options = GatewayOptions()
        options.flushDelay = settings.flushDelay ?? 0
        options.ports = GatewayPorts(
            try OptionValue.address(listen),
            proxy: try proxy.map { try OptionValue.address($0, option: "--proxy") },
            binary: try binaryGateway.map { try OptionValue.address($0, option: "--binary-gateway") },
            feedback: try feedback.map { try OptionValue.address($0, option: "--feedback") })
        if tlsCert != nil || tlsKey != nil {
            guard let tlsCert, let tlsKey, !tlsCert.isEmpty, !tlsKey.isEmpty else {
                throw ValidationError("--tls-cert and --tls-key each need the other, and a file name.")
            }
            options.tls = TLSOptions(files: (tlsCert, tlsKey))
        }
        options.ignoresTokens = noAuth
        options.providerKeyPath = providerKey
        options.accessKey = accessKey
        for origin in allowOrigin where !options.allowedOrigins.insert(origin) {
            throw ValidationError("--allow-origin takes an origin such as https://app.example.org, or * for any.")
        }
        options.webhook = try webhook.map { text in
            guard let address = WebhookAddress(text) else {
                throw ValidationError("--webhook takes an address without TLS such as http://127.0.0.1:8080/pushes.")
            }
            guard address.isAllowed(by: options.allowedOrigins) else {
                throw ValidationError(
                    "--webhook posts to this machine, to a name without a dot, and to the hosts of --allow-origin.")
            }
            return address
        }
        options.keyID = keyID
        options.teamID = teamID
        options.allowsOneStreamFirst = oneStreamFirst
        options.serviceAccountPath = serviceAccount
        options.airnotifierPath = settings.airnotifierPath
        options.expoAccessToken = expoAccessToken
        options.faultsPath = faults
        options.recordPath = record
        return GatewayJob(run, options)
    }

    /// Why options cannot be combined, or what a value needs: a sentence; nil if there is nothing like that.
    private func conflict(with run: RunJob) -> String? {
        guard run.inputs.allSatisfy({ $0 == nil }) else {
            return "serve reads no files; --devices registers devices before the first request."
        }
        let decoding = run.configuration.decoding
        guard decoding.format == nil, decoding.location == nil, run.configuration.framing == .auto else {
            return "--provider, --framing, --at and --skip-prefix are for files; a request's path says what it is."
        }
        guard !decoding.acceptsRelaxedJSON,
            run.configuration.maximumRecordBytes == PipelineConfiguration().maximumRecordBytes
        else { return "--relaxed and --max-record are for files; a request's service says what its body may be." }
        if run.redaction != nil, record != nil {
            return "--record keeps what is received as it is, and cannot be combined with --redact."
        }
        let file = "a file name"
        let id = "an id"
        let values = [
            ("--provider-key", providerKey, file), ("--key-id", keyID, id), ("--team-id", teamID, id),
            ("--service-account", serviceAccount, file),
            ("--faults", faults, file), ("--record", record, file),
            ("--expo-access-token", expoAccessToken, "a token, or @ and the name of the file that has it"),
            ("--access-key", accessKey, "a key, or @ and the name of the file that has it"),
        ]
        if let (option, _, what) = values.first(where: { $0.1 == "" }) { return "\(option) needs \(what)." }
        if noAuth, providerKey != nil { return "--no-auth and --provider-key exclude each other." }
        return noAuth && serviceAccount != nil ? "--no-auth and --service-account exclude each other." : nil
    }
}

struct ViewCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "view", abstract: "Show a store in a browser or in the terminal, also while it is written.",
        discussion: """
            The page is that of pushpipe serve. Nothing is changed.

              pushpipe view phone.db
              pushpipe view --tui phone.db
            """)

    @OptionGroup var place: StoreCommand.Place
    @Option(help: ArgumentHelp("Address to listen on. (default: 127.0.0.1:2198)", valueName: "address:port"))
    var listen: String?
    @Option(help: ArgumentHelp("Require this access key, or the one in @FILE, for the API.", valueName: "key|@file"))
    var accessKey: String?
    @Flag(help: "Open the page in a browser.") var open = false
    @Flag(help: "Show one device after the other in this terminal: arrows move, q quits.") var tui = false
    @Option(help: "Begin with this device: its name, or the beginning of it.") var device: String?
    @Argument(help: ArgumentHelp("The store.", valueName: "file")) var arguments: [String] = []

    func validate() throws {
        if tui, listen != nil || accessKey != nil || open {
            throw ValidationError("--tui cannot be combined with --listen, --access-key and --open.")
        }
        _ = try address()
    }

    private func address() throws -> ListenAddress { try OptionValue.address(listen ?? "127.0.0.1:2198") }

    func run() throws {
        let path = try place.only(arguments)
        if tui {
            StopSignal.listen()
            let output = StandardOutput()
            try ScreenBrowserJob.show(
                path, device: device, style: .standardOutput, isStopped: { StopSignal.current != nil },
                plain: { try output.write($0) })
        } else {
            StopSignal.heedInterrupt()
            let name = try device.map { try StoreCommand.open(path).device(named: $0) }
            let job = ViewJob(
                storePath: path, device: name, on: try address(), accessKey: accessKey, opens: open
            ) { try SQLiteStore(following: $0) }
            try job.view(over: CommandProcess.neededNetwork(), to: ProcessStreams())
        }
        if let signal = StopSignal.current { throw Failure.stopped(signal) }
    }
}
