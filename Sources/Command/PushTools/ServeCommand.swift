import ArgumentParser
import Dispatch
import PushCommand
import PushFraming
import PushGatewayTLS
import PushPipeline
import PushRuns
import PushSQLite
import PushServices
import PushSettings
import PushStreams
import PushSystem
import PushTerminal

struct ServeCommand: ConfiguredCommand {
    static let configuration = CommandConfiguration(
        named: "serve",
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
    @Flag(name: .customLong("print-ca"), help: "Print the certificate that clients must trust, and exit.")
    var printsAuthority = false
    @Flag(help: "Ignore provider tokens; by default, a token that is sent must be well-formed and fresh.")
    var noAuth = false
    @Option(
        help: ArgumentHelp("File with fault rules; --faults examples prints one to start from.", valueName: "file"),
        completion: .file())
    var faults: String?
    @Option(
        help: ArgumentHelp("Append what is received, as records for run.", valueName: "file"), completion: .file())
    var record: String?
    @Option(
        help: ArgumentHelp(
            """
            Run this program for each notification that an Apple device gets, with the payload on its standard input: 'xcrun simctl push \
            booted -'. Words are separated by spaces, and no shell reads them.
            """, valueName: "command"))
    var forward: String?
    /// `pushpipe mcp` starts a gateway that must not outlive it.
    @Flag(help: ArgumentHelp("Stop when standard input ends.", visibility: .hidden)) var untilInputEnds = false
    @OptionGroup var arguments: RunArguments
    @OptionGroup var end: EndArguments
    @OptionGroup var work: WorkArguments
    @Option(help: "Report format: ndjson, text or none. (default: text on a terminal, else ndjson)")
    var format: ReportForm?
    @Flag(name: .shortAndLong, help: "Print no summary on standard error.")
    var quiet = false
    @OptionGroup var common: CommonArguments

    func run(_ settings: Settings) throws {
        let network = NIONetwork()
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
        let plan = try RunPlan(serving: arguments, end, settings, format)
        try plan.execute { try job($0, settings).serve(over: network, to: $1) }
    }

    private func job(_ run: RunJob, _ settings: Settings) throws -> GatewayJob {
        var run = run
        run.configuration.jobs = try work.coreCount()
        run.appliesRules = work.rules ?? true
        run.isQuiet = quiet
        if let conflict = conflict(with: run, settings) { throw ValidationError(conflict) }
        let gateway = settings.gateway
        var options = GatewayOptions()
        options.flushDelay = settings.flushDelay
        options.ports = GatewayPorts(
            try OptionValue.address(listen, option: "--listen"),
            proxy: try gateway.proxy.map { try OptionValue.address($0, option: "serve.proxy") },
            binary: try gateway.binaryGateway.map { try OptionValue.address($0, option: "serve.binary-gateway") },
            feedback: try gateway.feedback.map { try OptionValue.address($0, option: "serve.feedback") })
        if gateway.certificate != nil || gateway.certificateKey != nil {
            guard let certificate = gateway.certificate, let key = gateway.certificateKey else {
                throw ValidationError("serve.tls-cert and serve.tls-key each need the other.")
            }
            options.tls = TLSOptions(files: (certificate, key))
        }
        options.ignoresTokens = noAuth
        options.providerKeyPath = gateway.providerKey
        options.accessKey = gateway.accessKey
        for origin in gateway.allowedOrigins where !options.allowedOrigins.insert(origin) {
            throw ValidationError("serve.allow-origin takes an origin such as https://app.example.org, or * for any.")
        }
        options.webhook = try gateway.webhook.map { text in
            guard let address = WebhookAddress(text) else {
                throw ValidationError(
                    "serve.webhook takes an address without TLS such as http://127.0.0.1:8080/pushes.")
            }
            guard address.isAllowed(by: options.allowedOrigins) else {
                throw ValidationError(
                    "serve.webhook posts to this machine, to a name without a dot, and to the hosts of serve.allow-origin."
                )
            }
            return address
        }
        options.keyID = gateway.keyID
        options.teamID = gateway.teamID
        options.allowsOneStreamFirst = gateway.allowsOneStreamFirst
        options.serviceAccountPath = gateway.serviceAccount
        options.airnotifierPath = settings.airnotifierApps
        options.expoAccessToken = gateway.expoAccessToken
        options.faultsPath = faults
        options.recordPath = record
        options.forward = (forward ?? "").split(separator: " ").map(String.init)
        return GatewayJob(run, options)
    }

    /// Why options cannot be combined, or what a value needs: a sentence; nil if there is nothing like that.
    private func conflict(with run: RunJob, _ settings: Settings) -> String? {
        if run.redaction != nil, record != nil {
            return "--record keeps what is received as it is, and cannot be combined with --redact."
        }
        let files = [("--faults", faults), ("--record", record)]
        if let (option, _) = files.first(where: { $0.1 == "" }) { return "\(option) needs a file name." }
        if let forward, forward.allSatisfy({ $0 == " " }) { return "--forward needs a command." }
        if noAuth, settings.gateway.providerKey != nil { return "--no-auth and serve.provider-key exclude each other." }
        return noAuth && settings.gateway.serviceAccount != nil
            ? "--no-auth and serve.service-account exclude each other." : nil
    }
}

struct ViewCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        named: "view", abstract: "Show a store in a browser or in the terminal, also while it is written.",
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
    @Argument(help: ArgumentHelp("The store.", valueName: "file"), completion: .file()) var arguments: [String] = []

    func validate() throws {
        if tui, listen != nil || accessKey != nil || open {
            throw ValidationError("--tui cannot be combined with --listen, --access-key and --open.")
        }
        _ = try address()
    }

    private func address() throws -> ListenAddress {
        try OptionValue.address(listen ?? "127.0.0.1:2198", option: "--listen")
    }

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
            try job.view(over: NIONetwork(), to: ProcessStreams())
        }
        if let signal = StopSignal.current { throw Failure.stopped(signal) }
    }
}

extension OptionValue {
    static func address(_ text: String, option: String) throws -> ListenAddress {
        guard let address = ListenAddress(text) else {
            throw ValidationError(
                "\(option) takes an address and a port, such as 127.0.0.1:2197 or [::1]:2197; port 0 is any free one.")
        }
        return address
    }
}
