import CPushAPIDescription
import PushDecoding
import PushDevices
import PushFaults
import PushFraming
import PushJSON
import PushPipeline
import PushReports
package import PushRuns
package import PushSystem
import PushText

/// The job of `pushpipe serve`: delivers requests to simulated devices, answers as the push services do, and reports the outcomes.
package struct GatewayJob {
    /// How messages are delivered and reported.
    private let run: RunJob
    private let options: GatewayOptions
    private var limits = GatewayLimits()

    /// - Parameter run: how messages are delivered and reported. Without inputs, and with nothing that tells records in a file apart.
    package init(_ run: RunJob, _ options: GatewayOptions) {
        self.run = run
        self.options = options
        if options.allowsOneStreamFirst { limits.streamsBeforeToken = 1 }
    }

    /// The text to print in place of serving; nil to serve.
    ///
    /// - Parameters:
    ///   - printsAuthority: true to print the certificate of the development authority, in PEM. Makes one if there is none.
    ///   - faults: the file with fault rules; `examples` stands for the text of an example.
    package static func text(
        printsAuthority: Bool, faults: String?, _ network: some GatewayNetwork
    ) throws(PlainError) -> String? {
        if printsAuthority { return try network.authorityText() }
        return faults == "examples" ? faultExamples : nil
    }

    /// The output of `pushpipe serve --faults examples`: a file with every key. All rules but the first are comments.
    package static var faultExamples: String {
        let file = unsafe fault_examples()
        // SOUND: the bytes are a constant of the program, and the count is theirs.
        return unsafe String(decoding: UnsafeBufferPointer(start: file.bytes, count: file.count), as: UTF8.self)
    }

    /// Serves until the streams ask to stop.
    ///
    /// - Throws: `StoreError`, `PlainError`, and what `RunJob.setUp` throws.
    package func serve(over network: some GatewayNetwork, to streams: some RunStreams) throws -> RunJob.Outcome {
        try run.checkFiles()
        let job = recordJob
        let services = try services(network.signatures)
        if !run.isQuiet { for service in services { service.note = streams.note } }
        let faults = try options.faultsPath.map { try FaultFile.read($0, run.advice) }
        let access = try access()
        let setup = try job.setUp(note: streams.note)
        try job.checkOutputsAreApart(streams.outputDescriptor)
        let recordFile = try options.recordPath.map(RecordFile.init)
        if let recordFile { try job.checkOutputsAreApart(recordFile.descriptor) }
        // The API shows screens and journal.
        let memory = MemoryStore(journalLimit: Self.journalLimit)
        let opened = try OpenRun(job, setup, orIn: memory, note: streams.note)
        defer { opened.finish() }
        opened.file?.patience = Self.secondsForStore
        try opened.file?.keepLittle()
        let output = streams.openOutput(writesInBackground: false)
        try opened.registerDevices(note: streams.note)
        setup.begin(nil)
        let gateway = try network.listen(on: options.ports, tls: options.tls, limits: limits)
        defer { gateway.shutDown() }
        StopSignal.wake(gateway.wakeUp)
        defer { StopSignal.wake(nil) }
        streams.listenForStop()
        streams.note(greeting(gateway, access))
        let started = SystemClock.monotonicSeconds()
        let traffic = GatewayTraffic(isRedacted: job.redaction != nil)
        let forgetDevices = {
            try memory.removeAll()
            try opened.registerDevices { _ in }
        }
        let isInMemory = opened.file == nil
        let host = APIHost(
            storePath: job.store?.path, journalLimit: isInMemory ? Self.journalLimit : nil, demands: options.demands)
        let api = APIService(
            traffic, store: opened.store, access: access, host: host,
            tracer: RecordTracer(setup.configuration), forgetDevices: isInMemory ? forgetDevices : nil)
        var hooks: [Hook] = []
        if let hook = try webhook(of: gateway, traffic, note: streams.note) { hooks.append(hook) }
        let wakeUp = gateway.wakeUp
        if let hook = try forwarder(of: opened.pipeline, didLose: wakeUp.writeWakeUp, note: streams.note) {
            hooks.append(hook)
        }
        let composer = opened.composer()
        let session = GatewaySession(opened.pipeline, services + [api, ConsoleService()], traffic: traffic) { line in
            try output.append { composer(line, &$0) }
        }
        session.note = streams.note
        session.tellProblems = { [hooks] in for hook in hooks { hook.tellProblem() } }
        session.recordFile = recordFile
        session.origins = OriginPolicy(address: options.ports.main, allowed: options.allowedOrigins)
        session.faults.rules = FaultRules(faults?.rules ?? [], now: session.faults.monotonicMilliseconds())
        session.faults.text = faults?.text
        do {
            try gateway.run(session, isStopped: { streams.isStopped }, flush: { try output.flush() })
        } catch {
            // What was committed before is reported, as in a run.
            if (error as? PlainError)?.isReaderGone != true { try? output.finish() }
            throw error
        }
        for hook in hooks { hook.finish(seconds: Self.secondsForHooks) }
        try opened.showScreens(to: output)
        try output.finish()
        try job.screenFile?.write(opened.store, device: job.shownDevice, note: streams.note)
        if !job.isQuiet { try summarize(opened, seconds: SystemClock.monotonicSeconds() - started, to: streams) }
        // A signal is how a gateway ends, so what it was to fail for comes first.
        return RunJob.Outcome(isStopped: streams.isStopped && !opened.hasFailed, hasFailed: opened.hasFailed)
    }

    private func summarize(_ opened: OpenRun, seconds: Double, to streams: some RunStreams) throws {
        streams.note("pushpipe: stopped by \(streams.stopReason)\n")
        streams.note(SummaryText.lines(opened.pipeline.summary, seconds: seconds, style: run.noteStyle))
        let stale = SummaryText.stale(try opened.store.staleCount(), style: run.noteStyle)
        if !stale.isEmpty { streams.note(stale) }
    }

    /// The job for the records that the gateway writes.
    private var recordJob: RunJob {
        var job = run
        job.configuration.framing = .ndjson
        if !options.forward.isEmpty { job.emission = Emission(.accepted, as: .simctl) }
        job.configuration.maximumRecordBytes = max(
            job.configuration.maximumRecordBytes,
            Self.recordBytes(ofBody: max(limits.bodyBytes, limits.listBodyBytes) + limits.headerBytes))
        return job
    }

    func pipelineConfiguration() throws -> PipelineConfiguration {
        try recordJob.setUp { _ in }.configuration
    }

    /// The services, in the order in which they are asked.
    func services(_ signatures: SignatureKeys) throws(PlainError) -> [GatewayService] {
        let authentication = try ProviderAuthentication(
            isOff: options.ignoresTokens, keyPath: options.providerKeyPath, signatures,
            check: options.providerSignature, keyID: options.keyID, teamID: options.teamID)
        let google = try GoogleAccess(isOff: options.ignoresTokens, path: options.serviceAccountPath, signatures)
        let groups = DeviceGroups()
        return [
            APNsService(authentication),
            FCMService(google, groups),
            OAuthService(google),
            InstanceIDService(google),
            LegacyFCMService(google, groups),
            AirnotifierService(try AirnotifierDirectory(path: options.airnotifierPath)),
            WikimediaService(delay: Double(options.flushDelay) / 1000),
            ExpoService(accessToken: try options.expoAccessToken.map(APIAccess.key)),
            BinaryService(),
            FeedbackService(isOpen: options.ports.feedback?.isLoopback ?? true),
        ]
    }

    /// Who may use the API.
    private func access() throws(PlainError) -> APIAccess {
        APIAccess(
            key: try APIAccess.clientKey(options.accessKey), address: options.ports.main, proxy: options.ports.proxy,
            allowed: options.allowedOrigins)
    }

    /// Starts to post each message to the user's address, as the API's lists have it.
    private func webhook(
        of gateway: any ListeningGateway, _ traffic: GatewayTraffic, note: @escaping (String) -> Void
    ) throws(PlainError) -> Hook? {
        guard let address = options.webhook else { return nil }
        if address.host.isLoopback, address.host.port == gateway.address.port {
            throw PlainError("\(address) is the gateway itself, which would never finish", of: "webhook")
        }
        let hook = Hook(webhook: gateway.webhook(to: address), name: "\(address)", note: note)
        traffic.onMessage = { [unowned traffic] message in
            hook.webhook.post(MessageJSON(isRedacted: traffic.isRedacted).summary(of: message).bytes)
        }
        return hook
    }

    /// Starts to run the user's command for each notification that an Apple device gets.
    ///
    /// - Parameter didLose: called when the first notification is lost, on any thread.
    private func forwarder(
        of pipeline: Pipeline, didLose: @escaping @Sendable () -> Void, note: @escaping (String) -> Void
    ) throws(PlainError) -> Hook? {
        guard let name = options.forward.first else { return nil }
        guard let program = name.contains("/") ? name : FileSystem.program(name) else {
            throw PlainError("no program \(TerminalText.clean(name)) is on PATH", of: "forward")
        }
        let webhook = MessageHook(program, options.forward, didLose: didLose)
        let hook = Hook(webhook: webhook, name: TerminalText.clean(name), note: note)
        pipeline.emit(Emission(.accepted, as: .simctl)) { lines in
            // SOUND: each line is copied.
            for line in unsafe Array(lines.buffer).split(separator: UInt8(ascii: "\n")) { webhook.post(Array(line)) }
        }
        return hook
    }

    /// Passes messages on, and tells people what did not arrive.
    private struct Hook {
        let webhook: MessageHook
        let name: String
        let note: (String) -> Void

        func tellProblem() {
            if let problem = webhook.takeProblem() { note("pushpipe: \(name) accepted no message: \(problem)\n") }
        }

        func finish(seconds: Int) {
            let lost = webhook.finish(seconds: seconds)
            tellProblem()
            if lost > 0 { note("pushpipe: \(lost == 1 ? "1 message" : "\(lost) messages") did not reach \(name)\n") }
        }
    }

    /// How long the end waits for messages that are on their way.
    private static let secondsForHooks = 2

    /// How long requests wait while another process writes to the store, as compaction may for a while. Their clients give up
    /// earlier; the gateway goes on when it is over.
    private static let secondsForStore = 120

    /// Lines of the journal that a store in memory keeps: some 20 MB.
    private static let journalLimit = 100_000

    /// Longest record of a body: in a string, a byte can take six, as `\u0000`.
    private static func recordBytes(ofBody bytes: Int) -> Int { 6 * bytes + 1024 }

    private func greeting(_ gateway: any ListeningGateway, _ access: APIAccess) -> String {
        let address = gateway.address
        var line = "pushpipe: listening on https://\(address) and http://\(address), HTTP/2 and HTTP/1.1\n"
        if let proxy = gateway.ports.proxy {
            line += "  a proxy for the hosts of Apple and Google is http://\(proxy), as with HTTPS_PROXY\n"
        }
        if let binary = gateway.ports.binary { line += "  the binary interface of APNs is on \(binary)\n" }
        if let feedback = gateway.ports.feedback {
            let condition = feedback.isLoopback ? "" : ", for clients with a certificate that names an app"
            line += "  its feedback service is on \(feedback)\(condition)\n"
        }
        if access.isClosed { line += "  the API and the page are closed beyond loopback without an access key\n" }
        guard !run.isQuiet else { return line }
        // Without the address once more: scripts take it from the first line. A closed API has nothing for the page to show.
        if !access.isClosed { line += "  open the address in a browser to see the devices\n" }
        guard let authorityPath = gateway.authorityPath else { return line }
        return line + "  clients must trust \(TerminalText.clean(authorityPath)), as with curl --cacert\n"
    }
}
